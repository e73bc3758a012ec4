import type { Db } from '../database/transaction.ts'

/**
 * The entries of the audit trail that are by a user or about a user, oldest first. Of entries by
 * somebody else it tells neither who nor from where.
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
  const [byThem, aboutThem] = await Promise.all([
    db.auditEvent.findMany({ where: { actorId: userId, ...rest }, ...order }),
    db.auditEvent.findMany({
      where: { subjectId: userId, subjectKind: 'user', ...rest },
      ...order,
    }),
  ])
  const rows = new Map([...byThem, ...aboutThem].map((row) => [row.id, row]))
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
