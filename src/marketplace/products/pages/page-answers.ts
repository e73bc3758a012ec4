import { type Coding, chooseCoding } from '../../../base/compression/content-coding.ts'
import { createByteCache } from '../../../base/values/byte-cache.ts'
import { type CursorKeys, cursorsFor } from '../../../base/values/cursors.ts'
import { nextLink } from '../../../base/values/page-of-list.ts'
import { PRODUCT_HEADERS } from '../product-headers.ts'
import { keyTagOf, pageEtag, unchangedEtag } from './page-etag.ts'
import type { CatalogueViewer, ProductPage, ProductPages } from './page-in-memory.ts'
import { parseProductQuery, productQueryKey, type RawProductQuery } from './product-query.ts'

const LINK_CACHE_BYTES = 4 * 1024 * 1024

/** A request for a page of products, checked by the schema of its route. */
type ProductPageRequest = {
  viewer: CatalogueViewer & { installationId: string }
  filters: RawProductQuery
  limit: number
  cursor: string | undefined
  /** Path and query, which the link to the next page repeats. */
  url: string
  headers: { 'if-none-match'?: string | undefined; 'accept-encoding'?: string | undefined }
}

export type PageAnswer = {
  status: 200 | 304
  headers: Record<string, string>
  body: Buffer | undefined
  /** How many products it has. */
  count: number
}

/**
 * Not a promise when page and coding are in memory, because waiting for one takes longer than all
 * the rest.
 */
export type AnswerPage = (request: ProductPageRequest) => PageAnswer | Promise<PageAnswer>

/**
 * Makes the answers of `GET /v1/Products`: 304 while the client's page is unchanged, else the page
 * in the coding that the client prefers, with a link to the next one.
 *
 * The answers throw AppError invalid_cursor.
 */
export function createPageAnswers(
  pages: ProductPages,
  { cursorKeys, publicUrl }: { cursorKeys: CursorKeys; publicUrl: string },
): AnswerPage {
  const links = createLinks()
  let keyTag: string | undefined
  const fullTag = (tag: string) => {
    // With the first request: there are no keys where only the document of the routes is made.
    keyTag ??= keyTagOf(cursorKeys[0])
    return keyTag + tag
  }
  return ({ viewer, filters, limit, cursor, url, headers }) => {
    const query = parseProductQuery(filters)
    const cursors = () =>
      cursorsFor(cursorKeys, ['products', viewer.installationId, productQueryKey(query)])
    const after = cursor === undefined ? 0 : Number(cursors().decode(cursor)[0])
    const question = { query, after, limit }
    const name = pages.nameOf(viewer, question)

    const condition = headers['if-none-match']
    const etag =
      condition === undefined ? undefined : unchangedEtag(condition, fullTag(pages.tagOf(name)))
    if (etag !== undefined) return unchanged(etag)

    const linkTo = (next: number) => nextLink(publicUrl, url, { cursor: cursors().encode([next]) })
    const coding = chooseCoding(headers['accept-encoding'])
    const known = pages.known(name)
    if (known !== undefined) {
      const { next } = known
      const link =
        next === undefined
          ? undefined
          : links.of(`${viewer.installationId}|${next}|${url}`, () => linkTo(next))
      return found(pages, known, fullTag(known.tag), coding, link)
    }
    return pages.read(name, viewer, question).then((page) => {
      const link = page.next === undefined ? undefined : linkTo(page.next)
      return found(pages, page, fullTag(page.tag), coding, link)
    })
  }
}

function unchanged(etag: string): PageAnswer {
  return { status: 304, headers: { ...PRODUCT_HEADERS, etag }, body: undefined, count: 0 }
}

function found(
  pages: ProductPages,
  page: ProductPage,
  tag: string,
  coding: Coding | undefined,
  link: string | undefined,
): PageAnswer | Promise<PageAnswer> {
  const headers: Record<string, string> = {
    ...PRODUCT_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    etag: pageEtag(tag),
  }
  if (link !== undefined) headers.link = link
  const encoding = coding === undefined ? undefined : pages.encoded(page, coding)
  const { count } = page
  if (coding === undefined || encoding === undefined)
    return { status: 200, headers, body: page.body, count }
  headers['content-encoding'] = coding
  headers.etag = pageEtag(tag, coding)
  return encoding.then((body) => ({ status: 200, headers, body, count }))
}

/** The links of pages in memory: making a link takes longer than the rest of such an answer. */
function createLinks() {
  const known = createByteCache<string>(LINK_CACHE_BYTES)
  return {
    of(key: string, make: () => string): string {
      const found = known.get(key)
      if (found !== undefined) return found
      const link = make()
      known.set(key, link, link.length * 2)
      return link
    },
  }
}
