import type { FastifyReply } from 'fastify'
import { $ZodType, safeEncode } from 'zod/v4/core'
import { jsonInTicks } from '../../base/concurrency/json-in-ticks.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import type { App } from '../app-type.ts'
import { stateOf } from '../observability/request-state.ts'

/**
 * Writes the answers of requests that hold much in ticks of the event loop: a record of megabytes
 * would take tens of milliseconds to be checked and written at once. The others go on at once.
 */
export function writeLongAnswersInTicks(app: App): void {
  app.addHook('preSerialization', function writeInTicks(request, reply, payload, done) {
    const isLong = stateOf(request).deadline?.holdsMuch
    const schema = isLong && schemaOf(request.routeOptions.schema?.response, reply.statusCode)
    if (!schema) {
      done(null, payload)
      return
    }
    const refuse = (error: Error) => {
      withoutItsHeaders(reply)
      done(error)
    }
    encodedInTicks(schema, payload).then((json) => {
      if (json !== undefined) reply.serializer(asItIs)
      done(null, json ?? payload)
    }, refuse)
  })
}

/** Headers that lead a client on from the answer, which must not come with a refusal in its place. */
const HEADERS_OF_SUCCESS = ['etag', 'link']

/** Takes away the headers of an answer that is refused after all. */
export function withoutItsHeaders(reply: FastifyReply): void {
  for (const name of HEADERS_OF_SUCCESS) reply.removeHeader(name)
}

const asItIs = (json: unknown) => json as string

/** Of answers that are no problems. */
function schemaOf(responses: unknown, status: number): $ZodType | undefined {
  const schema = (responses as Record<number, unknown> | undefined)?.[status]
  return status < 400 && schema instanceof $ZodType ? schema : undefined
}

/** Undefined when the answer does not fit its schema: Fastify says so. */
async function encodedInTicks(schema: $ZodType, payload: unknown): Promise<Buffer | undefined> {
  await nextTick()
  const encoded = safeEncode(schema, payload as never)
  return encoded.success ? jsonInTicks(encoded.data) : undefined
}
