import type { DeveloperCredentialPrincipal } from '../values/principal.ts'
import { EXPIRED_AT_ONCE, sessionsOf } from './session-store-service.ts'

/** Who is signed in to the developer console, and as whom its pages act. */
export type SignedInDeveloper = { name: string; principal: DeveloperCredentialPrincipal }

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
  async find(db, id) {
    const session = await db.developerSession.findUnique({
      where: { id },
      include: { credential: { include: { developer: true } } },
    })
    if (session === null) return undefined
    const { id: credentialId, clientId, removedAt, developer } = session.credential
    const { id: developerId, name, suspendedAt } = developer
    const principal = { kind: 'developer', developerId, credentialId, clientId } as const
    const isLive = removedAt === null && suspendedAt === null
    return { times: session, owner: isLive ? { name, principal } : undefined }
  },
  touch: (db, id, lastSeenAt) =>
    db.developerSession.updateMany({ where: { id }, data: { lastSeenAt } }),
  end: (db, where) => db.developerSession.deleteMany({ where }),
  dropExpired: (db, time) => db.$executeRaw`
    DELETE FROM developer_sessions WHERE id IN (
      SELECT id FROM developer_sessions WHERE expires_at < ${time}
      LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
})
