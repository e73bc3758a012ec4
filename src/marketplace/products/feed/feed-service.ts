import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { productJson } from '../pages/product-query.ts'
import { VISIBLE_PARTIES, type Viewer } from '../visibility.ts'
import { deletionsKnown, type FeedPlace, type FeedPosition } from './feed.ts'

export type ChangesPage = {
  /** The changes as a JSON array. */
  json: string
  count: number
  /** The position after these changes. */
  next: FeedPosition
}

/** Before the first product: ids begin at 1. */
const BEGINNING: FeedPlace = { revision: 0n, id: 0n }

/** Each of these costs a statement: a page with so many Sellers ends, however short it is. */
const SELLERS_MAX = 200

type Seller = { id: number; revision: bigint; feedFrom: bigint }

/**
 * The changes of the products that a party sees after a position, Seller by Seller, each Seller's
 * in the order of the commits. Nothing is skipped: a Seller's revisions are given out under a lock
 * that is held until the commit, so a reader that sees one revision sees all earlier ones.
 *
 * A Seller that the position does not know, for example after a new connection, sends all its
 * products. A Seller that the party no longer sees is left out without a word.
 *
 * @throws AppError cursor_expired when deletions after the position have been forgotten, or a Seller
 *   has not come so far
 */
export async function readChanges(
  { pool }: Pick<Deps, 'pool'>,
  viewer: Viewer,
  position: FeedPosition,
  limit: number,
): Promise<ChangesPage> {
  const sellers = await findSellers(pool, viewer)
  const empty = await findEmpty(
    pool,
    sellers.filter(({ id }) => !position.has(id)),
  )
  const next = new Map<number, FeedPlace>()
  const found: string[] = []
  let read = 0
  for (const seller of sellers) {
    const known = position.get(seller.id)
    if (known !== undefined) requireKnown(known, seller)
    if (empty.has(seller.id)) {
      next.set(seller.id, { revision: seller.revision })
      continue
    }
    // An empty page would say that there is nothing more.
    const isFull = found.length >= limit || (read >= SELLERS_MAX && found.length > 0)
    if (isCurrent(known, seller) || isFull) {
      if (known !== undefined) next.set(seller.id, known)
      continue
    }
    read += 1
    const from = known ?? { ...BEGINNING, begun: seller.revision }
    const rows = await readSeller(pool, seller, from, limit - found.length)
    const last = rows.at(-1)
    const hasMore = rows.length === limit - found.length && last !== undefined
    found.push(...rows.map(({ json }) => json))
    next.set(
      seller.id,
      hasMore
        ? { ...from, revision: BigInt(last.revision), id: BigInt(last.id) }
        : { revision: seller.revision },
    )
  }
  return { json: `[${found.join(',')}]`, count: found.length, next }
}

/**
 * A place beyond the Seller's revision is of products that are lost, for example because a backup
 * was restored: the next changes get the revisions that the reader has already.
 *
 * @throws AppError cursor_expired
 */
function requireKnown(place: FeedPlace, { revision, feedFrom }: Seller): void {
  const known = deletionsKnown(place)
  if (known >= feedFrom && known <= revision) return
  throw new AppError('cursor_expired', {
    detail:
      known < feedFrom
        ? 'Deletions since this cursor are no longer known. Begin again without a cursor.'
        : 'The products were put back to an earlier state. Begin again without a cursor.',
  })
}

function isCurrent(place: FeedPlace | undefined, { revision }: Seller): boolean {
  return place !== undefined && place.id === undefined && place.revision >= revision
}

async function findSellers(pool: Deps['pool'], { partyId, partyType }: Viewer): Promise<Seller[]> {
  const { rows } = await pool.query<{ id: number; revision: string; feedFrom: string }>({
    name: 'feed-sellers',
    text: `
      SELECT id, catalogue_revision::text AS revision, feed_from_revision::text AS "feedFrom"
      FROM parties WHERE id IN (${VISIBLE_PARTIES}) ORDER BY id`,
    values: [partyId, partyType],
  })
  return rows.map(({ id, revision, feedFrom }) => ({
    id,
    revision: BigInt(revision),
    feedFrom: BigInt(feedFrom),
  }))
}

/**
 * Which of the Sellers have nothing to send from the beginning, neither a product nor a deletion.
 * What they write after this was asked has later revisions.
 */
async function findEmpty(
  pool: Deps['pool'],
  sellers: readonly Seller[],
): Promise<ReadonlySet<number>> {
  if (sellers.length === 0) return new Set()
  const { rows } = await pool.query<{ id: number }>({
    name: 'feed-empty-sellers',
    text: `
      SELECT id FROM unnest($1::int[]) AS s (id)
      WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.party_id = s.id)
        AND NOT EXISTS (SELECT 1 FROM product_deletions d WHERE d.party_id = s.id)`,
    values: [sellers.map(({ id }) => id)],
  })
  return new Set(rows.map(({ id }) => id))
}

type ChangeRow = { revision: string; id: string; json: string }

/**
 * Changes of one Seller up to the revision at which it was read. A product that changed again after
 * that comes later.
 */
async function readSeller(
  pool: Deps['pool'],
  seller: Seller,
  { revision, id }: FeedPlace,
  limit: number,
): Promise<ChangeRow[]> {
  // After the largest id nothing of a revision is left.
  const from = id === undefined ? { revision: revision + 1n, id: 0n } : { revision, id }
  const values = [seller.id, from.revision, from.id, seller.revision, limit].map(String)
  const { rows } = await pool.query<ChangeRow>({
    name: 'read-changes',
    text: `
      (SELECT p.revision, p.id,
         '{"type":"upsert","id":' || p.id || ',"product":' || ${productJson()} || '}' AS json
       FROM products p
       WHERE p.party_id = $1 AND (p.revision, p.id) > ($2::bigint, $3::bigint)
         AND p.revision <= $4::bigint
       ORDER BY p.revision, p.id LIMIT $5::int)
      UNION ALL
      (SELECT d.revision, d.product_id, '{"type":"delete","id":' || d.product_id || '}'
       FROM product_deletions d
       WHERE d.party_id = $1 AND (d.revision, d.product_id) > ($2::bigint, $3::bigint)
         AND d.revision <= $4::bigint
       ORDER BY d.revision, d.product_id LIMIT $5::int)
      ORDER BY 1, 2 LIMIT $5::int`,
    values,
  })
  return rows
}
