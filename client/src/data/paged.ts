/** A page of a list, and where the list goes on; no cursor: this is the last page. */
export type Page<Item> = { items: Item[]; cursor: string | undefined }

/** A list that is read page by page, no faster than it is used. */
export type Paged<Item> = AsyncIterable<Item> & {
  /** Whole pages with their cursors: keep a cursor to go on there later. */
  pages(): AsyncIterable<Page<Item>>
}

/**
 * A list by what reads one of its pages.
 *
 * @param isEnd whether a page ends the list, although it says how to go on
 */
export function paged<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  start: string | undefined,
  isEnd: (page: Page<Item>) => boolean = () => false,
): Paged<Item> {
  async function* pages() {
    let cursor = start
    while (true) {
      const page = await read(cursor)
      yield page
      if (page.cursor === undefined || isEnd(page)) return
      cursor = page.cursor
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items
    },
  }
}

/**
 * A parameter of the address that a response says to go on with (RFC 8288). Only the parameter is
 * taken: a token never follows an address to somewhere else.
 */
export function nextParameter(response: Response, name: string): string | undefined {
  const [, address] =
    /<([^<>]*)>\s*;\s*rel="?next"?/i.exec(response.headers.get('link') ?? '') ?? []
  if (address === undefined) return undefined
  return new URL(address, 'http://relative.invalid').searchParams.get(name) ?? undefined
}
