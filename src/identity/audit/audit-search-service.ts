import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import { nameOrEmailHas, textIn } from '../../base/values/keyset.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import { actionsMeaning } from './audit-actions.ts'

/** How many things of each kind are looked up that have the text in their name. */
const NAMED_MAX = 5
/** How many memberships and install requests of the people among them. */
const OF_PEOPLE_MAX = 20
/** In how many entries the memberships are looked for. */
const MEMBERSHIP_ENTRIES_MAX = 1000

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
  const userIds = users.map(({ id }) => id)
  const [memberships, requests] = await Promise.all([
    membershipsOf(db, userIds),
    db.installRequest.findMany({
      where: { userId: { in: userIds } },
      select: { id: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      take: OF_PEOPLE_MAX,
    }),
  ])
  const about = (id: string) => Prisma.sql`e.subject_id = ${id}`
  const by = (id: string) => Prisma.sql`e.actor_id = ${id}`
  return [
    about(text.toLowerCase()),
    by(text),
    ...users.flatMap(({ id }) => [about(id), by(id)]),
    ...memberships.map(about),
    ...requests.map(({ id }) => about(id)),
    ...parties.map(({ id }) => Prisma.sql`e.party_id = ${id}::int`),
    ...developers.map(({ id }) => Prisma.sql`e.developer_id = ${id}::uuid`),
    ...apps.map(({ id }) => about(id)),
    ...actionsMeaning(text).map((action) => Prisma.sql`e.action = ${action}`),
  ]
}

/**
 * The memberships that people have or had in accounts and developers, as subjects of entries: a
 * removed one is known from its entries alone. The index has them in a row, in whatever order it
 * has for texts: no other subject begins with the id of a user, and "z" is behind every id.
 */
async function membershipsOf(db: Db, userIds: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ subject: string }[]>`
    SELECT DISTINCT e.subject_id AS subject FROM unnest(${userIds}::text[]) AS people(id)
    CROSS JOIN LATERAL (
      SELECT subject_id FROM audit_events
      WHERE subject_id > people.id || '/' AND subject_id < people.id || '/z'
      ORDER BY subject_id LIMIT ${MEMBERSHIP_ENTRIES_MAX}
    ) AS e
    WHERE starts_with(e.subject_id, people.id || '/')
    ORDER BY subject LIMIT ${OF_PEOPLE_MAX}`
  return rows.map(({ subject }) => subject)
}
