import type { Db } from '../database/transaction.ts'

/** A page of a list has at most so many bytes of settings and of their definitions, or one entry. */
const PAGE_BYTES_MAX = 1024 * 1024

type Listed = { id: string; appId: string; installedVersion: string }

/**
 * How many installations, from the first on, a page may show: at least one. The definition of a
 * version that several of them have is read once, so it counts once. Postgres reads nothing after
 * the installation with which the page is full.
 */
export async function countInstallationsThatFit(
  db: Db,
  installations: readonly Listed[],
): Promise<number> {
  const ids = installations.map(({ id }) => id)
  const seen = new Set<string>()
  const isFirst = installations.map(({ appId, installedVersion }) => {
    const known = seen.size
    return seen.add(JSON.stringify([appId, installedVersion])).size > known
  })
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH RECURSIVE page (place, bytes) AS (
      SELECT 0, 0::bigint
      UNION ALL
      SELECT page.place + 1, page.bytes + entry.bytes
      FROM page CROSS JOIN LATERAL (
        SELECT octet_length(i.body)
          + (
            SELECT coalesce(sum(octet_length(s.secret)), 0)
            FROM setting_values s WHERE s.installation_id = i.id
          )
          + CASE WHEN (${isFirst}::boolean[])[page.place + 1] THEN (
            SELECT octet_length(v.settings::text) + octet_length(v.permissions::text)
              + octet_length(v.acknowledgements::text)
            FROM app_versions v WHERE v.app_id = i.app_id AND v.version = i.installed_version
          ) ELSE 0 END AS bytes
        FROM installations i WHERE i.id = (${ids}::uuid[])[page.place + 1]
      ) AS entry
      WHERE page.bytes < ${PAGE_BYTES_MAX}
    )
    SELECT count(*)::int AS count FROM page
    WHERE place = 1 OR place > 1 AND bytes <= ${PAGE_BYTES_MAX}`
  return row?.count ?? 0
}
