import { createPkce, randomText } from './pkce.ts'

/** The app, as the redirect needs it. */
export type RedirectApp = {
  /** The address of the marketplace as browsers see it. */
  baseUrl: string
  appId: string
  /** The client id of the app's developer. */
  clientId: string
  /** The app's `authReturnUrl`. */
  returnUrl: string
  /**
   * How the token comes, as the app's definition says: with a `code` that only your server can use
   * (RFC 6749 with PKCE), or as `token` in the address.
   */
  delivery: 'code' | 'token'
  /** With codes: the permissions of the token. Default: all that the account granted. */
  permissions?: readonly string[]
}

/** Where to send a browser, and what to keep until it returns. */
export type Start = { url: string; state: string; verifier: string }

/** Makes the address at which a user chooses an account and then returns to the app. */
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
