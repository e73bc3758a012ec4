import { createHash, randomBytes } from 'node:crypto'
import { type Actor, recordAudit } from '../audit/audit-service.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'

/** `last_seen_at` is written at most so often. */
const LAST_SEEN_STEP_SECONDS = 60

/** A cookie's session: who is signed in. */
export type Session = { user: { id: string; name: string; email: string; operator: boolean } }

/**
 * Opens a session with a new id; the session that the browser had before ends.
 *
 * @returns the cookie's value; the database keeps only its hash
 */
export async function openSession(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  userId: string,
  formerCookie: string | undefined,
): Promise<string> {
  const cookie = randomBytes(32).toString('base64url')
  const createdAt = now()
  await inTransaction(db, async (tx) => {
    if (formerCookie !== undefined) {
      await tx.session.deleteMany({ where: { id: idOf(formerCookie) } })
    }
    await tx.session.deleteMany({ where: { expiresAt: { lt: createdAt } } })
    await tx.session.create({
      data: {
        id: idOf(cookie),
        userId,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt: new Date(createdAt.getTime() + config.sessionTtlSeconds * 1000),
      },
    })
  })
  return cookie
}

/** Who is signed in with this cookie; undefined when the session ended, ran out or idled. */
export async function readSession(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  cookie: string | undefined,
): Promise<Session | undefined> {
  if (cookie === undefined) return undefined
  const session = await db.session.findUnique({
    where: { id: idOf(cookie) },
    include: { user: true },
  })
  if (session === null || session.user.suspendedAt !== null) return undefined
  const time = now()
  const idleSeconds = (time.getTime() - session.lastSeenAt.getTime()) / 1000
  if (session.expiresAt <= time || idleSeconds > config.sessionIdleSeconds) return undefined
  if (idleSeconds > LAST_SEEN_STEP_SECONDS) {
    await db.session.updateMany({ where: { id: session.id }, data: { lastSeenAt: time } })
  }
  const { id, name, email, operator } = session.user
  return { user: { id, name, email, operator } }
}

/** Ends a session on the server, so that a copy of the cookie is worthless too. */
export async function closeSession(
  { db }: Pick<Deps, 'db'>,
  cookie: string | undefined,
): Promise<void> {
  if (cookie !== undefined) await db.session.deleteMany({ where: { id: idOf(cookie) } })
}

/** Ends all sessions of a user, and every token that was given out for the user. */
export async function closeAllSessions(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.user.update({
      where: { id: userId },
      data: { tokenGeneration: { increment: 1 } },
    })
    await tx.session.deleteMany({ where: { userId } })
    await recordAudit(tx, {
      actor,
      action: 'user.signed_out_everywhere',
      subject: { kind: 'user', id: userId },
    })
  })
}

function idOf(cookie: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(cookie).digest())
}
