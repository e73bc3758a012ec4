import { Prisma } from '../database/generated/client.ts'
import type { Db } from '../database/transaction.ts'
import { nameOrEmailHas, textIn } from '../values/keyset.ts'
import { searchForm } from '../values/text-forms/canonical.ts'
import { actionsMeaning } from './audit-actions.ts'

/** How many things of each kind are looked up that have the text in their name. */
const NAMED_MAX = 5
/** How many accounts of the people among them. */
const MEMBERSHIPS_MAX = 20

/**
 * What a text can mean in the audit trail, as conditions of which an entry meets one or more: an id
 * of whom or what it is about, a name or an email, or words of an action. Each reads an index in
 * the order of the trail.
 */
export async function meaningsOf(db: Db, typed: string): Promise<Prisma.Sql[]> {
  const text = searchForm(typed)
  if (text === '') return [Prisma.sql`false`]
  const first = { select: { id: true }, orderBy: { id: 'asc' }, take: NAMED_MAX } as const
  const [users, parties, developers, apps] = await Promise.all([
    db.user.findMany({ where: nameOrEmailHas(text), ...first }),
    db.party.findMany({ where: textIn(['name'], text), ...first }),
    db.developer.findMany({ where: textIn(['name'], text), ...first }),
    db.app.findMany({ where: textIn(['name'], text), ...first }),
  ])
  const memberships = await db.membership.findMany({
    where: { userId: { in: users.map(({ id }) => id) } },
    select: { userId: true, partyId: true },
    orderBy: [{ userId: 'asc' }, { partyId: 'asc' }],
    take: MEMBERSHIPS_MAX,
  })
  const about = (id: string) => Prisma.sql`e.subject_id = ${id}`
  const by = (id: string) => Prisma.sql`e.actor_id = ${id}`
  return [
    about(text.toLowerCase()),
    by(text),
    ...users.flatMap(({ id }) => [about(id), by(id)]),
    ...memberships.map(({ userId, partyId }) => about(`${userId}/${partyId}`)),
    ...parties.map(({ id }) => Prisma.sql`e.party_id = ${id}::int`),
    ...developers.map(({ id }) => Prisma.sql`e.developer_id = ${id}::uuid`),
    ...apps.map(({ id }) => about(id)),
    ...actionsMeaning(text).map((action) => Prisma.sql`e.action = ${action}`),
  ]
}
