import { removeCredential } from '../accounts/credentials-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { EventDetails } from '../events/event-types.ts'
import { recordSecretEvent } from '../events/record-event-service.ts'
import { endCode } from '../oauth/end-code-service.ts'
import { endReportedLink } from '../people/report-link-service.ts'
import { isSecretOf, secretHash } from '../secrets/findable-secret.ts'
import { endToken } from '../tokens/end-token-service.ts'
import { kidOfToken } from '../tokens/jws.ts'
import { verifyToken } from '../tokens/verify.ts'
import type { Actor } from '../values/actor.ts'
import { replaceSecret } from '../webhooks/endpoints/replace-secret-service.ts'

type ReportDeps = Pick<Deps, 'db' | 'keys' | 'config' | 'secrets' | 'now'>

/** A secret that was ended: whose it was, and what it was for. */
type Ended = EventDetails<'secret.reported'> & { developerId: string; appId: string | null }
type End = (deps: ReportDeps) => Promise<Ended | undefined>

/**
 * Ends a secret that somebody has found where it does not belong, and tells its owner: by an event
 * and an entry of the audit trail, which the developer console shows. A text that is no live secret
 * of this marketplace is left alone.
 *
 * @param address where the report comes from
 */
export async function reportSecret(
  deps: ReportDeps,
  secret: string,
  address: string,
): Promise<void> {
  const actor: Actor = { kind: 'system', id: null, address }
  const end = kidOfToken(secret) ? await tokenEnd(deps, secret, actor) : otherEnd(secret, actor)
  if (end === undefined) return
  await inTransaction(deps.db, async (tx) => {
    const ended = await end({ ...deps, db: tx })
    if (ended === undefined) return
    const { developerId, appId, kind, subjectId } = ended
    await recordAudit(tx, {
      actor,
      action: 'secret.reported',
      subject: { kind: SUBJECT_KINDS[kind], id: subjectId },
      developerId,
      after: { kind, appId },
    })
    await recordSecretEvent(tx, 'secret.reported', { developerId, appId }, { kind, subjectId })
  })
}

const SUBJECT_KINDS = {
  credential: 'credential',
  developer_token: 'credential',
  installation_token: 'installation',
  code: 'installation',
  webhook_secret: 'webhook',
} as const satisfies Record<Ended['kind'], string>

/** The signature is checked outside of the transaction: a key may have to be read. */
async function tokenEnd(
  { keys, config, now }: ReportDeps,
  token: string,
  actor: Actor,
): Promise<End | undefined> {
  try {
    const expected = { publicKeyOf: keys.publicKeyOf, issuer: config.publicUrl, now }
    const { claims } = await verifyToken(token, expected)
    return async ({ db }) => {
      const owner = await endToken(db, claims, actor)
      if (owner === undefined || claims.aud === 'account') return undefined
      return claims.aud === 'developer'
        ? { ...owner, appId: null, kind: 'developer_token', subjectId: claims.cid }
        : { ...owner, appId: claims.app_id, kind: 'installation_token', subjectId: claims.sub }
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}

function otherEnd(secret: string, actor: Actor): End {
  const id = secretHash(secret)
  if (isSecretOf('code', secret)) {
    return async (deps) => {
      const owner = await endCode(deps, id, actor)
      return owner && { ...owner, kind: 'code', subjectId: owner.installationId }
    }
  }
  if (isSecretOf('link', secret)) {
    return async (deps) => {
      await endReportedLink(deps, id, actor)
      return undefined
    }
  }
  if (secret.startsWith('whsec_')) {
    return async (deps) => {
      const owner = await replaceSecret(deps, id)
      return owner && { ...owner, kind: 'webhook_secret', subjectId: owner.endpointId }
    }
  }
  return async (deps) => {
    const found = await deps.db.developerCredential.findFirst({
      where: { secretSha256: id, removedAt: null },
    })
    if (found === null) return undefined
    const { id: subjectId, developerId } = found
    await removeCredential(deps, developerId, subjectId, actor)
    return { developerId, appId: null, kind: 'credential', subjectId }
  }
}
