import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../page.ts'
import { cursorsFor, limitOf, nextLink } from './pagination.ts'

type ListQuery = { limit?: string | undefined; cursor?: string | undefined }

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
  const { cursorKey, config } = request.server.deps
  const cursors = cursorsFor(cursorKey, [scope, Object.entries(filters).sort()])
  const page = await load({
    after: cursor === undefined ? undefined : cursors.decode(cursor),
    limit: limitOf({ limit }),
  })
  if (page.next !== undefined) {
    reply.header('link', nextLink(config.publicUrl, request.url, cursors.encode(page.next)))
  }
  return page.entries
}
