import type { Session } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest, Position } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import { sessionIdOf } from '../session-store-service.ts'
import type { OwnSession } from './own-sessions.ts'

/** A user has at most so many; the oldest ones end when more begin. */
const SESSIONS_MAX = 100

/** The browsers in which a user is signed in, the one that was used last first. */
export async function listOwnSessions(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  userId: string,
  { after, limit }: PageRequest = { after: undefined, limit: SESSIONS_MAX },
): Promise<Page<OwnSession>> {
  const time = now()
  const usedAfter = new Date(time.getTime() - config.sessionIdleSeconds * 1000)
  const rows = await db.session.findMany({
    where: {
      userId,
      expiresAt: { gt: time },
      lastSeenAt: { gte: usedAfter },
      ...usedBefore(after),
    },
    orderBy: [{ lastSeenAt: 'desc' }, { publicId: 'asc' }],
    take: limit + 1,
  })
  return pageOf(rows, limit, ownSessionOf, ({ lastSeenAt, publicId }) => [
    lastSeenAt.toISOString(),
    publicId,
  ])
}

function usedBefore(after: Position | undefined) {
  if (after === undefined) return {}
  const lastSeenAt = new Date(String(after[0]))
  return {
    OR: [{ lastSeenAt: { lt: lastSeenAt } }, { lastSeenAt, publicId: { gt: String(after[1]) } }],
  }
}

function ownSessionOf({ publicId, createdAt, lastSeenAt, browser, network }: Session): OwnSession {
  return { id: publicId, begunAt: createdAt, lastUsedAt: lastSeenAt, browser, network }
}

/** The id by which a user sees the session of a cookie; undefined when there is none. */
export async function ownSessionId(
  { db }: Pick<Deps, 'db'>,
  cookie: string,
): Promise<string | undefined> {
  const session = await db.session.findUnique({ where: { id: sessionIdOf(cookie) } })
  return session?.publicId
}

/**
 * Ends one of a user's sessions.
 *
 * @throws AppError not_found
 */
export async function endOwnSession(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  publicId: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { userId, publicId } })
    if (count === 0) throw new AppError('not_found', { detail: 'There is no such session.' })
    await recordEnd(tx, userId, count, actor)
  })
}

/**
 * Ends all of a user's sessions but one.
 *
 * @param keptCookie of the one that goes on; undefined for none
 */
export async function endOtherSessions(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  keptCookie: string | undefined,
  actor: Actor,
): Promise<void> {
  const kept = keptCookie !== undefined && { id: { not: sessionIdOf(keptCookie) } }
  await inTransaction(db, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { userId, ...kept } })
    if (count > 0) await recordEnd(tx, userId, count, actor)
  })
}

function recordEnd(tx: Db, userId: string, count: number, actor: Actor): Promise<void> {
  const subject = { kind: 'user', id: userId }
  return recordAudit(tx, { actor, action: 'user.sessions_ended', subject, after: { count } })
}

/** What somebody else deletes at this moment is passed over. */
export async function dropOldestSessions(db: Db, userId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${userId}::uuid
      ORDER BY created_at DESC OFFSET ${SESSIONS_MAX} FOR UPDATE SKIP LOCKED)`
}
