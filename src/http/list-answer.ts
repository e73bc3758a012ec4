import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../auth/secret-box.ts'
import type { Page, PageRequest } from '../page.ts'
import { type Cursors, cursorsFor, limitOf, nextLink } from './pagination.ts'

type ListQuery = { limit?: string | undefined; cursor?: string | undefined }

/**
 * The cursors of one list with its filters.
 *
 * @param scope names the list and whose it is: a cursor works nowhere else
 */
export function listCursors(
  request: FastifyRequest,
  scope: readonly unknown[],
  filters: object,
): Cursors {
  const key = deriveKey(request.server.deps.secretKey, 'cursors')
  return cursorsFor(key, [scope, Object.entries(filters).sort()])
}

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
  const { config } = request.server.deps
  const cursors = listCursors(request, scope, filters)
  const page = await load({
    after: cursor === undefined ? undefined : cursors.decode(cursor),
    limit: limitOf({ limit }),
  })
  if (page.next !== undefined) {
    reply.header('link', nextLink(config.publicUrl, request.url, cursors.encode(page.next)))
  }
  return page.entries
}
