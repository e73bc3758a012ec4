import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TokenClaims } from '../../../../src/base/values/token-claims.ts'
import { requireInForce } from '../../../../src/identity/tokens/verify.ts'

const NOW = 1_800_000_000
const ISSUER = 'https://marketplace.example'

/** The code of the refusal of a token with these times, in seconds from now. */
function refusalOf({ iat, exp, iss = ISSUER }: { iat: number; exp: number; iss?: string }) {
  const ids = { sub: randomUUID(), jti: randomUUID() }
  const times = { iat: NOW + iat, exp: NOW + exp }
  const claims: TokenClaims = { ...ids, ...times, iss, aud: 'account', client_id: 'a', gen: 0 }
  try {
    requireInForce(claims, { issuer: ISSUER, now: () => new Date(NOW * 1000) })
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

test.each([
  ['is in force until the second of exp', { iat: -10, exp: 1 }, undefined],
  ['has run out in the second of exp', { iat: -10, exp: 0 }, 'token_expired'],
  ['may come from a clock a minute ahead', { iat: 60, exp: 90 }, undefined],
  ['comes from no clock further ahead', { iat: 61, exp: 90 }, 'invalid_token'],
  ['lasts a day', { iat: 0, exp: 86_400 }, undefined],
  ['lasts no second more', { iat: 0, exp: 86_401 }, 'invalid_token'],
  ['does not end before it begins', { iat: 1, exp: 0 }, 'invalid_token'],
  ['is of this issuer', { iat: 0, exp: 9, iss: `${ISSUER}/` }, 'invalid_token'],
])('a token %s', (_rule, times, code) => {
  expect(refusalOf(times)).toBe(code)
})
