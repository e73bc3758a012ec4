import { webUrlProblem } from '../../base/values/web-url.ts'

/** Hosts that never leave the user's own machine, as the URL parser writes them. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Parameters that the redirect adds itself; a second one could override ours. */
const TOKEN_PARAMETERS: ReadonlySet<string> = new Set(['token', 'state'])
/** Also where it adds a code or an error. */
const ANSWER_PARAMETERS: ReadonlySet<string> = new Set([
  ...TOKEN_PARAMETERS,
  ...['code', 'iss', 'error', 'error_description'],
])

/**
 * Says why a text can't be an authReturnUrl, or null when it can: absolute https, or http on the
 * user's own machine; no userinfo, no fragment (it would swallow the token), no `token` or `state`
 * of its own. Checked when saved and again before each redirect.
 */
export function authReturnUrlProblem(url: string): string | null {
  return problemOf(url, TOKEN_PARAMETERS)
}

/**
 * Says why a text can't be a return address that takes codes or errors: it has no `code`, `iss` or
 * `error` either.
 */
export function answerUrlProblem(url: string): string | null {
  return problemOf(url, ANSWER_PARAMETERS)
}

function problemOf(url: string, added: ReadonlySet<string>): string | null {
  const problem = webUrlProblem(url)
  if (problem !== null) return problem
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && !LOOPBACK_HOSTS.has(parsed.hostname)) {
    return 'must use https; http is only for localhost, 127.0.0.1 and [::1]'
  }
  if (url.includes('#')) return 'must not contain a fragment'
  for (const name of queryNames(parsed.search)) {
    if (added.has(name)) {
      return `must not have a query parameter "${name}": the redirect adds it`
    }
  }
  return null
}

/**
 * Names in a query as any common parser may read them: percent-decoded, without regard to case,
 * `;` as well as `&` between them, and without the brackets of `token[]`.
 */
function queryNames(search: string): string[] {
  const names = [...new URLSearchParams(search.replaceAll(';', '&')).keys()]
  return names.map((name) => name.replace(/\[.*$/s, '').trim().toLowerCase())
}

/**
 * The address that the browser is sent to: the authReturnUrl with its own query kept byte for byte,
 * exactly one `token`, and `state` if there is one. Throws on an address that
 * `authReturnUrlProblem` refuses, so that no token can leave by a bad one.
 */
export function withToken(url: string, token: string, state?: string): string {
  requireNone(authReturnUrlProblem(url))
  return withParameters(url, { token, state })
}

/**
 * The return address with a code or an error, and the issuer (RFC 9207). Throws on an address that
 * `answerUrlProblem` refuses.
 */
export function withAnswer(
  url: string,
  answer: ({ code: string } | { error: string }) & { state: string | undefined; iss?: string },
): string {
  requireNone(answerUrlProblem(url))
  return withParameters(url, answer)
}

function requireNone(problem: string | null): void {
  if (problem !== null) throw new TypeError(`authReturnUrl ${problem}`)
}

function withParameters(url: string, parameters: Record<string, string | undefined>): string {
  const { href, search } = new URL(url)
  const added = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value = '']) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  const hasQuery = href.includes('?')
  const open = !hasQuery || search === '' || search.endsWith('&')
  return `${href}${hasQuery ? '' : '?'}${open ? '' : '&'}${added.join('&')}`
}
