import type { Client } from '../generated/client/index.ts'
import {
  listProductChanges,
  listProducts,
  readOwnInstallation,
  readProfile,
} from '../generated/sdk.gen.ts'
import type {
  ImportResult,
  Installation,
  ListedProduct,
  ListProductsData,
  Product,
  ProductChange,
  Profile,
} from '../generated/types.gen.ts'
import type { Connection } from '../transport/connection.ts'
import { type ImportRequest, importFile } from './import.ts'
import { readNdjson } from './ndjson.ts'
import { nextParameter, type Paged, paged } from './paged.ts'

export type ProductQuery = NonNullable<ListProductsData['query']>

/** A whole product, or the part of it that `fields` name where a query may have them. */
export type QueriedProduct<Query> = 'fields' extends keyof Query ? ListedProduct : Product
type NoQuery = Record<never, never>

/** The calls of one installation with its own token, on a server or in a browser. */
export type InstallationData = {
  /** For generated calls that are not wrapped here. */
  client: Client
  /** Who the token acts for. */
  profile(): Promise<Profile>
  /** The installation's own record; settings need `settings:read`. */
  installation(): Promise<Installation>
  /** Products that match, page by page. A `cursor` continues an earlier list. */
  products<Query extends ProductQuery = NoQuery>(query?: Query): Paged<QueriedProduct<Query>>
  /**
   * All changes since a cursor; without a cursor, all products. Keep the last cursor of its
   * `pages()` for the next call.
   *
   * The iterator throws a MarketplaceError `cursor_expired` for a cursor older than 30 days.
   */
  changes(since?: { cursor?: string | undefined; limit?: number }): Paged<ProductChange>
  /** All products that match, in one stream. If it throws, the products so far are incomplete. */
  exportProducts<Query extends ProductQuery = NoQuery>(
    query?: Query,
  ): AsyncIterable<QueriedProduct<Query>>
  importProducts(request: ImportRequest): Promise<ImportResult>
}

/** The calls of one installation over a connection with its tokens. */
export function installationData(connection: Connection): InstallationData {
  const { client } = connection
  return {
    client,
    profile: async () => (await readProfile({ client })).data,
    installation: async () => (await readOwnInstallation({ client })).data,
    products: <Query extends ProductQuery>({ cursor: start, ...query }: ProductQuery = {}) =>
      paged(async (cursor) => {
        const { data, response } = await listProducts({ client, query: withCursor(query, cursor) })
        const items = data as QueriedProduct<Query>[]
        return { items, cursor: nextParameter(response, 'cursor') }
      }, start),
    changes: ({ cursor: start, ...query } = {}) =>
      paged(
        async (cursor) => {
          const { data, response } = await listProductChanges({
            client,
            query: withCursor(query, cursor),
          })
          return { items: data, cursor: nextParameter(response, 'cursor') }
        },
        start,
        ({ items }) => items.length === 0,
      ),
    async *exportProducts<Query extends ProductQuery>(query: ProductQuery = {}) {
      const headers = { accept: 'application/x-ndjson' }
      const { data } = await listProducts({ client, query, headers, parseAs: 'stream' })
      yield* readNdjson<QueriedProduct<Query>>(data as unknown as ReadableStream<Uint8Array>)
    },
    importProducts: (request) => importFile(connection, request),
  }
}

function withCursor<Query extends object>(query: Query, cursor: string | undefined) {
  return cursor === undefined ? query : { ...query, cursor }
}
