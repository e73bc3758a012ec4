import { batchedLookUp } from '../../base/database/batched-look-up.ts'
import { bytesText } from '../../base/database/statement.ts'
import type { DeveloperCredentialPrincipal } from '../../base/values/principal.ts'
import { EXPIRED_AT_ONCE, sessionsOf } from './session-store-service.ts'

/** Who is signed in to the developer console, and as whom its pages act. */
export type SignedInDeveloper = { name: string; principal: DeveloperCredentialPrincipal }

/** What the statement answers, with its times as text. */
type SessionRow = Omit<DeveloperCredentialPrincipal, 'kind'> & {
  name: string
  lastSeenAt: string
  expiresAt: string
  isLive: boolean
}

const findSession = batchedLookUp<SessionRow>({
  name: 'developer-sessions',
  text: `
    SELECT CASE WHEN d.id IS NOT NULL THEN json_build_object(
      'lastSeenAt', s.last_seen_at, 'expiresAt', s.expires_at, 'name', d.name,
      'developerId', d.id, 'credentialId', c.id, 'clientId', c.client_id,
      'isLive', c.removed_at IS NULL AND d.suspended_at IS NULL) END
    FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS k (session_id, position)
    LEFT JOIN developer_sessions s ON s.id = k.session_id
    LEFT JOIN developer_credentials c ON c.id = s.credential_id
    LEFT JOIN developers d ON d.id = c.developer_id
    ORDER BY k.position`,
})

/**
 * The sessions of developers. They end at once when their credential is removed or the developer
 * is suspended.
 */
export const developerSessions = sessionsOf<{ id: string }, SignedInDeveloper>({
  // The credential alone: whose developer is suspended is not signed in, whatever session there is.
  async hold(tx, { id }) {
    const held = await tx.$queryRaw<object[]>`
      SELECT 1 FROM developer_credentials
      WHERE id = ${id}::uuid AND removed_at IS NULL
      FOR SHARE`
    return held.length > 0
  },
  create: (db, { ownerId: credentialId, ...data }) =>
    db.developerSession.create({ data: { ...data, credentialId } }),
  async find(pool, id) {
    const session = await findSession(pool, bytesText(id))
    if (session === undefined) return undefined
    const { lastSeenAt, expiresAt, isLive, name, ...ids } = session
    const times = { lastSeenAt: new Date(lastSeenAt), expiresAt: new Date(expiresAt) }
    return { times, owner: isLive ? { name, principal: { kind: 'developer', ...ids } } : undefined }
  },
  touch: (db, id, time, before) => db.$executeRaw`
    UPDATE developer_sessions SET last_seen_at = ${time} WHERE id IN (
      SELECT id FROM developer_sessions WHERE id = ${id} AND last_seen_at < ${before}
      FOR NO KEY UPDATE SKIP LOCKED)`,
  end: (db, where) => db.developerSession.deleteMany({ where }),
  dropExpired: (db, time) => db.$executeRaw`
    DELETE FROM developer_sessions WHERE id IN (
      SELECT id FROM developer_sessions WHERE expires_at < ${time}
      LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
})
