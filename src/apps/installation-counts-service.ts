import type { Deps } from '../deps.ts'
import { COUNTED_MAX } from '../values/page-of-list.ts'

/**
 * How many live installations each of some apps has, counted up to COUNTED_MAX: the time does not
 * grow with the number.
 */
export async function countInstallations(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT app.id, (
      SELECT count(*)::int FROM (
        SELECT FROM installations i
        WHERE i.app_id = app.id AND i.live LIMIT ${COUNTED_MAX}) AS counted) AS count
    FROM unnest(${[...appIds]}::text[]) AS app (id)`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** How many live installations there are, and how many of them are suspended; up to COUNTED_MAX. */
export async function countAllInstallations({ db }: Pick<Deps, 'db'>) {
  const inOrder = { orderBy: [{ installDate: 'asc' as const }, { id: 'asc' as const }] }
  const [all, suspended] = await Promise.all([
    db.installation.count({ where: { live: true }, ...inOrder, take: COUNTED_MAX }),
    db.installation.count({ where: { status: 'suspended' }, ...inOrder, take: COUNTED_MAX }),
  ])
  return { all, suspended }
}
