import type { Deps } from '../../deps.ts'
import { type SuspensionCause, suspensionCauses } from './suspension-causes.ts'

const STATE = { suspendedAt: true, suspendedReason: true } as const

/** For each installation, what keeps it from working. */
export async function withSuspensions<Entry extends { id: string }>(
  { db }: Pick<Deps, 'db'>,
  entries: readonly Entry[],
): Promise<(Entry & { suspensions: SuspensionCause[] })[]> {
  const rows = await db.installation.findMany({
    where: { id: { in: entries.map(({ id }) => id) } },
    select: {
      ...STATE,
      id: true,
      status: true,
      suspendedBy: true,
      app: { select: { ...STATE, developer: { select: STATE } } },
      party: { select: STATE },
    },
  })
  const causes = new Map(rows.map((row) => [row.id, suspensionCauses(row)]))
  return entries.map((entry) => ({ ...entry, suspensions: causes.get(entry.id) ?? [] }))
}
