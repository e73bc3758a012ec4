import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CursorKeys, cursorsFor } from '../base/values/cursors.ts'
import { nextLink, type Page, type PageRequest } from '../base/values/page-of-list.ts'
import { limitOf } from './pagination.ts'

type ListQuery = { limit?: number | undefined; cursor?: string | undefined }

/**
 * Answers one page of a list as a bare array, with a `Link` header when more exist.
 *
 * @param scope names the list and whose it is: a cursor works nowhere else
 * @throws AppError invalid_cursor
 */
export async function answerPage<Entry>(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: readonly unknown[],
  load: (page: PageRequest) => Promise<Page<Entry>>,
): Promise<Entry[]> {
  const { limit, cursor, ...filters } = request.query as ListQuery & Record<string, unknown>
  const { cursorKeys, config } = request.server.deps
  const ofList = [scope, Object.entries(filters).sort()]
  const page = await loadPage(cursorKeys, ofList, { cursor, limit: limitOf({ limit }) }, load)
  if (page.cursor !== undefined) {
    reply.header('link', nextLink(config.publicUrl, request.url, { cursor: page.cursor }))
  }
  return page.entries
}

/**
 * Loads one page of a list.
 *
 * @param scope names the list, whose it is, and its filters: a cursor works nowhere else
 * @returns the entries, whether there are some before them, and the cursor of the next page if
 *   there is one
 * @throws AppError invalid_cursor
 */
export async function loadPage<Entry>(
  cursorKeys: CursorKeys,
  scope: readonly unknown[],
  { cursor, limit }: { cursor: string | undefined; limit: number },
  load: (page: PageRequest) => Promise<Page<Entry>>,
): Promise<{ entries: Entry[]; isContinued: boolean; cursor: string | undefined }> {
  const cursors = cursorsFor(cursorKeys, scope)
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const { entries, next } = await load({ after, limit })
  return {
    entries,
    isContinued: after !== undefined,
    cursor: next === undefined ? undefined : cursors.encode(next),
  }
}
