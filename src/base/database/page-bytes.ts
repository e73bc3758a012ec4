import { Prisma } from './generated/client.ts'
import type { Db } from './transaction.ts'

/**
 * A page of a list has at most so many bytes of what its entries are made of, or one entry: reading,
 * checking and writing them occupies the process.
 */
export const PAGE_BYTES_MAX = 1024 * 1024

/** SQL of the place, from 1, of the entry whose bytes are asked for. */
export const PLACE = Prisma.sql`(page.place + 1)`

/**
 * SQL of how many entries of a list, from the first on, a page may have: at least one if there is
 * any. Postgres reads no entry after the one with which the page is full.
 *
 * @param bytesOfEntry SQL of a query for the column `bytes` of the entry at `PLACE`, with a row for
 *   each place that there is
 */
export function fittingCount(bytesOfEntry: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    WITH RECURSIVE page (place, bytes) AS (
      SELECT 0, 0::bigint
      UNION ALL
      SELECT page.place + 1, page.bytes + entry.bytes
      FROM page CROSS JOIN LATERAL (${bytesOfEntry}) AS entry
      WHERE page.bytes < ${PAGE_BYTES_MAX}
    )
    SELECT count(*)::int FROM page
    WHERE place = 1 OR place > 1 AND bytes <= ${PAGE_BYTES_MAX})`
}

/** The count of the entries that fit, read by a statement of its own. */
export async function countThatFit(db: Db, bytesOfEntry: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT ${fittingCount(bytesOfEntry)} AS count`
  return row?.count ?? 0
}
