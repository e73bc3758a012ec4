import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import {
  hasDoubledNames,
  hasTooManyValues,
  hostileValue,
  VALUES_MAX,
} from '../../base/values/hostile-json.ts'
import { AppError } from '../../errors.ts'
import { readWholeBody } from './whole-body.ts'

/** The limit of a JSON body; imports and uploads have their own limits. */
export const BODY_LIMIT_BYTES = 1_048_576
/**
 * The limit of a body that anybody may send: many times what a name, a password and a return
 * address need.
 */
export const SIGN_IN_LIMIT_BYTES = 16_384

/** A longer body is parsed and checked in several ticks of the event loop. */
const LONG_BYTES = 65_536

export const JSON_TYPE = 'application/json'

const JSON_TYPES = [
  JSON_TYPE,
  // A merge patch (RFC 7396) is JSON whose meaning the endpoint knows.
  'application/merge-patch+json',
]

/** Reads `application/json` strictly: UTF-8, bounded nesting, text that Postgres can store. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser([JSON_TYPE, 'text/plain'])
  app.addContentTypeParser(
    JSON_TYPES,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readWholeBody(request, payload)
      // Clients send the content type even without a body. The schema of the route requires a body
      // where one is needed.
      return body.length === 0 ? undefined : parseJsonBody(body)
    },
  )
}

/** Takes no JSON in this scope. */
export function refuseJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(JSON_TYPES)
}

/**
 * Parses a JSON text and refuses what no endpoint takes.
 *
 * @throws AppError invalid_request with a pointer to the first offence
 */
async function parseJsonBody(body: Buffer): Promise<unknown> {
  const isLong = body.length > LONG_BYTES
  // Several may have come in this tick.
  if (isLong) await nextTick()
  if (hasTooManyValues(body)) {
    throw new AppError('invalid_request', {
      detail: `The body has more than ${VALUES_MAX.toLocaleString('en')} values and names.`,
    })
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('invalid_request', { detail: 'The body is not JSON in UTF-8.' })
  }
  if (isLong) await nextTick()
  const hostile = hostileValue(value)
  if (hostile !== undefined) {
    throw new AppError('invalid_request', { detail: 'The body has problems.', errors: [hostile] })
  }
  if (isLong) await nextTick()
  if (hasDoubledNames(body, value)) {
    throw new AppError('invalid_request', { detail: 'An object in the body has a name twice.' })
  }
  // The schema comes next.
  if (isLong) await nextTick()
  return value
}
