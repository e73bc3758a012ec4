/** A page of a list with the cursor of the next page; the last page has no cursor. */
export type Page<Item> = { items: Item[]; cursor: string | undefined }

/** A list that is read page by page, no faster than it is consumed. */
export type Paged<Item> = AsyncIterable<Item> & {
  /** Whole pages with their cursors. Keep a cursor to continue there later. */
  pages(): AsyncIterable<Page<Item>>
}

/**
 * Makes a list from a function that reads one page.
 *
 * @param isEnd whether the list ends with a page, although the page has a cursor
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
 * A query parameter of the `next` link of a response (RFC 8288). Only the parameter is used, so a
 * token never follows a link to another site.
 */
export function nextParameter(response: Response, name: string): string | undefined {
  const [, address] =
    /<([^<>]*)>\s*;\s*rel="?next"?/i.exec(response.headers.get('link') ?? '') ?? []
  if (address === undefined) return undefined
  return new URL(address, 'http://relative.invalid').searchParams.get(name) ?? undefined
}
