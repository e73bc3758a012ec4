import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { FIRST_TIME_MS, LAST_TIME_MS } from '../../base/values/shapes.ts'
import type { Deps } from '../../deps.ts'
import { type AuditRecord, type OperatorAuditRecord, recordFor } from './audit-record.ts'
import { meaningsOf } from './audit-search-service.ts'
import { readEntries } from './read-entries-service.ts'

type ReadDeps = Pick<Deps, 'db'>

/**
 * An entry has the time at which its transaction began, and an id that was made during it. No
 * transaction takes longer than this.
 */
const TRANSACTION_MAX_MS = 3_600_000

export type AuditFilters = {
  actorKind?: OperatorAuditRecord['actor']['kind'] | undefined
  action?: string | undefined
  subjectKind?: string | undefined
  subjectId?: string | undefined
  /** Inclusive. */
  since?: string | undefined
  /** Exclusive. */
  until?: string | undefined
  /** Without what is counted by the hour, such as tokens and sign-ins. */
  changesOnly?: boolean
}

export type OperatorAuditFilters = AuditFilters & {
  actorId?: string | undefined
  developerId?: string | undefined
  partyId?: number | undefined
  /** A name, an email, an id, or words of an action. */
  q?: string | undefined
}

/** The whole audit trail, newest first. */
export async function listAudit(
  { db }: ReadDeps,
  { q, actorId, developerId, partyId, ...filters }: OperatorAuditFilters,
  page: PageRequest,
): Promise<Page<OperatorAuditRecord>> {
  const conditions = [
    ...(await conditionsOf(db, filters)),
    actorId !== undefined && Prisma.sql`e.actor_id = ${actorId}`,
    developerId !== undefined && ofDeveloper(developerId),
    partyId !== undefined && Prisma.sql`e.party_id = ${partyId}::int`,
  ]
  const alternatives = q === undefined ? undefined : await meaningsOf(db, q)
  return pageOfEvents(db, page, conditions, { ...filters, alternatives })
}

/** What happened to a developer's own things, newest first. */
export async function listDeveloperAudit(
  { db }: ReadDeps,
  developerId: string,
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const conditions = [...(await conditionsOf(db, filters)), ofDeveloper(developerId)]
  const { entries, next } = await pageOfEvents(db, page, conditions, filters)
  return { entries: entries.map((entry) => recordFor('developer', entry)), next }
}

/**
 * What happened to the things of the user's parties, or of one of them, newest first. Where the user is
 * no admin, without what the lists of people and requests keep from members. Of all parties with the
 * user's own secrets that were reported, which belong to no party.
 */
export async function listAccountAudit(
  { db }: ReadDeps,
  userId: string,
  { partyId, ...filters }: AuditFilters & { partyId?: number | undefined },
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const memberships = await db.membership.findMany({
    where: { userId, ...(partyId === undefined ? {} : { partyId }) },
    select: { partyId: true, role: true },
  })
  const { actorKind, ...others } = filters
  const conditions = await conditionsOf(db, others)
  const idsWith = (wanted: string) =>
    memberships.flatMap(({ partyId: id, role }) => (role === wanted ? [id] : []))
  const forMembers = ofNobodyElse(userId)
  const readable = [
    ...partiesIn(idsWith('admin')),
    ...partiesIn(idsWith('member')).map((one) => Prisma.sql`${one} AND ${forMembers}`),
  ]
  if (partyId === undefined) readable.push(reportsAbout(userId))
  const alternatives = readable.flatMap((one) =>
    kindsForParties(actorKind).map((kind) => Prisma.sql`${one} AND ${kind}`),
  )
  const { entries, next } = await pageOfEvents(db, page, conditions, { ...others, alternatives })
  return { entries: entries.map((entry) => recordFor('party', entry)), next }
}

type Condition = Prisma.Sql | false

/**
 * Up to so many parties are read one by one: an index gives the newest entries of each, which are
 * then merged.
 */
const PARTIES_MERGED_MAX = 50

function partiesIn(ids: readonly number[]): Prisma.Sql[] {
  return ids.length > PARTIES_MERGED_MAX || ids.length === 0
    ? [Prisma.sql`e.party_id = ANY (${ids}::int[])`]
    : ids.map((id) => Prisma.sql`e.party_id = ${id}::int`)
}

/**
 * Neither invitations, memberships and install requests of others: members see no list of them. Each
 * entry names people, or what they have asked for.
 */
function ofNobodyElse(userId: string): Prisma.Sql {
  return Prisma.sql`(
    e.subject_kind NOT IN ('invitation', 'membership', 'install_request')
    OR e.subject_kind = 'invitation' AND e.action = 'invitation.accepted' AND e.actor_id = ${userId}
    OR e.subject_kind = 'membership' AND e.subject_id = ${userId} || '/' || e.party_id
    OR e.subject_kind = 'install_request' AND EXISTS (
      SELECT 1 FROM install_requests r WHERE r.user_id = ${userId}::uuid AND r.id::text = e.subject_id))`
}

function reportsAbout(userId: string): Prisma.Sql {
  return Prisma.sql`e.subject_id = ${userId} AND e.subject_kind = 'user' AND e.action = 'secret.reported'`
}

function ofDeveloper(id: string): Prisma.Sql {
  return Prisma.sql`e.developer_id = ${id}::uuid`
}

/** To an account, the people of a developer are the developer. Each alternative has an index. */
function kindsForParties(kind: string | undefined): Prisma.Sql[] {
  if (kind === undefined) return [Prisma.sql`true`]
  const own = Prisma.sql`(e.actor_kind = ${kind} AND e.actor_developer_id IS NULL)`
  return kind === 'developer' ? [own, Prisma.sql`e.actor_developer_id IS NOT NULL`] : [own]
}

async function conditionsOf(
  db: Db,
  { actorKind, action, subjectKind, subjectId, since, until }: AuditFilters,
): Promise<Condition[]> {
  return [
    actorKind !== undefined && Prisma.sql`e.actor_kind = ${actorKind}`,
    action !== undefined && Prisma.sql`e.action = ${action}`,
    subjectKind !== undefined && Prisma.sql`e.subject_kind = ${subjectKind}`,
    subjectId !== undefined && Prisma.sql`e.subject_id = ${subjectId}`,
    ...(since === undefined ? [] : await beginningAt(db, new Date(since))),
    ...(until === undefined ? [] : await endingBefore(db, new Date(until))),
  ]
}

/**
 * Conditions on entries from a moment on. The list is in the order of ids, and an entry of an hour
 * earlier has a lower id, so the time bounds the ids.
 */
async function beginningAt(db: Db, since: Date): Promise<Condition[]> {
  const older = await db.auditEvent.findFirst({
    where: { at: { lt: new Date(Math.max(since.getTime() - TRANSACTION_MAX_MS, FIRST_TIME_MS)) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { id: true },
  })
  return [older !== null && Prisma.sql`e.id > ${older.id}`, Prisma.sql`e.at >= ${since}`]
}

/** Conditions on entries before a moment: an entry of an hour later has a higher id. */
async function endingBefore(db: Db, until: Date): Promise<Condition[]> {
  const younger = await db.auditEvent.findFirst({
    where: { at: { gte: new Date(Math.min(until.getTime() + TRANSACTION_MAX_MS, LAST_TIME_MS)) } },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
    select: { id: true },
  })
  return [younger !== null && Prisma.sql`e.id < ${younger.id}`, Prisma.sql`e.at < ${until}`]
}

/**
 * One page of the entries that meet all conditions.
 *
 * @param options.alternatives each entry also meets one or more of these
 */
async function pageOfEvents(
  db: Db,
  { after, limit }: PageRequest,
  conditions: readonly Condition[],
  {
    alternatives = [Prisma.sql`true`],
    changesOnly = false,
  }: { alternatives?: readonly Prisma.Sql[] | undefined; changesOnly?: boolean },
): Promise<Page<OperatorAuditRecord>> {
  const older = after !== undefined && Prisma.sql`e.id < ${BigInt(after[0] ?? 0)}`
  const all = alternatives.map((alternative) => {
    const each = [alternative, older, ...conditions].filter((one) => one !== false)
    return Prisma.join(each, ' AND ')
  })
  const { entries, isContinued } = await readEntries(db, all, {
    limit,
    first: 'newest',
    changesOnly,
  })
  const last = isContinued ? entries.at(-1) : undefined
  return { entries, next: last && [String(last.id)] }
}
