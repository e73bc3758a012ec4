import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { matchingTag } from '../base/values/etags.ts'
import type { App } from './app-type.ts'

/**
 * Gives what the routes of this scope answer the hash of its content and `Link` as `ETag`, unless it
 * has a tag already, and answers 304 to a client that has it.
 */
export function tagContent(app: App): void {
  app.addHook('onSend', function tagAnswer(request, reply, payload, done) {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
    const etag = tagOf(reply, payload)
    if (reply.statusCode !== 200 || etag === undefined) {
      done(null, payload)
      return
    }
    reply.header('etag', etag)
    const condition = request.headers['if-none-match']
    if (condition === undefined || matchingTag(condition, [etag]) === undefined) {
      done(null, payload)
      return
    }
    // The response that the client has says its type, and names the next page.
    reply.code(304).removeHeader('content-type').removeHeader('link')
    done(null, null)
  })
}

/** The tag that an answer has already, or the hash of its text. */
function tagOf(reply: FastifyReply, payload: unknown): string | undefined {
  const known = reply.getHeader('etag')
  if (typeof known === 'string' || typeof payload !== 'string') return known as string | undefined
  // A page with the same entries leads on once more come after it.
  const link = String(reply.getHeader('link') ?? '')
  return `"${hash('sha256', payload + link, 'base64url')}"`
}
