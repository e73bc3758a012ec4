import { authReturnUrlProblem } from '../apps/auth-return-url.ts'

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
