/** The calls that the receiver makes with a token, in the order in which it shows them. */
export const RECEIVER_CALLS = [
  { id: 'profile', title: 'Who opened the app', path: '/v1/User/Profile' },
  { id: 'installation', title: 'The installation and its settings', path: '/v1/Installation' },
  { id: 'products', title: 'The first products', path: '/v1/Products?limit=3' },
] as const

/** A call with its response. */
export type ReceiverCall = (typeof RECEIVER_CALLS)[number] & { status: number; body: string }

/** What the receiver took out of its address; `clientId` when a code was exchanged. */
export type Received = { token: string; state: string | undefined; clientId?: string }

/** Claim -> its meaning, in words for developers. */
const CLAIM_WORDS: ReadonlyMap<string, string> = new Map([
  ['iss', 'The marketplace that made the token.'],
  ['aud', 'The kind of token: it acts for one installation.'],
  ['sub', 'The installation that the token acts for.'],
  ['client_id', 'Your app, under the name that RFC 9068 asks for.'],
  ['app_id', 'Your app.'],
  ['party_id', 'The account that has installed your app.'],
  ['party_type', 'What the account is: Buyer, Seller, or None for your sandbox.'],
  ['scope', 'What the token may do: the permissions that the account has agreed to.'],
  ['user_id', 'The person who opened your app.'],
  ['iat', 'When the token was made, in seconds since 1970.'],
  ['exp', 'When the token runs out, in seconds since 1970.'],
  ['jti', 'The id of this token.'],
  ['gen', 'Rises when all tokens of the installation are revoked.'],
  ['ugen', 'Rises when the person signs out everywhere.'],
  ['mgen', 'Changes when the person leaves the account.'],
])

/** One claim of a token with its meaning. */
export type ShownClaim = { name: string; value: string; meaning: string }

/** The claims of a token, not verified; undefined when the text is no token of ours. */
export function shownClaims(
  token: string,
): { claims: ShownClaim[]; permissions: string[]; expiresAt: Date | undefined } | undefined {
  const payload = payloadOf(token)
  if (payload === undefined) return undefined
  const claims = [...CLAIM_WORDS].flatMap(([name, meaning]): ShownClaim[] => {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined
    const isShown = typeof value === 'string' || typeof value === 'number'
    return isShown ? [{ name, value: String(value), meaning }] : []
  })
  if (claims.length === 0) return undefined
  const { scope, exp } = payload
  return {
    claims,
    permissions: typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : [],
    expiresAt: dateOf(exp),
  }
}

function payloadOf(token: string): Record<string, unknown> | undefined {
  const [, part = ''] = token.split('.')
  try {
    const payload: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    const isRecord = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    return isRecord ? (payload as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function dateOf(seconds: unknown): Date | undefined {
  if (typeof seconds !== 'number') return undefined
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date
}
