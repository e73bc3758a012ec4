import type { Db } from '../database/transaction.ts'

/**
 * A page of a list has at most so many bytes of definitions, or one entry: reading, checking and
 * writing them occupies the process.
 */
const PAGE_BYTES_MAX = 1024 * 1024

/**
 * How many versions, from the first on, a page may show: at least one. Postgres reads no definitions
 * after the one with which the page is full.
 */
export async function countVersionsThatFit(
  db: Db,
  versions: readonly { appId: string; version: string }[],
): Promise<number> {
  const appIds = versions.map(({ appId }) => appId)
  const names = versions.map(({ version }) => version)
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH RECURSIVE page (place, bytes) AS (
      SELECT 0, 0::bigint
      UNION ALL
      SELECT page.place + 1, page.bytes + definition.bytes
      FROM page CROSS JOIN LATERAL (
        SELECT octet_length(a.description) + octet_length(v.settings::text)
          + octet_length(v.permissions::text) + octet_length(v.acknowledgements::text)
          + (
            SELECT coalesce(sum(octet_length(o.name) + octet_length(o.description)), 0)
            FROM purchase_options o WHERE o.app_id = v.app_id AND o.version = v.version
          ) AS bytes
        FROM app_versions v JOIN apps a ON a.id = v.app_id
        WHERE v.app_id = (${appIds}::text[])[page.place + 1]
          AND v.version = (${names}::text[])[page.place + 1]
      ) AS definition
      WHERE page.bytes < ${PAGE_BYTES_MAX}
    )
    SELECT count(*)::int AS count FROM page
    WHERE place = 1 OR place > 1 AND bytes <= ${PAGE_BYTES_MAX}`
  return row?.count ?? 0
}
