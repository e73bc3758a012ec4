import { type Actor, recordAudit } from '../audit/audit-service.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { sessionIdOf, sessionsOf } from './session-kinds-service.ts'

/** A cookie's session: who is signed in, and the id of the account that was chosen last. */
export type Session = {
  user: { id: string; name: string; email: string; operator: boolean }
  partyId: number | null
}

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
    const { partyId } = session
    const owner = { user: { id: userId, name, email, operator }, partyId }
    return { times: session, owner: suspendedAt === null ? owner : undefined }
  },
  touch: (db, id, lastSeenAt) => db.session.updateMany({ where: { id }, data: { lastSeenAt } }),
  end: (db, where) => db.session.deleteMany({ where }),
})

/** Keeps with a session which account its user has chosen; null for none. Nothing is checked. */
export async function keepChoice(
  { db }: Pick<Deps, 'db'>,
  cookie: string,
  partyId: number | null,
): Promise<void> {
  await db.session.updateMany({ where: { id: sessionIdOf(cookie) }, data: { partyId } })
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
