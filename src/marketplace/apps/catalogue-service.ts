import { hash } from 'node:crypto'
import { jsonInTicks } from '../../base/concurrency/json-in-ticks.ts'
import type { Prisma } from '../../base/database/generated/client.ts'
import { PAGE_BYTES_MAX } from '../../base/database/page-bytes.ts'
import { withoutDeadline } from '../../base/fair-share/deadline.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import { type ByteCache, createByteCache } from '../../base/values/byte-cache.ts'
import { textIn } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { OfferedPartyType } from '../../base/values/party-type.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { appOf, PublicApp, publicAppOf } from './app-record.ts'
import { type Quote, quote } from './pricing/quotes.ts'
import { findApp, pageOfApps, type StoredApp } from './read-apps-service.ts'
import { purchaseOptionOf } from './stored-definition.ts'
import { LISTED, VISIBLE_TO_ALL } from './visibility/visible-apps-service.ts'

/** Further words of a search do not count: each is compared with three texts of each app. */
const SEARCHED_WORDS_MAX = 10

/** What is looked for in the catalogue. */
type CatalogueSearch = { partyType?: OfferedPartyType | undefined; q?: string | undefined }

/**
 * The apps that a search finds.
 *
 * @param among those that it is made among: the catalogue unless given
 */
export function foundBy(
  { partyType, q }: CatalogueSearch,
  among: Prisma.AppWhereInput = LISTED,
): Prisma.AppWhereInput {
  const words = new Set(
    searchForm(q ?? '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
  const inTexts = [...words].slice(0, SEARCHED_WORDS_MAX)
  return {
    ...(partyType === undefined ? {} : { partyTypes: { has: partyType } }),
    AND: [among, ...inTexts.map((word) => textIn(['name', 'description', 'id'], word))],
  }
}

/** A public app or a list of them in JSON, and the hash of that. */
type PublicAppBytes = { json: Buffer; sha256: string }

/** Public apps that are kept in memory, as they are answered. */
const KEPT_BYTES = 16 * 1_048_576

/** Of each database: an app at a revision -> the app as it is answered. */
const caches = new WeakMap<Deps['pool'], ByteCache<Promise<PublicAppBytes>>>()

function cacheOf(pool: Deps['pool']) {
  const made = caches.get(pool) ?? createByteCache<Promise<PublicAppBytes>>(KEPT_BYTES)
  caches.set(pool, made)
  return made
}

/** What tells that a public app is another one. */
const STATE = {
  id: true,
  revision: true,
  listingRevision: true,
  updatedAt: true,
  developer: { select: { name: true } },
} as const satisfies Prisma.AppSelect

/**
 * The public catalogue, in the order of ids, each app in JSON, which is written once: the database is
 * asked each time which are listed, and which revisions they have. A page ends early when the apps
 * are large.
 */
export async function listCatalogue(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  search: CatalogueSearch,
  { after, limit }: PageRequest,
): Promise<Page<PublicAppBytes>> {
  const states = await db.app.findMany({
    where: {
      AND: [foundBy(search), after === undefined ? {} : { id: { gt: String(after[0]) } }],
      deletedAt: null,
    },
    select: STATE,
    orderBy: { id: 'asc' },
    take: limit + 1,
  })
  const wanted = states.slice(0, limit)
  const known = cacheOf(pool)
  const found = new Map(wanted.map((state) => [state.id, known.get(keyOf(state))]))
  const missing = wanted.filter(({ id }) => found.get(id) === undefined)
  const read = await readApps({ db, pool }, missing)
  const entries: PublicAppBytes[] = []
  let bytes = 0
  let last: string | undefined
  for (const { id } of wanted) {
    const app = (await found.get(id)?.catch(noneIfGone)) ?? read.apps.get(id)
    bytes += app?.json.length ?? 0
    const isFull = entries.length > 0 && bytes > PAGE_BYTES_MAX
    if (isFull || (app === undefined && read.cutAt !== undefined && id > read.cutAt)) break
    last = id
    // One that has just gone from the catalogue is left out.
    if (app !== undefined) entries.push(app)
  }
  const isContinued = last !== undefined && last !== states.at(-1)?.id
  return { entries, next: isContinued ? [last as string] : undefined }
}

/** A list of apps in JSON, which is put together once: everybody asks for the same pages. */
export function joinApps(
  { pool }: Pick<Deps, 'pool'>,
  apps: readonly PublicAppBytes[],
): Promise<PublicAppBytes> {
  const sha256 = hash('sha256', apps.map((app) => app.sha256).join(' '), 'base64url')
  const known = cacheOf(pool).get(sha256)
  if (known !== undefined) return known
  const texts = apps.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]))
  const json = Buffer.concat([OPENING, ...texts, CLOSING])
  const joined = Promise.resolve({ json, sha256 })
  cacheOf(pool).set(sha256, joined, json.length)
  return joined
}

const OPENING = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSING = Buffer.from(']')

type AppState = Prisma.AppGetPayload<{ select: typeof STATE }>

function keyOf({ id, ...state }: AppState): string {
  return JSON.stringify([id, state])
}

/** For an app that another request was reading when it went from the catalogue. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error
}

/**
 * Reads the first of some apps, as many as fit into a page, and keeps them.
 *
 * @returns them by id, and the id of the last one when not all fitted
 */
async function readApps(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  states: readonly AppState[],
): Promise<{ apps: Map<string, PublicAppBytes>; cutAt: string | undefined }> {
  const apps = new Map<string, PublicAppBytes>()
  if (states.length === 0) return { apps, cutAt: undefined }
  const keys = new Map(states.map((state) => [state.id, keyOf(state)]))
  const { entries, next } = await pageOfApps(
    db,
    { ...LISTED, id: { in: [...keys.keys()] } },
    { after: undefined, limit: states.length },
  )
  for (const app of entries) {
    const { id } = app.definition
    const written = await writeApp(app)
    apps.set(id, written)
    cacheOf(pool).set(keys.get(id) ?? '', Promise.resolve(written), written.json.length)
  }
  return { apps, cutAt: next && String(next[0]) }
}

/**
 * An app that everybody finds in JSON, as the catalogue has it: a listed or an unlisted one.
 *
 * @throws AppError not_found
 */
export async function readCatalogueApp(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  id: string,
): Promise<PublicAppBytes> {
  const state = await db.app.findFirst({
    where: { id, deletedAt: null, ...VISIBLE_TO_ALL },
    select: STATE,
  })
  if (state === null) throw new AppError('not_found')
  const known = cacheOf(pool)
  const key = keyOf(state)
  const found = known.get(key)
  if (found !== undefined) return found
  // Others wait for it, too: it does not end with the request that began it.
  const made = withoutDeadline(async () => writeApp(await findApp(db, id, VISIBLE_TO_ALL)))
  known.set(key, made, 0)
  made.then(
    ({ json }) => known.grow(key, made, json.length),
    () => known.remove(key, made),
  )
  return made
}

/** Writes an app, each step with a large one in a tick of the event loop. */
async function writeApp({ definition, facts }: StoredApp): Promise<PublicAppBytes> {
  await nextTick()
  const app = publicAppOf(appOf(definition, facts))
  await nextTick()
  const json = await jsonInTicks(PublicApp.encode(app))
  return { json, sha256: hash('sha256', json, 'base64url') }
}

/**
 * What a purchase option of an app that everybody finds costs for a number of products.
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
    where: { id: appId, deletedAt: null, ...VISIBLE_TO_ALL },
    select: { latest: { select: { purchaseOptions: { where: { id: purchaseOptionId } } } } },
  })
  const option = app?.latest?.purchaseOptions[0]
  if (option === undefined) throw new AppError('not_found')
  return quote(purchaseOptionOf(option), records ?? null)
}
