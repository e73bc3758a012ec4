import type { Prisma } from '../../base/database/generated/client.ts'
import type { Deps } from '../../deps.ts'
import type { RecentReport } from './recent-report.ts'

type ReadDeps = Pick<Deps, 'db' | 'now'>

/** How long the pages show a report. */
const REPORT_SHOWN_DAYS = 7
const SHOWN_MAX = 5

/** The secrets of a developer that were reported in the last days, newest first. */
export function recentReports(deps: ReadDeps, developerId: string): Promise<RecentReport[]> {
  return reportsOf(deps, { developerId })
}

/**
 * The secrets of a user, and of the accounts whose admin the user is, that were reported in the last
 * days, newest first.
 */
export async function recentReportsToUser(deps: ReadDeps, userId: string): Promise<RecentReport[]> {
  const memberships = await deps.db.membership.findMany({
    where: { userId, role: 'admin' },
    select: { partyId: true },
  })
  const partyId = { in: memberships.map((membership) => membership.partyId) }
  return reportsOf(deps, { OR: [{ subjectKind: 'user', subjectId: userId }, { partyId }] })
}

async function reportsOf(
  { db, now }: ReadDeps,
  owner: Prisma.AuditEventWhereInput,
): Promise<RecentReport[]> {
  const since = new Date(now().getTime() - REPORT_SHOWN_DAYS * 86_400_000)
  const rows = await db.auditEvent.findMany({
    where: { ...owner, action: 'secret.reported', at: { gt: since } },
    orderBy: { id: 'desc' },
    take: SHOWN_MAX,
  })
  return rows.map(({ after, subjectId, at }) => {
    const { kind = '', purpose } = (after ?? {}) as { kind?: string; purpose?: string }
    return { kind, purpose, subjectId, at }
  })
}
