import type { Prisma } from '../database/generated/client.ts'
import type { Db } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Page, PageRequest } from '../page.ts'
import { type AuditRecord, type OperatorAuditRecord, recordFor } from './audit-record.ts'

type ReadDeps = Pick<Deps, 'db'>

export type AuditFilters = {
  actorKind?: OperatorAuditRecord['actor']['kind'] | undefined
  action?: string | undefined
  subjectKind?: string | undefined
  subjectId?: string | undefined
  /** Inclusive. */
  since?: string | undefined
  /** Exclusive. */
  until?: string | undefined
}

export type OperatorAuditFilters = AuditFilters & {
  actorId?: string | undefined
  developerId?: string | undefined
  partyId?: number | undefined
}

/** The whole audit trail, newest first. */
export async function listAudit(
  { db }: ReadDeps,
  { actorId, developerId, partyId, ...filters }: OperatorAuditFilters,
  page: PageRequest,
): Promise<Page<OperatorAuditRecord>> {
  return pageOfEvents(
    db,
    {
      ...whereOf(filters),
      ...(actorId === undefined ? {} : { actorId }),
      ...(developerId === undefined ? {} : { developerId }),
      ...(partyId === undefined ? {} : { partyId }),
    },
    page,
  )
}

/** What happened to a developer's own things, newest first. */
export async function listDeveloperAudit(
  { db }: ReadDeps,
  developerId: string,
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const { entries, next } = await pageOfEvents(db, { ...whereOf(filters), developerId }, page)
  return { entries: entries.map((entry) => recordFor('developer', entry)), next }
}

/** What happened to the things of the user's parties, or of one of them, newest first. */
export async function listAccountAudit(
  { db }: ReadDeps,
  userId: string,
  { partyId, ...filters }: AuditFilters & { partyId?: number | undefined },
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const memberships = await db.membership.findMany({
    where: { userId, ...(partyId === undefined ? {} : { partyId }) },
    select: { partyId: true },
  })
  const partyIds = memberships.map((membership) => membership.partyId)
  const where = { ...whereOf(filters), partyId: { in: partyIds } }
  const { entries, next } = await pageOfEvents(db, where, page)
  return { entries: entries.map((entry) => recordFor('party', entry)), next }
}

function whereOf({ since, until, ...equal }: AuditFilters): Prisma.AuditEventWhereInput {
  const { actorKind, action, subjectKind, subjectId } = equal
  return {
    ...(actorKind === undefined ? {} : { actorKind }),
    ...(action === undefined ? {} : { action }),
    ...(subjectKind === undefined ? {} : { subjectKind }),
    ...(subjectId === undefined ? {} : { subjectId }),
    at: {
      ...(since === undefined ? {} : { gte: new Date(since) }),
      ...(until === undefined ? {} : { lt: new Date(until) }),
    },
  }
}

async function pageOfEvents(
  db: Db,
  where: Prisma.AuditEventWhereInput,
  { after, limit }: PageRequest,
): Promise<Page<OperatorAuditRecord>> {
  const rows = await db.auditEvent.findMany({
    where: { ...where, ...(after === undefined ? {} : { id: { lt: BigInt(after[0] ?? 0) } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  return {
    entries: entries.map(recordOf),
    next: rows.length > limit && last ? [String(last.id)] : undefined,
  }
}

function recordOf(row: Prisma.AuditEventGetPayload<object>): OperatorAuditRecord {
  return {
    id: Number(row.id),
    at: row.at,
    actor: { kind: row.actorKind as OperatorAuditRecord['actor']['kind'], id: row.actorId },
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId },
    before: row.before as OperatorAuditRecord['before'],
    after: row.after as OperatorAuditRecord['after'],
    address: row.address,
    developerId: row.developerId,
    partyId: row.partyId,
  }
}
