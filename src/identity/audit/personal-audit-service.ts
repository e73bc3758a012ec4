import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { AuditRecord } from './audit-record.ts'
import { readEntries } from './read-entries-service.ts'

type PersonalRecord = AuditRecord & { address: string | null }

/**
 * The entries of the audit trail that are by a user or about a user, oldest first, counted ones such
 * as sign-ins, too. Of entries by somebody else it tells neither who nor from where.
 *
 * @param page `after`: the last id that was read
 */
export async function ofPerson(
  db: Db,
  userId: string,
  page: { after: number | undefined; limit: number },
): Promise<{ entries: PersonalRecord[]; isContinued: boolean }> {
  const younger = Prisma.sql`e.id > ${BigInt(page.after ?? 0)}`
  const byThem = Prisma.sql`e.actor_id = ${userId} AND ${younger}`
  const aboutThem = Prisma.sql`e.subject_id = ${userId} AND e.subject_kind = 'user' AND ${younger}`
  const options = { limit: page.limit, first: 'oldest', changesOnly: false } as const
  const { entries, isContinued } = await readEntries(db, [byThem, aboutThem], options)
  return {
    isContinued,
    entries: entries.map(({ id, at, actor, address, action, subject, before, after }) => {
      const isOwn = actor.id === userId
      return {
        id,
        at,
        actor: { kind: actor.kind, id: isOwn ? actor.id : null },
        address: isOwn ? address : null,
        action,
        subject,
        before,
        after,
      }
    }),
  }
}
