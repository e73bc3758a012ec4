import { COUNTED_IN_ROW_MAX } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'

type ReadDeps = Pick<Deps, 'db'>

/**
 * How many members and connections each of some parties has, counted up to COUNTED_IN_ROW_MAX.
 * The order makes Postgres read by the index, however common a party is.
 */
export async function countsOfParties({ db }: ReadDeps, ids: readonly number[]) {
  const rows = await db.$queryRaw<{ id: number; members: number; connections: number }[]>`
    SELECT p.id,
      (SELECT count(*)::int FROM (
        SELECT FROM memberships m WHERE m.party_id = p.id LIMIT ${COUNTED_IN_ROW_MAX}) AS counted) AS members,
      (SELECT count(*)::int FROM (
        SELECT FROM connections c WHERE c.buyer_id = p.id
        ORDER BY c.buyer_id, c.seller_id LIMIT ${COUNTED_IN_ROW_MAX}) AS counted)
      + (SELECT count(*)::int FROM (
        SELECT FROM connections c WHERE c.seller_id = p.id
        ORDER BY c.seller_id, c.buyer_id LIMIT ${COUNTED_IN_ROW_MAX}) AS counted)
        AS connections
    FROM unnest(${[...ids]}::int[]) AS p (id)`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** How many members and kept apps each of some developers has, counted up to COUNTED_IN_ROW_MAX. */
export async function countsOfDevelopers({ db }: ReadDeps, ids: readonly string[]) {
  const rows = await db.$queryRaw<{ id: string; members: number; apps: number }[]>`
    SELECT d.id,
      (SELECT count(*)::int FROM (
        SELECT FROM developer_members m WHERE m.developer_id = d.id LIMIT ${COUNTED_IN_ROW_MAX}) AS counted)
        AS members,
      (SELECT count(*)::int FROM (
        SELECT FROM apps a WHERE a.developer_id = d.id AND a.deleted_at IS NULL
        LIMIT ${COUNTED_IN_ROW_MAX}) AS counted) AS apps
    FROM unnest(${[...ids]}::uuid[]) AS d (id)`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Whether users have a second factor, and when each signed in last, to the hour if it was often. */
export async function signInsOfUsers({ db }: ReadDeps, ids: readonly string[]) {
  const rows = await db.$queryRaw<{ id: string; hasFactor: boolean; signedInAt: Date | null }[]>`
    SELECT u.id,
      EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
        AS "hasFactor",
      (SELECT c.last_at FROM audit_counts c
        WHERE c.subject_id = u.id::text AND c.action = 'user.signed_in'
        ORDER BY c.id DESC LIMIT 1) AS "signedInAt"
    FROM unnest(${[...ids]}::uuid[]) AS u (id)`
  return new Map(rows.map(({ id, ...signIns }) => [id, signIns]))
}
