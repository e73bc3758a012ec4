import { inTransaction } from '../../base/database/transaction.ts'
import { isSecretOf, secretHash } from '../../base/secrets/findable-secret.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { TokenClaims } from '../../base/values/token-claims.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { removeCredential } from '../../identity/accounts/credentials-service.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import type { LinkPurpose } from '../../identity/links/link.ts'
import { endReportedLink } from '../../identity/people/report-link-service.ts'
import { endToken } from '../../identity/tokens/end-token-service.ts'
import { kidOfToken } from '../../identity/tokens/jws.ts'
import { verifyToken } from '../../identity/tokens/verify.ts'
import { endReportedInstallLink } from '../apps/visibility/install-links-service.ts'
import type { EventDetails } from '../events/event-types.ts'
import { recordSecretEvent } from '../events/record-event-service.ts'
import { endCode } from '../oauth/end-code-service.ts'
import { replaceSecret } from '../webhooks/endpoints/replace-secret-service.ts'

type ReportDeps = Pick<Deps, 'db' | 'keys' | 'config' | 'secrets' | 'now'>

type EventKind = EventDetails<'secret.reported'>['kind']

/** A secret that was ended: whose it was, and what it was for. */
type Ended = {
  kind: EventKind | 'account_token'
  subject: { kind: string; id: string }
  /** Who is told, beside the user who is the subject. */
  developerId?: string | undefined
  partyId?: number | undefined
  appId?: string
  /** What a link was for. */
  purpose?: LinkPurpose
}
type End = (deps: ReportDeps) => Promise<Ended | undefined>

/**
 * Ends a secret that somebody has found where it does not belong, and tells its owner: by an entry
 * of the audit trail, which the developer console or the account page shows, and developers by an
 * event. A text that is no live secret of this marketplace is left alone.
 *
 * @param found the secret as it was found
 * @param address where the report comes from
 */
export async function reportSecret(
  deps: ReportDeps,
  found: string,
  address: string,
): Promise<void> {
  const secret = secretIn(found)
  const actor: Actor = { kind: 'system', id: null, address }
  const end = kidOfToken(secret) ? await tokenEnd(deps, secret, actor) : otherEnd(secret, actor)
  if (end === undefined) return
  await inTransaction(deps.db, async (tx) => {
    const ended = await end({ ...deps, db: tx })
    if (ended === undefined) return
    const { kind, subject, developerId, partyId, appId = null, purpose } = ended
    await recordAudit(tx, {
      actor,
      action: 'secret.reported',
      subject,
      developerId,
      partyId,
      after: { kind, appId, ...(purpose !== undefined && { purpose }) },
    })
    if (developerId === undefined || kind === 'account_token') return
    const details = { kind, subjectId: subject.id }
    await recordSecretEvent(tx, 'secret.reported', { developerId, appId }, details)
  })
}

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
      return owner && { ...owner, ...endedOf(claims) }
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}

function endedOf(claims: TokenClaims): Ended {
  switch (claims.aud) {
    case 'account':
      return { kind: 'account_token', subject: { kind: 'user', id: claims.sub } }
    case 'developer':
      return { kind: 'developer_token', subject: { kind: 'credential', id: claims.cid } }
    case 'installation': {
      const subject = { kind: 'installation', id: claims.sub }
      return { kind: 'installation_token', subject, appId: claims.app_id }
    }
  }
}

function otherEnd(secret: string, actor: Actor): End {
  const id = secretHash(secret)
  if (isSecretOf('code', secret)) {
    return async (deps) => {
      const code = await endCode(deps, id, actor)
      if (code === undefined) return undefined
      const { installationId, developerId, appId } = code
      const subject = { kind: 'installation', id: installationId }
      return { kind: 'code', subject, developerId, appId }
    }
  }
  if (isSecretOf('link', secret)) {
    return async (deps) => {
      const link = await endReportedLink(deps, id)
      return link && { kind: 'link', ...link }
    }
  }
  if (isSecretOf('installLink', secret)) {
    return async ({ db }) => {
      const link = await endReportedInstallLink(db, id)
      if (link === undefined) return undefined
      const { linkId, developerId, appId } = link
      return {
        kind: 'install_link',
        subject: { kind: 'install_link', id: linkId },
        developerId,
        appId,
      }
    }
  }
  if (secret.startsWith('whsec_')) {
    return async (deps) => {
      const endpoint = await replaceSecret(deps, id)
      if (endpoint === undefined) return undefined
      const { endpointId, developerId, appId } = endpoint
      const subject = { kind: 'webhook', id: endpointId }
      return { kind: 'webhook_secret', subject, developerId, appId }
    }
  }
  return async (deps) => {
    // Locks it: of those who report it at once the first one removes it, and the others find none.
    const [found] = await deps.db.$queryRaw<{ credentialId: string; developerId: string }[]>`
      SELECT id AS "credentialId", developer_id AS "developerId" FROM developer_credentials
      WHERE secret_sha256 = ${id} AND removed_at IS NULL FOR NO KEY UPDATE`
    if (found === undefined) return undefined
    const { credentialId, developerId } = found
    await removeCredential(deps, developerId, credentialId, actor)
    return { kind: 'credential', subject: { kind: 'credential', id: credentialId }, developerId }
  }
}

/**
 * The secret in what somebody found: alone, with white space around it, or as the `token` or `code`
 * of an address. Nobody who reports a secret is told whether it was recognised.
 */
function secretIn(found: string): string {
  const text = found.trim()
  if (!URL.canParse(text)) return text
  const { searchParams } = new URL(text)
  return searchParams.get('token') ?? searchParams.get('code') ?? text
}
