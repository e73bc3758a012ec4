import { hash } from 'node:crypto'
import { withoutDeadline } from '../concurrency/deadline.ts'
import { nextTurn } from '../concurrency/next-turn.ts'
import type { Prisma } from '../database/generated/client.ts'
import type { Db } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type ByteCache, createByteCache } from '../values/byte-cache.ts'
import { textIn } from '../values/keyset.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'
import type { OfferedPartyType } from '../values/party-type.ts'
import { searchForm } from '../values/text-forms/canonical.ts'
import { appOf, PublicApp, publicAppOf } from './app-record.ts'
import { type Quote, quote } from './pricing/quotes.ts'
import { findApp, pageOfApps } from './read-apps-service.ts'
import { purchaseOptionOf } from './stored-definition.ts'

/** Further words of a search do not count: each is compared with three texts of each app. */
const SEARCHED_WORDS_MAX = 10

/** Apps that are not suspended, and whose developers are not. */
export const NOT_SUSPENDED = {
  suspendedAt: null,
  developer: { suspendedAt: null },
} as const satisfies Prisma.AppWhereInput

/** Apps that everybody may see. */
export const LISTED = {
  listed: true,
  ...NOT_SUSPENDED,
} as const satisfies Prisma.AppWhereInput

/** Apps that somebody may see: the listed ones, and those of one's own sandbox. */
export function visibleTo(userId: string | undefined): Prisma.AppWhereInput {
  if (userId === undefined) return LISTED
  const ownSandbox = { sandboxParty: { memberships: { some: { userId } } } }
  return { ...NOT_SUSPENDED, OR: [{ listed: true }, { developer: ownSandbox }] }
}

/** What is looked for in the catalogue. */
type CatalogueSearch = { partyType?: OfferedPartyType | undefined; q?: string | undefined }

/** The apps of the catalogue that a search finds. */
export function foundBy({ partyType, q }: CatalogueSearch): Prisma.AppWhereInput {
  const words = new Set(
    searchForm(q ?? '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
  return {
    ...LISTED,
    ...(partyType === undefined ? {} : { partyTypes: { has: partyType } }),
    AND: [...words]
      .slice(0, SEARCHED_WORDS_MAX)
      .map((word) => textIn(['name', 'description', 'id'], word)),
  }
}

/** The public catalogue, in the order of ids. */
export async function listCatalogue(
  { db }: Pick<Deps, 'db'>,
  search: CatalogueSearch,
  page: PageRequest,
): Promise<Page<PublicApp>> {
  const { entries, next } = await pageOfApps(db, foundBy(search), page)
  return {
    entries: entries.map(({ definition, facts }) => publicAppOf(appOf(definition, facts))),
    next,
  }
}

/** Public apps that are kept in memory, as they are answered. */
const KEPT_BYTES = 16 * 1_048_576

/** A public app in JSON, and the hash of that. */
type PublicAppBytes = { json: Buffer; sha256: string }

/** Of each database: an app at a revision -> the app as it is answered. */
const caches = new WeakMap<Deps['pool'], ByteCache<Promise<PublicAppBytes>>>()

function cacheOf(pool: Deps['pool']) {
  const made = caches.get(pool) ?? createByteCache<Promise<PublicAppBytes>>(KEPT_BYTES)
  caches.set(pool, made)
  return made
}

/**
 * A listed app in JSON, which is written once: the database is asked each time whether it is listed,
 * and which revision it has.
 *
 * @throws AppError not_found when the app is not in the catalogue
 */
export async function readCatalogueApp(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  id: string,
): Promise<PublicAppBytes> {
  const state = await db.app.findFirst({
    where: { id, deletedAt: null, ...LISTED },
    select: { revision: true, updatedAt: true, developer: { select: { name: true } } },
  })
  if (state === null) throw new AppError('not_found')
  const known = cacheOf(pool)
  const key = JSON.stringify([id, state])
  const found = known.get(key)
  if (found !== undefined) return found
  // Others wait for it, too: it does not end with the request that began it.
  const made = withoutDeadline(() => writeCatalogueApp(db, id))
  known.set(key, made, 0)
  made.then(
    ({ json }) => known.grow(key, made, json.length),
    () => known.remove(key, made),
  )
  return made
}

/** Reads and writes an app, each step with a large one in a turn of the event loop. */
async function writeCatalogueApp(db: Db, id: string): Promise<PublicAppBytes> {
  const { definition, facts } = await findApp(db, id, LISTED)
  await nextTurn()
  const app = publicAppOf(appOf(definition, facts))
  await nextTurn()
  const encoded = PublicApp.encode(app)
  await nextTurn()
  const json = Buffer.from(JSON.stringify(encoded))
  return { json, sha256: hash('sha256', json, 'base64url') }
}

/**
 * What a purchase option of a listed app costs for a number of products.
 *
 * @throws AppError not_found; invalid_request for an absurd number, and for none where the
 *   price depends on it
 */
export async function quoteOption(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  purchaseOptionId: string,
  records: number | undefined,
): Promise<Quote> {
  // Nothing else of the definition: it may have 1 MiB.
  const app = await db.app.findFirst({
    where: { id: appId, deletedAt: null, ...LISTED },
    select: { latest: { select: { purchaseOptions: { where: { id: purchaseOptionId } } } } },
  })
  const option = app?.latest?.purchaseOptions[0]
  if (option === undefined) throw new AppError('not_found')
  return quote(purchaseOptionOf(option), records ?? null)
}
