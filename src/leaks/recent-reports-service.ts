import type { Deps } from '../deps.ts'
import type { RecentReport } from './recent-report.ts'

/** For so long the console tells of a report. */
const TOLD_DAYS = 7
const SHOWN_MAX = 5

/** The secrets of a developer that were reported in the last days, newest first. */
export async function recentReports(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  developerId: string,
): Promise<RecentReport[]> {
  const since = new Date(now().getTime() - TOLD_DAYS * 86_400_000)
  const rows = await db.auditEvent.findMany({
    where: { developerId, action: 'secret.reported', at: { gt: since } },
    orderBy: { id: 'desc' },
    take: SHOWN_MAX,
  })
  return rows.map(({ after, subjectId, at }) => ({
    kind: String((after as { kind?: unknown } | null)?.kind ?? ''),
    subjectId,
    at,
  }))
}
