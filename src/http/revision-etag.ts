import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExpectedRevisions, strongTags } from '../base/values/etags.ts'
import { AppError } from '../errors.ts'

/**
 * The strong ETag of a revision of a resource. A proxy that compressed the answer would make it a weak
 * one, which `If-Match` never matches: it is told not to (RFC 9110, 7.7).
 */
export function setRevision(reply: FastifyReply, revision: number): void {
  const policy = reply.getHeader('cache-control')
  const noTransform = policy === undefined ? 'no-transform' : `${policy}, no-transform`
  reply.headers({ etag: `"${revision}"`, 'cache-control': noTransform })
}

/**
 * The ETags that `If-Match` insists on, without their quotes; `*` for whatever there is, undefined
 * when it is absent.
 *
 * @param form of the ETags that the resource can have
 * @throws AppError precondition_failed when none of them can match
 */
export function expectedTags(
  request: FastifyRequest,
  form: RegExp,
): readonly string[] | '*' | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags = strongTags(header).filter((tag) => form.test(tag))
  if (tags.length > 0) return tags
  throw new AppError('precondition_failed', {
    detail: 'If-Match takes the ETag of the resource as it was read.',
  })
}

/** The revisions that `If-Match` takes, of a resource whose ETag is its revision. */
export function expectedRevisions(request: FastifyRequest): ExpectedRevisions {
  const tags = expectedTags(request, /^(0|[1-9]\d{0,14})$/)
  return tags === '*' ? undefined : tags?.map(Number)
}
