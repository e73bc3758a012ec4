import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** The strong ETag of a revision of a resource. */
export function setRevision(reply: FastifyReply, revision: number): void {
  reply.header('etag', `"${revision}"`)
}

/**
 * The revision that `If-Match` insists on; undefined when it is absent or `*`.
 *
 * @throws AppError precondition_failed when no revision can match it
 */
export function expectedRevision(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const match = /^"(0|[1-9]\d{0,14})"$/.exec(header.trim())
  if (match?.[1] === undefined) {
    throw new AppError('precondition_failed', {
      detail: 'If-Match takes the ETag of the resource as it was read.',
    })
  }
  return Number(match[1])
}
