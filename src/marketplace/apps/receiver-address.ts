import { authReturnUrlProblem } from './auth-return-url.ts'

/** An app that the demo receiver stands for. */
export type ReceiverApp = {
  /** The client that exchanges its codes, without a password as a front end does. */
  clientId: string
  returnUrl: string
  takesCodesOnly: boolean
}

/**
 * The return address that leads to the demo receiver: `http://127.0.0.1:3000/Demo/Receiver/x`.
 * Where the server has no https and is not on this machine, browsers of this machine alone reach
 * it, because return addresses may use http nowhere else.
 *
 * @param publicUrl of the server
 */
export function receiverAddress(publicUrl: string, appId: string): string {
  const address = `${publicUrl}/Demo/Receiver/${appId}`
  if (authReturnUrlProblem(address) === null) return address
  const local = new URL(address)
  local.hostname = 'localhost'
  return local.href
}

/** Where the demo receiver at a return address begins; null at any other return address. */
export function receiverStart(authReturnUrl: string): string | null {
  const { origin, pathname } = new URL(authReturnUrl)
  return /\/Demo\/Receiver\/[a-z0-9-]+$/.test(pathname) ? `${origin}${pathname}/Start` : null
}
