import { createPkce, randomText } from './pkce.ts'

/** An app as the redirect needs to know it. */
export type RedirectApp = {
  /** Address of the marketplace as browsers see it. */
  baseUrl: string
  appId: string
  /** Client id of the app's developer. */
  clientId: string
  /** The app's `authReturnUrl`. */
  returnUrl: string
  /**
   * How the token comes: for a `code` that only your server can use (RFC 6749 with PKCE), or as
   * `token` in the address. As the app's definition says.
   */
  delivery: 'code' | 'token'
  /** With codes: permissions that the token shall have. Default: all that the account granted. */
  permissions?: readonly string[]
}

/** Where to send a browser, and what to keep until it comes back. */
export type Start = { url: string; state: string; verifier: string }

/** The address at which a user chooses an account and comes back to the app. */
export async function startAddress(app: RedirectApp, state = randomText()): Promise<Start> {
  const { verifier, challenge } = await createPkce()
  const base = app.baseUrl.replace(/\/+$/, '')
  const url = new URL(`${base}/Apps/Authenticate/${encodeURIComponent(app.appId)}`)
  const query = {
    client_id: app.clientId,
    state,
    ...(app.delivery === 'code' && {
      response_type: 'code',
      redirect_uri: app.returnUrl,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(app.permissions !== undefined && { scope: app.permissions.join(' ') }),
    }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href, state, verifier }
}
