import type { Deps } from '../deps.ts'
import { VISIBLE_PARTIES, type Viewer } from './visibility.ts'

/**
 * How many products a party sees, which decides the buckets of a tiered price. The database keeps
 * the number with each party: triggers of `products` update it in the transaction of every write.
 */
export async function countProducts(
  { db }: Pick<Deps, 'db'>,
  { partyId, partyType }: Viewer,
): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
    `SELECT sum(p.product_count)::float8 AS count FROM parties p WHERE p.id IN (${VISIBLE_PARTIES})`,
    partyId,
    partyType,
  )
  return row?.count ?? 0
}
