import { installationData } from '../data/data.ts'
import { errorOfResponse, MarketplaceError } from '../errors.ts'
import { type Connection, connect, type Surroundings } from '../transport/connection.ts'
import { randomText } from './pkce.ts'
import { type RedirectApp, startAddress } from './start-address.ts'
import { type StateCookie, stateCookie } from './state-cookie.ts'

/** Marks the state of a redirect that began because a browser came without a state. */
const AGAIN = '-again'
const ANSWERS = ['token', 'code', 'error']

/** A user who came from the marketplace. The token acts for this user's account. */
export type Opened = { token: string; installationId: string }

export type RedirectOptions = RedirectApp &
  Surroundings & {
    /** Password of the developer's credential; needed for codes. */
    password?: string
    /**
     * Begins a session of yours and returns the path of your site to continue at. `headers` are
     * added to the response, such as your session cookie.
     */
    opened(
      opened: Opened,
      request: Request,
    ): Promise<{ path: string; headers?: Record<string, string> }>
    /** The response when the redirect failed. Default: one line of text. */
    failed?(error: MarketplaceError, request: Request): Promise<Response>
  }

/** Handles a request to the app's return address. */
export type RedirectHandler = (request: Request) => Promise<Response>

/**
 * Makes the handler of an app's return address, for servers whose handlers take a `Request`. Send
 * users there to begin, too. It takes the token or code out of the address with a 303 before any
 * page is shown, and accepts it only from a browser that began here. A browser that comes without a
 * beginning, as with the button *Open*, is sent around once more.
 */
export function redirectHandler(options: RedirectOptions): RedirectHandler {
  const { appId, baseUrl, returnUrl } = options
  const connection = connect(baseUrl, undefined, options)
  const cookie = stateCookie({ appId, isSecure: new URL(returnUrl).protocol === 'https:' })
  const { failed = plainFailure } = options

  return async (request) => {
    const query = new URL(request.url).searchParams
    const begun = cookie.read(request)
    const state = query.get('state')
    const isAnswer = ANSWERS.some((name) => query.has(name))
    if (!isAnswer) return begin(options, cookie, randomText())
    if (begun === undefined || begun.state !== state) {
      if (state?.endsWith(AGAIN) !== true) return begin(options, cookie, `${randomText()}${AGAIN}`)
      return failed(refused('Your browser keeps no cookies of this site. Allow them.'), request)
    }
    try {
      const opened = await takeAnswer(connection, options, query, begun.verifier)
      const { path, headers } = await options.opened(opened, request)
      return goTo(ownAddress(path, returnUrl), cookie.clear, headers)
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error
      const answer = await failed(error, request)
      // The headers of some responses cannot be changed, such as those of Response.redirect().
      const headers = new Headers(answer.headers)
      headers.append('set-cookie', cookie.clear)
      return new Response(answer.body, { status: answer.status, headers })
    }
  }
}

async function begin(app: RedirectApp, cookie: StateCookie, state: string): Promise<Response> {
  const start = await startAddress(app, state)
  return goTo(start.url, cookie.keep(start))
}

async function takeAnswer(
  connection: Connection,
  options: RedirectOptions,
  query: URLSearchParams,
  verifier: string,
): Promise<Opened> {
  const error = query.get('error')
  if (error !== null) throw refused(`The marketplace did not open the app: ${error}.`)
  const token = query.get('token')
  const code = query.get('code')
  if (options.delivery === 'code') {
    const issuer = `${connection.baseUrl}/Apps/${options.appId}`
    if (query.get('iss') !== issuer) throw refused('Another marketplace has answered.')
    if (code === null) throw refused('The marketplace sent no code.')
    return redeem(connection, options, code, verifier)
  }
  if (token === null) throw refused('The marketplace sent no token.')
  const { baseUrl } = connection
  const tokens = { get: async () => token, refused: () => undefined }
  const { id } = await installationData(connect(baseUrl, tokens, options)).installation()
  return { token, installationId: id }
}

async function redeem(
  { baseUrl, send }: Connection,
  { clientId, password, returnUrl }: RedirectOptions,
  code: string,
  verifier: string,
): Promise<Opened> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: returnUrl,
    client_id: clientId,
    ...(password !== undefined && { client_secret: password }),
  })
  const answer = await send(
    () => new Request(`${baseUrl}/oauth/token`, { method: 'POST', body: form }),
  )
  if (!answer.ok) {
    const cause = await errorOfResponse(answer)
    throw refused('The marketplace refused the code. Open the app again.', cause)
  }
  const issued = (await answer.json()) as { access_token: string; installation_id: string }
  return { token: issued.access_token, installationId: issued.installation_id }
}

/** Paths of the app's own making must not lead a browser to another site. */
function ownAddress(path: string, returnUrl: string): string {
  const { origin } = new URL(returnUrl)
  const target = new URL(path, origin)
  if (target.origin !== origin) throw new TypeError(`The path ${path} leads to another site.`)
  return `${target.pathname}${target.search}${target.hash}`
}

function goTo(location: string, cookie: string, more?: Record<string, string>): Response {
  const headers = new Headers(more)
  headers.set('location', location)
  headers.set('cache-control', 'no-store')
  headers.set('referrer-policy', 'no-referrer')
  headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

function refused(message: string, cause?: unknown): MarketplaceError {
  return new MarketplaceError({ code: 'invalid_redirect', message, cause })
}

async function plainFailure(error: MarketplaceError): Promise<Response> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(`${error.message}\n`, { status: 400, headers })
}
