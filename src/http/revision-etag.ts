import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type ExpectedRevisions, strongTags } from '../values/etags.ts'

/** The strong ETag of a revision of a resource. */
export function setRevision(reply: FastifyReply, revision: number): void {
  reply.header('etag', `"${revision}"`)
}

/**
 * The revisions that `If-Match` insists on; undefined when it is absent or `*`.
 *
 * @throws AppError precondition_failed when no revision can match it
 */
export function expectedRevisions(request: FastifyRequest): ExpectedRevisions {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const revisions = strongTags(header).filter((tag) => /^(0|[1-9]\d{0,14})$/.test(tag))
  if (revisions.length === 0) {
    throw new AppError('precondition_failed', {
      detail: 'If-Match takes the ETag of the resource as it was read.',
    })
  }
  return revisions.map(Number)
}
