import type { Coding } from '../../compression/content-coding.ts'
import type { ByteCache } from '../../values/byte-cache.ts'
import type { Viewer } from '../visibility.ts'
import type { ProductQuery } from './product-query.ts'

/** Who looks, and the state of the catalogue that it sees, read after its request arrived. */
export type CatalogueViewer = Viewer & { catalogue: string }

/** A page as the body of its answer, shared by all who see the same catalogue. */
export type ProductPage = {
  /** The page through all states of its catalogue. */
  name: string
  /** The state of the catalogue: with the name all that the page depends on. */
  catalogue: string
  /** Names the page in this state, without quotes and coding. */
  tag: string
  body: Buffer
  /** Id of the last product when more follow it. */
  next: number | undefined
  encoded: Partial<Record<Coding, Promise<Buffer>>>
  /** Where its popularity is counted. */
  popularity: number
}
export type PageName = Pick<ProductPage, 'name' | 'catalogue'>

export type PageQuestion = { query: ProductQuery; after: number; limit: number }

/** Pages of products, from memory where they are known. */
export type ProductPages = {
  nameOf(viewer: CatalogueViewer, question: PageQuestion): PageName
  /** The tag of a page, which need not be known. */
  tagOf(name: PageName): string
  /** The page from memory. */
  known(name: PageName): ProductPage | undefined
  /** The page of a name, of one of these; from memory, or by a query. */
  read(name: PageName, viewer: CatalogueViewer, question: PageQuestion): Promise<ProductPage>
  /** The body in a coding, compressed once; undefined when it is too small to gain. */
  encoded(page: ProductPage, coding: Coding): Promise<Buffer> | undefined
  cache: Pick<ByteCache<ProductPage>, 'bytes' | 'entries'>
}
