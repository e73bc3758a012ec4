import { LIMITS } from './definition-limits.ts'

/** What is wrong with an address such as `https://user:password@example.com/`. */
export const CREDENTIALS_PROBLEM = 'must not contain a user name or password'

/**
 * Says why a text is no absolute http(s) address that is safe to show as a link or to redirect to,
 * or null. Looks at the raw text first: the URL parser silently drops tabs and line breaks, turns
 * backslashes into slashes and forgets an empty userinfo.
 */
export function webUrlProblem(url: string): string | null {
  if (url.length > LIMITS.urlMaxLength) {
    return `must be at most ${LIMITS.urlMaxLength} characters long`
  }
  if (!url.isWellFormed() || /[\p{Cc}\p{Cf}\s\\]/u.test(url)) {
    return 'must not contain white space, control characters or backslashes'
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (authority === undefined || !URL.canParse(url)) {
    return 'must be an absolute address that starts with https://'
  }
  if (authority.includes('@')) return CREDENTIALS_PROBLEM
  if (new URL(url).href.length > LIMITS.urlMaxLength) {
    return `must be at most ${LIMITS.urlMaxLength} characters long when percent-encoded`
  }
  return null
}
