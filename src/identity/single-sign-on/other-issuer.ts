/** The codes of the library for metadata and for an ID token with a value that was not expected. */
const COMPARISONS = new Set<unknown>([
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
])
const LOGGED_MAX_LENGTH = 300

/**
 * The issuer that a provider names where it is another one than was expected.
 *
 * @param error of the library
 * @returns undefined when the error is about something else; else cut, and without control characters
 */
export function otherIssuer(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code, cause } = one as { code?: unknown; cause?: unknown }
    if (!COMPARISONS.has(code) || typeof cause !== 'object' || cause === null) continue
    const { attribute, body, claim, claims } = cause as Record<string, unknown>
    const ofMetadata = attribute === 'issuer' ? (body as { issuer?: unknown }).issuer : undefined
    const named = claim === 'iss' ? (claims as { iss?: unknown }).iss : ofMetadata
    if (typeof named !== 'string') continue
    return named.slice(0, LOGGED_MAX_LENGTH).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
  }
  return undefined
}
