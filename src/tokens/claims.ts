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

const InstallationClaims = z.strictObject({
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
  gen: z.int32().nonnegative(),
  /** The person, when the token came from the redirect. */
  user_id: z.uuid().optional(),
})
export type InstallationClaims = z.infer<typeof InstallationClaims>

const AccountClaims = z.strictObject({
  ...common,
  aud: z.literal('account'),
  /** User id. */
  sub: z.uuid(),
  /** Token generation of the user; an older one is revoked. */
  gen: z.int32().nonnegative(),
})
export type AccountClaims = z.infer<typeof AccountClaims>

export const TokenClaims = z.discriminatedUnion('aud', [
  DeveloperClaims,
  InstallationClaims,
  AccountClaims,
])
export type TokenClaims = z.infer<typeof TokenClaims>
