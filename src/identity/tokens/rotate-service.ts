import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { ACCOUNT_TOKEN_TTL_SECONDS } from './issued-token.ts'
import { newSigningKey } from './keys-service.ts'

/** Longer than clients and replicas keep the published keys in memory. */
const PUBLISH_AHEAD_SECONDS = 600

/**
 * The result of a rotation: the new key, when it begins to sign, and until when old keys verify.
 */
export type Rotation = { kid: string; signFrom: Date; retired: string[]; verifyUntil: Date }

/**
 * Adds a signing key. It is published at once and begins to sign later, when every client has read
 * the new key set. Old keys verify until the last token that they can sign has run out; then they
 * are removed.
 *
 * @param leaked after a leak: the new key signs at once and all others are withdrawn, so that every
 *   replica refuses their tokens from the next request on
 */
export async function rotateSigningKeys(
  { db, secrets, config, now }: Pick<Deps, 'db' | 'secrets' | 'config' | 'now'>,
  { actor, leaked }: { actor: Actor; leaked: boolean },
): Promise<Rotation> {
  const time = now()
  const signFrom = leaked ? time : secondsAfter(time, PUBLISH_AHEAD_SECONDS)
  const verifyUntil = leaked ? time : secondsAfter(signFrom, longestTtlSeconds(config))

  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('app-marketplace signing keys'))`
    await tx.signingKey.deleteMany({ where: { verifyUntil: { lt: time } } })
    const old = await tx.signingKey.findMany({
      where: leaked ? {} : { verifyUntil: null },
      select: { kid: true },
    })
    const retired = old.map(({ kid }) => kid)
    const where = { kid: { in: retired } }
    if (leaked) await tx.signingKey.deleteMany({ where })
    else await tx.signingKey.updateMany({ where, data: { verifyUntil } })
    const { kid } = await tx.signingKey.create({ data: newSigningKey(secrets, signFrom) })
    await recordAudit(tx, {
      actor,
      action: 'keys.rotated',
      subject: { kind: 'signing_key', id: kid },
      after: { signFrom: signFrom.toISOString(), retired, leaked },
    })
    return { kid, signFrom, retired, verifyUntil }
  })
}

function longestTtlSeconds(config: Deps['config']): number {
  return Math.max(
    config.maxTokenTtlSeconds,
    config.developerTokenTtlSeconds,
    ACCOUNT_TOKEN_TTL_SECONDS,
  )
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}
