import type { Deps } from '../deps.ts'
import { VISIBLE_PARTIES, type Viewer } from './visibility.ts'

/** How many products a party sees: what buckets of a tiered price are counted by. */
export async function countProducts(
  { db }: Pick<Deps, 'db'>,
  { partyId, partyType }: Viewer,
): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM products p WHERE p.party_id IN (${VISIBLE_PARTIES})`,
    partyId,
    partyType,
  )
  return row?.count ?? 0
}
