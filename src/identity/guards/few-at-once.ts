import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBound } from '../../base/fair-share/bound.ts'
import { AppError } from '../../errors.ts'
import { stateOf } from '../../http/observability/request-state.ts'

/** How many requests about whole definitions a process serves at once for one developer or user. */
const AT_ONCE_MAX = 8
const RETRY_AFTER_SECONDS = 1
/** A definition that is shorter takes no time worth the name. */
const SHORT_BYTES = 65_536

const places = createBound<string>({ each: AT_ONCE_MAX })

/**
 * Lets a developer or a user have few requests about whole definitions at once: one takes up to a
 * tenth of a second of processor time. For routes whose guard lets them in.
 *
 * @throws AppError too_many_requests
 */
export async function fewAtOnce(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method, headers } = request
  // Where the body comes in pieces, its length is not known.
  if (method !== 'GET' && Number(headers['content-length']) < SHORT_BYTES) return
  const { whom, id } = callerOf(request)
  const giveBack = places.take(id)
  if (giveBack === undefined) {
    throw new AppError('too_many_requests', {
      detail: `A ${whom} may have ${AT_ONCE_MAX} requests about whole definitions at once. Wait until one has ended.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  finished(reply.raw, giveBack)
}

function callerOf(request: FastifyRequest): { whom: 'developer' | 'user'; id: string } {
  const { principal } = stateOf(request)
  if (principal?.kind === 'developer') return { whom: 'developer', id: principal.developerId }
  if (principal?.kind === 'user') return { whom: 'user', id: principal.userId }
  throw new Error('the guard of the route lets in neither developers nor users')
}
