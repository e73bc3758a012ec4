import { z } from 'zod'

/** The claims of every token (RFC 9068, 2.2). Times are seconds since 1970. */
const common = {
  iss: z.string(),
  client_id: z.string(),
  iat: z.int().nonnegative(),
  exp: z.int().nonnegative(),
  jti: z.uuid(),
}

const DeveloperClaims = z.strictObject({
  ...common,
  aud: z.literal('developer'),
  /** Developer id. */
  sub: z.uuid(),
  /** Credential id. */
  cid: z.uuid(),
})
export type DeveloperClaims = z.infer<typeof DeveloperClaims>

/** A counter in the database. */
const generation = z.int32().nonnegative()

const InstallationClaims = z
  .strictObject({
    ...common,
    aud: z.literal('installation'),
    /** Installation id. */
    sub: z.uuid(),
    app_id: z.string(),
    party_id: z.int32(),
    party_type: z.enum(['Buyer', 'Seller', 'None']),
    /** Permission ids, separated by spaces. */
    scope: z.string(),
    /** Token generation of the installation; an older one is revoked. */
    gen: generation,
    /**
     * Credential id, when a developer made the token: it ends with the credential. When a person
     * made it in the developer console, the id of that user, with `ugen` and `mgen`.
     */
    cid: z.uuid().optional(),
    /** The user, when the token came from the redirect. */
    user_id: z.uuid().optional(),
    /** Token generation of the user; an older one is revoked. */
    ugen: generation.optional(),
    /**
     * Generation of the membership of the account or developer; a membership that ended and began
     * again has another.
     */
    mgen: generation.optional(),
  })
  .refine(({ user_id, cid, ugen, mgen }) => {
    if ((ugen === undefined) !== (mgen === undefined)) return false
    if (user_id === undefined) return cid !== undefined
    return cid === undefined && ugen !== undefined
  })
export type InstallationClaims = z.infer<typeof InstallationClaims>

const AccountClaims = z
  .strictObject({
    ...common,
    aud: z.literal('account'),
    /** User id. */
    sub: z.uuid(),
    /** Token generation of the user; an older one is revoked. */
    gen: generation,
    /** How the user signed in, when that was with a one-time code (RFC 8176) at the time `iat`. */
    amr: z.array(z.enum(['pwd', 'otp'])).optional(),
    /**
     * When the second factor was last given in the browser session that made the token, here or at
     * the provider of single sign-on. Absent when no browser session made it.
     */
    auth_time: z.int().nonnegative().optional(),
  })
  .refine(({ iat, auth_time = iat }) => auth_time <= iat)
export type AccountClaims = z.infer<typeof AccountClaims>

export const TokenClaims = z.discriminatedUnion('aud', [
  DeveloperClaims,
  InstallationClaims,
  AccountClaims,
])
export type TokenClaims = z.infer<typeof TokenClaims>

/** The claims of a token, and the key that signed it (`publicKey` as PEM). */
export type VerifiedToken = { claims: TokenClaims; kid: string; publicKey: string }
