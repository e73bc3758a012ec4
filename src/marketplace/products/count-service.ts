import type { Deps } from '../../deps.ts'
import { type Viewer, visiblePartiesOf } from './visibility.ts'

type CountDeps = Pick<Deps, 'db'>

/**
 * How many products a party sees, which decides the buckets of a tiered price. The database keeps
 * the number with each party: triggers of `products` update it in the transaction of every write.
 */
export async function countProducts(deps: CountDeps, viewer: Viewer): Promise<number> {
  return (await countProductsOfEach(deps, [viewer])).get(viewer.partyId) ?? 0
}

/** Counts the products of many parties in one statement: party id -> number of products. */
export async function countProductsOfEach(
  { db }: CountDeps,
  viewers: readonly Viewer[],
): Promise<Map<number, number>> {
  const rows = await db.$queryRawUnsafe<{ id: number; count: number }[]>(
    `SELECT v.id, (
       SELECT coalesce(sum(p.product_count), 0)::float8 FROM parties p
       WHERE p.id IN (${visiblePartiesOf('v.id', 'v.type')})) AS count
     FROM (SELECT DISTINCT id, type FROM unnest($1::int[], $2::text[]) AS u (id, type)) AS v`,
    viewers.map(({ partyId }) => partyId),
    viewers.map(({ partyType }) => partyType),
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}
