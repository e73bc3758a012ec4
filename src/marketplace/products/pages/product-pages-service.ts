import { compress, isCompressible } from '../../../base/compression/content-coding.ts'
import { currentDeadline, NO_DEADLINE } from '../../../base/fair-share/deadline.ts'
import { createMeasures, type Measures } from '../../../base/measures/measures.ts'
import { createByteCache, ENTRY_OVERHEAD_BYTES } from '../../../base/values/byte-cache.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { VISIBLE_PARTIES, type Viewer } from '../visibility.ts'
import { pageTag } from './page-etag.ts'
import type {
  CatalogueViewer,
  PageName,
  PageQuestion,
  ProductPage,
  ProductPages,
} from './page-in-memory.ts'
import { createPopularity } from './popularity.ts'
import { productJson } from './product-query.ts'
import { createPageReader, pageName, readPageAlone } from './read-page-service.ts'

type PageReads = Measures['pages']

/**
 * Makes the cache of pages. It is never stale: a page is found only under the state of the
 * catalogue that was read after the request arrived, and it is kept under the state that was read
 * in one snapshot with its rows. Requests that miss the same page share one query.
 *
 * A page replaces its own former state. A new page is kept when it is asked for again; once memory
 * is full, it must also be more popular than the page that it replaces. Most pages of a large
 * catalogue are read only once, and keeping them would cost the garbage collector much time.
 *
 * A replica may be behind: its page counts only when it is of the state that the check has read from
 * the primary.
 *
 * @param maxBytes bound of the bodies, compressed ones included
 * @param reads where hits, misses and joins are counted
 */
export function createProductPages(
  { pool, replica }: Pick<Deps, 'pool' | 'replica'>,
  maxBytes: number,
  reads: PageReads = createMeasures().pages,
): ProductPages {
  const cache = createByteCache<ProductPage>(maxBytes)
  const readPage = createPageReader()
  reads.kept = () => ({ bytes: cache.bytes(), entries: cache.entries() })
  const popularity = createPopularity(cache.entries)
  // Cleared when it is done: V8 may keep an old backing store of this Map until the next full
  // collection, and that store must not keep a page and its requests alive.
  const loading = new Map<string, Loading>()

  const known = ({ name, catalogue }: PageName) => {
    const page = cache.get(name)
    return page?.catalogue === catalogue ? page : undefined
  }
  const keep = (page: ProductPage) => {
    const former = cache.get(page.name)
    if (former !== undefined || isWorthKeeping(page))
      cache.set(page.name, page, heldBytes(page.body))
  }
  const isWorthKeeping = ({ body, popularity: slot }: ProductPage) => {
    const oldest = cache.oldest()
    const cost = heldBytes(body) + ENTRY_OVERHEAD_BYTES
    const hasRoom = oldest === undefined || maxBytes - cache.bytes() > cost
    return popularity.of(slot) > (hasRoom ? 1 : popularity.of(oldest.popularity))
  }
  const loadFresh = async (viewer: CatalogueViewer, question: PageQuestion) => {
    // A statement of its own, which ends with the time that the replica has.
    const copy = await replica?.read((copies) => readPageAlone(copies, viewer, question))
    if (copy?.catalogue === viewer.catalogue) return copy
    const page = await readPage(pool, viewer, question)
    if (page === undefined) throw new Error(`party ${viewer.partyId} is gone`)
    return page
  }
  const load = (key: string, viewer: CatalogueViewer, question: PageQuestion) => {
    const { atMs: untilMs } = currentDeadline() ?? NO_DEADLINE
    const entry: Loading = { promise: undefined, untilMs }
    const promise = loadFresh(viewer, question)
      .then((read) => {
        const page = { ...read, popularity: popularity.slotOf(read.name) }
        keep(page)
        return page
      })
      .finally(() => {
        entry.promise = undefined
        if (loading.get(key) === entry) loading.delete(key)
      })
    entry.promise = promise
    loading.set(key, entry)
    return promise
  }
  return {
    nameOf: ({ catalogue }, question) => ({ name: pageName(catalogue, question), catalogue }),
    tagOf: (name) => known(name)?.tag ?? pageTag(name.catalogue, name.name),
    known(name) {
      const page = known(name)
      if (page !== undefined) {
        popularity.count(page.popularity)
        reads.hits += 1
      }
      return page
    },
    async read(name, viewer, question) {
      const page = known(name)
      popularity.count(popularity.slotOf(name.name))
      if (page !== undefined) {
        reads.hits += 1
        return page
      }
      const key = keyOf(name)
      let isOlder = true
      for (let one = loading.get(key); one?.promise !== undefined; one = loading.get(key)) {
        const shared = await joined(one.promise, one.untilMs)
        // The query of another request may have begun before this request arrived. When the
        // catalogue was another one at that time (a connection was removed and added again), its
        // page may be too old. Of those that waited in vain the first one has begun a query after all
        // of them arrived.
        const isSame = shared?.name === name.name && shared.catalogue === name.catalogue
        if (shared !== undefined && (isSame || !isOlder)) {
          reads.joins += 1
          return shared
        }
        isOlder = false
      }
      reads.misses += 1
      return load(key, viewer, question)
    },
    encoded(page, coding) {
      if (!isCompressible(page.body)) return undefined
      page.encoded[coding] ??= compress(page.body, coding).then((bytes) => {
        cache.grow(page.name, page, heldBytes(bytes))
        return bytes
      })
      return page.encoded[coding]
    },
    cache,
  }
}

/** A page that a request reads: its query ends with the time of that request. */
type Loading = { promise: Promise<ProductPage> | undefined; untilMs: number }

/** The page that another request reads, or undefined when the time of that request ended before. */
async function joined(
  page: Promise<ProductPage>,
  untilMs: number,
): Promise<ProductPage | undefined> {
  try {
    return await page
  } catch (error) {
    if (performance.now() < untilMs) throw error
    return undefined
  }
}

/** How much memory a buffer keeps alive: for a slice, more than its length. */
function heldBytes({ buffer }: Buffer): number {
  return buffer.byteLength
}

function keyOf({ name, catalogue }: PageName): string {
  return `${catalogue}|${name}`
}

/**
 * One product that the installing party sees, as its JSON, and the revision of its last change.
 *
 * @throws AppError not_found when there is none, or it is not this party's to see
 */
export async function readProduct(
  { pool }: Pick<Deps, 'pool'>,
  viewer: Viewer,
  id: number,
): Promise<{ json: string; revision: number }> {
  const { rows } = await pool.query<{ json: string; revision: number }>({
    name: 'read-product',
    text: `
      SELECT ${productJson()} AS json, p.revision::float8
      FROM products p
      WHERE p.party_id IN (${VISIBLE_PARTIES}) AND p.id = $3`,
    values: [viewer.partyId, viewer.partyType, id],
  })
  const [product] = rows
  if (product === undefined) throw new AppError('not_found')
  return product
}
