import { z } from 'zod'

/** What every token says (RFC 9068, 2.2). Times are seconds since 1970. */
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

/** A counter of the database. */
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
    /** Credential id, when a developer made the token: it ends with the credential. */
    cid: z.uuid().optional(),
    /** The person, when the token came from the redirect. */
    user_id: z.uuid().optional(),
    /** Token generation of the person; an older one is revoked. */
    ugen: generation.optional(),
    /** Generation of the person's membership; one that ended and came back has another. */
    mgen: generation.optional(),
  })
  .refine(({ user_id, cid, ugen, mgen }) =>
    user_id === undefined ? ugen === undefined && mgen === undefined : cid === undefined,
  )
export type InstallationClaims = z.infer<typeof InstallationClaims>

const AccountClaims = z
  .strictObject({
    ...common,
    aud: z.literal('account'),
    /** User id. */
    sub: z.uuid(),
    /** Token generation of the user; an older one is revoked. */
    gen: generation,
    /** How the user signed in when it was with a code (RFC 8176); `iat` is when. */
    amr: z.array(z.enum(['pwd', 'otp'])).optional(),
    /**
     * Of a token that was made in a browser: when the second factor was given last in its session,
     * there or at the provider of single sign-on.
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
