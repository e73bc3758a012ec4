import type { Db } from '../database/transaction.ts'

/**
 * The entries of the audit trail that are by a user or about a user, oldest first, counted ones such
 * as sign-ins, too. Of entries by somebody else it tells neither who nor from where.
 *
 * @param page `after`: the last id that was read
 */
export async function ofPerson(
  db: Db,
  userId: string,
  { after, limit }: { after: bigint | undefined; limit: number },
) {
  const rest = after === undefined ? {} : { id: { gt: after } }
  const order = { orderBy: { id: 'asc' }, take: limit } as const
  const byThem = { where: { actorId: userId, ...rest }, ...order }
  const aboutThem = { where: { subjectId: userId, subjectKind: 'user', ...rest }, ...order }
  const [events, counts] = await Promise.all([
    Promise.all([db.auditEvent.findMany(byThem), db.auditEvent.findMany(aboutThem)]),
    Promise.all([db.auditCount.findMany(byThem), db.auditCount.findMany(aboutThem)]),
  ])
  const counted = counts.flat().map(({ count, lastAt, ...row }) => ({
    ...row,
    ...{ before: null, after: { count: Number(count), lastAt } },
  }))
  // Both kinds have ids of one sequence.
  const rows = new Map([...events.flat(), ...counted].map((row) => [row.id, row]))
  return [...rows.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(
      ({ id, at, actorKind, actorId, address, action, subjectKind, subjectId, before, after }) => {
        const isOwn = actorId === userId
        const actor = { kind: actorKind, id: isOwn ? actorId : null }
        const subject = { kind: subjectKind, id: subjectId }
        const own = { at, actor, address: isOwn ? address : null, action, subject, before, after }
        return { id, record: { id: Number(id), ...own } }
      },
    )
}
