import { findableSecret, secretHash } from '../../base/secrets/findable-secret.ts'
import type { Deps } from '../../deps.ts'

/** Time that an app has to exchange a code. */
const CODE_TTL_SECONDS = 60
/** How long a code is kept after the token made of it ran out: clocks of replicas differ. */
const KEPT_AFTER_EXPIRY_SECONDS = 3600
const FORGOTTEN_AT_ONCE = 100

/** What a code is bound to. */
export type CodeSubject = {
  installationId: string
  /** The client that may exchange it. */
  credentialId: string
  userId: string
  /** Generations of installation, user and membership: the token ends with any of them. */
  generations: { token: number; user: number; membership: number }
  returnUrl: string
  challenge: string
  /** The permissions that it is for; null: all that the installation has. */
  scope: string | null
}

/** A new code for a user of an installation: 256 random bits, of which only the hash is stored. */
export async function issueCode(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  { generations, ...subject }: CodeSubject,
): Promise<string> {
  const code = findableSecret('code')
  const inSeconds = (seconds: number) => new Date(now().getTime() + seconds * 1000)
  const keptSeconds = config.redirectTokenTtlSeconds + KEPT_AFTER_EXPIRY_SECONDS
  await db.authorizationCode.create({
    data: {
      id: secretHash(code),
      ...subject,
      tokenGeneration: generations.token,
      userGeneration: generations.user,
      membershipGeneration: generations.membership,
      expiresAt: inSeconds(CODE_TTL_SECONDS),
      forgetAt: inSeconds(CODE_TTL_SECONDS + keptSeconds),
    },
  })
  // Without waiting for anybody who does the same.
  await db.$executeRaw`
    DELETE FROM authorization_codes WHERE id IN (
      SELECT id FROM authorization_codes WHERE forget_at < ${now()}
      LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`
  return code
}
