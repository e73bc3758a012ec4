const BASE = 'http://here.invalid'
const PATH_MAX_LENGTH = 4096

/**
 * Where a browser may be sent after signing in: a path of this site, normalised.
 *
 * `//evil`, `/\evil`, `https://evil`, `/a/../..//evil` and everything that is not a path lead to
 * the start page instead.
 *
 * @param next what the address or the form said
 * @param start the start page
 */
export function safeNextPath(next: unknown, start = '/'): string {
  if (typeof next !== 'string' || next.length > PATH_MAX_LENGTH) return start
  if (!next.startsWith('/')) return start
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them from URLs
  if (/[\u0000-\u0020\u007f\\]/.test(next) || !URL.canParse(next, BASE)) return start
  const url = new URL(next, BASE)
  if (url.origin !== BASE || url.pathname.startsWith('//')) return start
  return url.pathname + url.search
}

/** The app that a path of `/Apps/Authenticate/{appId}` is about, if it is one. */
export function appIdOfPath(path: string): string | undefined {
  const [encoded = ''] = path.split(/[?#]/, 1)
  const match = /^(?:\/api)?\/apps\/authenticate\/([^/]+)\/?$/i.exec(decoded(encoded))
  return match?.[1]?.toLowerCase()
}

/** As the router reads it; what is no UTF-8 is no app's id either. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
