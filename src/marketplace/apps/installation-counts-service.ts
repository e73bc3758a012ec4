import { COUNTED_MAX } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'

/**
 * How many live installations each of some apps has: the time does not grow with the number.
 *
 * @param max how far is counted: COUNTED_MAX for one app, COUNTED_IN_LIST_MAX for a list
 */
export async function countInstallations(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT app.id, (
      SELECT count(*)::int FROM (
        SELECT FROM installations i
        WHERE i.app_id = app.id AND i.live LIMIT ${max}) AS counted) AS count
    FROM unnest(${[...appIds]}::text[]) AS app (id)`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** How many live installations each of some versions of an app has, counted up to COUNTED_MAX. */
export async function countInstallationsOfVersions(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ version: string; count: number }[]>`
    SELECT v.version, (
      SELECT count(*)::int FROM (
        SELECT FROM installations i
        WHERE i.app_id = ${appId} AND i.installed_version = v.version AND i.live
        LIMIT ${COUNTED_MAX}) AS counted) AS count
    FROM unnest(${[...versions]}::text[]) AS v (version)`
  return new Map(rows.map(({ version, count }) => [version, count]))
}

/** How many live installations each of some parties has, counted up to a number that means that or more. */
export async function countInstallationsOfParties(
  { db }: Pick<Deps, 'db'>,
  partyIds: readonly number[],
  max: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.$queryRaw<{ id: number; count: number }[]>`
    SELECT p.id, (
      SELECT count(*)::int FROM (
        SELECT FROM installations i
        WHERE i.party_id = p.id AND i.live LIMIT ${max}) AS counted) AS count
    FROM unnest(${[...partyIds]}::int[]) AS p (id)`
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

/** How many live installations of an app have one of its versions. */
export function countOnVersion(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  version: string,
): Promise<number> {
  return db.installation.count({ where: { appId, live: true, installedVersion: version } })
}
