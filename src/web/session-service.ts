import { type Actor, recordAudit } from '../audit/audit-service.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { sessionsOf } from './session-kinds-service.ts'

/** A cookie's session: who is signed in. */
export type Session = { user: { id: string; name: string; email: string; operator: boolean } }

/** The sessions of users. */
export const {
  open: openSession,
  read: readSession,
  close: closeSession,
} = sessionsOf<Session>({
  create: (db, { ownerId: userId, ...data }) => db.session.create({ data: { ...data, userId } }),
  async find(db, id) {
    const session = await db.session.findUnique({ where: { id }, include: { user: true } })
    if (session === null) return undefined
    const { id: userId, name, email, operator, suspendedAt } = session.user
    const owner = suspendedAt === null ? { user: { id: userId, name, email, operator } } : undefined
    return { times: session, owner }
  },
  touch: (db, id, lastSeenAt) => db.session.updateMany({ where: { id }, data: { lastSeenAt } }),
  end: (db, where) => db.session.deleteMany({ where }),
})

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
