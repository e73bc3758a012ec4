import type { Coding } from '../../../base/compression/content-coding.ts'
import type { ByteCache } from '../../../base/values/byte-cache.ts'
import type { Viewer } from '../visibility.ts'
import type { ProductQuery } from './product-query.ts'

/** The viewer, and the state of the catalogue that it sees, read after its request arrived. */
export type CatalogueViewer = Viewer & { catalogue: string }

/** A page as the body of its answer, shared by all viewers of the same catalogue. */
export type ProductPage = {
  /** What the page is, whatever the state of its catalogue. */
  name: string
  /** The state of the catalogue. Together with the name it decides the content of the page. */
  catalogue: string
  /** The tag of the page in this state, without quotes and coding. */
  tag: string
  body: Buffer
  /** How many products it has. */
  count: number
  /** Id of the last product, when more products follow. */
  next: number | undefined
  encoded: Partial<Record<Coding, Promise<Buffer>>>
  /** The slot in which its popularity is counted. */
  popularity: number
}
export type PageName = Pick<ProductPage, 'name' | 'catalogue'>

export type PageQuestion = { query: ProductQuery; after: number; limit: number }

/** Pages of products, from memory where they are there. */
export type ProductPages = {
  nameOf(viewer: CatalogueViewer, question: PageQuestion): PageName
  /** The tag of a page, also of one that is not in memory. */
  tagOf(name: PageName): string
  /** The page from memory. */
  known(name: PageName): ProductPage | undefined
  /** The page of a name, from memory or by a query. */
  read(name: PageName, viewer: CatalogueViewer, question: PageQuestion): Promise<ProductPage>
  /** The body in a coding, compressed once; undefined when it is too small to gain. */
  encoded(page: ProductPage, coding: Coding): Promise<Buffer> | undefined
  cache: Pick<ByteCache<ProductPage>, 'bytes' | 'entries'>
}
