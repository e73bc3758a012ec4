import { Readable } from 'node:stream'
import { currentDeadline, deadlineIn, withDeadline } from '../fair-share/deadline.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'

/** How long a part may take to read. The first one counts towards the deadline of the request. */
const PART_MS = 8_000
const PART_ENTRIES = 500

type ListFile<Entry> = {
  /** What the file begins with. */
  head: string
  read: (page: PageRequest) => Promise<Page<Entry>>
  lineOf: (entry: Entry) => string
  /** Throws when the caller may no longer read. */
  checkAgain: () => Promise<unknown>
}

/**
 * A list as a file: read in parts, no faster than the client takes it.
 *
 * @returns the file, once its first part is read. A failure after that cuts it off
 */
export async function listAsFile<Entry>(file: ListFile<Entry>): Promise<Readable> {
  const { head, read, lineOf, checkAgain } = file
  const caller = currentDeadline()?.caller
  const part = (after: Page<Entry>['next']) => read({ after, limit: PART_ENTRIES })
  const linesOf = ({ entries }: Page<Entry>) => entries.map(lineOf).join('')
  async function* partsFrom(first: Page<Entry>): AsyncGenerator<string> {
    yield head + linesOf(first)
    let { next } = first
    while (next !== undefined) {
      const after = next
      const page = await withDeadline(deadlineIn(PART_MS, { caller }), async () => {
        await checkAgain()
        return await part(after)
      })
      yield linesOf(page)
      next = page.next
    }
  }
  const parts = partsFrom(await part(undefined))
  return Readable.from(parts, { objectMode: true, highWaterMark: 1 })
}
