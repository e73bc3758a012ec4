import { Prisma } from '../../base/database/generated/client.ts'
import { fittingCount, PLACE } from '../../base/database/page-bytes.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { OperatorAuditRecord } from './audit-record.ts'

const ORDERS = { newest: Prisma.sql`DESC`, oldest: Prisma.sql`ASC` }

/** Entries of both tables have ids of one sequence. */
const COLUMNS = Prisma.sql`e.id, e.at, e.actor_kind, e.actor_id, e.actor_developer_id, e.address, e.action,
  e.subject_kind, e.subject_id, e.developer_id, e.party_id`

type EntryRow = {
  id: bigint
  at: Date
  actor_kind: OperatorAuditRecord['actor']['kind']
  actor_id: string | null
  actor_developer_id: string | null
  address: string | null
  action: string
  subject_kind: string
  subject_id: string
  developer_id: string | null
  party_id: number | null
  before: OperatorAuditRecord['before']
  after: OperatorAuditRecord['after']
  is_continued: boolean
}

/**
 * The first entries that meet one or more conditions, in the order of their ids: at most `limit`,
 * and no more than fit into one page by their bytes. An entry may have 1 MiB: Postgres unpacks
 * `before` and `after` of no entry behind the page.
 *
 * @param alternatives conditions on `e`; each one has an index that gives its entries in order
 * @param options.changesOnly without what is counted by the hour
 * @returns isContinued: whether there are more
 */
export async function readEntries(
  db: Db,
  alternatives: readonly Prisma.Sql[],
  options: { limit: number; first: keyof typeof ORDERS; changesOnly: boolean },
): Promise<{ entries: OperatorAuditRecord[]; isContinued: boolean }> {
  const inOrder = Prisma.sql`ORDER BY e.id ${ORDERS[options.first]}`
  const firstOnes = Prisma.sql`${inOrder} LIMIT ${options.limit + 1}`
  const found = alternatives.map((condition) => {
    const changes = Prisma.sql`(
      SELECT ${COLUMNS}, e.before, e.after FROM audit_events e WHERE ${condition} ${firstOnes})`
    if (options.changesOnly) return changes
    return Prisma.sql`${changes} UNION ALL (
      SELECT ${COLUMNS}, NULL::jsonb, jsonb_build_object('count', e.count, 'lastAt',
        to_char(e.last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM audit_counts e WHERE ${condition} ${firstOnes})`
  })
  const rows = await db.$queryRaw<EntryRow[]>`
    WITH found AS MATERIALIZED (
      SELECT DISTINCT ON (e.id) * FROM (${Prisma.join(found, ' UNION ALL ')}) AS e ${firstOnes}
    ), ids AS MATERIALIZED (
      SELECT array_agg(e.id ${inOrder}) AS list FROM found e
    ), page AS MATERIALIZED (
      SELECT CASE WHEN (${ALL_SMALL}) THEN ${options.limit}::int
        ELSE least(${options.limit}::int, ${fittingCount(BYTES_OF_ENTRY)}) END AS size
    )
    SELECT e.*, (SELECT cardinality(list) > size FROM ids, page) AS is_continued
    FROM found e ${inOrder} LIMIT (SELECT size FROM page)`
  return { entries: rows.map(entryOf), isContinued: rows[0]?.is_continued ?? false }
}

/** Whether a page has room for all that was found: told by what is stored, when none is compressed. */
const ALL_SMALL = Prisma.sql`
  SELECT count(pg_column_compression(before)) + count(pg_column_compression(after)) = 0
    AND coalesce(sum(pg_column_size(before)), 0) + coalesce(sum(pg_column_size(after)), 0) < 500000
  FROM found`

/** A counted entry is small. */
const BYTES_OF_ENTRY = Prisma.sql`
  SELECT coalesce((
    SELECT coalesce(octet_length(e.before::text), 0) + coalesce(octet_length(e.after::text), 0)
    FROM audit_events e WHERE e.id = (SELECT list FROM ids)[${PLACE}]
  ), 0) AS bytes
  WHERE ${PLACE} <= cardinality((SELECT list FROM ids))`

function entryOf(row: EntryRow): OperatorAuditRecord {
  return {
    id: Number(row.id),
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id },
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    before: row.before,
    after: row.after,
    actorDeveloperId: row.actor_developer_id,
    address: row.address,
    developerId: row.developer_id,
    partyId: row.party_id,
  }
}
