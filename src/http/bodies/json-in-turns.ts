import type { FastifyReply } from 'fastify'
import { $ZodType, safeEncode } from 'zod/v4/core'
import { hold } from '../../concurrency/deadline.ts'
import { nextTurn } from '../../concurrency/next-turn.ts'
import type { App } from '../app-type.ts'
import { stateOf } from '../observability/request-state.ts'

/** So many characters of JSON are written at once: that takes up to a millisecond. */
const PIECE_LENGTH = 65_536
/** An object of fewer characters is written at once. */
const SHORT_LENGTH = 4096

/**
 * Writes the answers of requests that hold much in turns of the event loop: a record of megabytes
 * would take tens of milliseconds to be checked and written at once. The others go on at once.
 */
export function writeLongAnswersInTurns(app: App): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
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
    encodedInTurns(schema, payload).then((json) => {
      if (json !== undefined) reply.serializer(asItIs)
      done(null, json ?? payload)
    }, refuse)
  })
}

/** Headers that lead a client on from the answer, which must not come with a refusal in its place. */
const OF_THE_ANSWER = ['etag', 'link']

/** Takes away the headers of an answer that is refused after all. */
export function withoutItsHeaders(reply: FastifyReply): void {
  for (const name of OF_THE_ANSWER) reply.removeHeader(name)
}

const asItIs = (json: unknown) => json as string

/** Of answers that are no problems. */
function schemaOf(responses: unknown, status: number): $ZodType | undefined {
  const schema = (responses as Record<number, unknown> | undefined)?.[status]
  return status < 400 && schema instanceof $ZodType ? schema : undefined
}

/** Undefined when the answer does not fit its schema: Fastify says so. */
async function encodedInTurns(schema: $ZodType, payload: unknown): Promise<Buffer | undefined> {
  await nextTurn()
  const encoded = safeEncode(schema, payload as never)
  return encoded.success ? jsonInTurns(encoded.data) : undefined
}

/**
 * The JSON of a value, as `JSON.stringify` writes it, a piece in a turn of the event loop.
 *
 * @throws AppError too_many_requests when the caller holds too much already
 */
export async function jsonInTurns(value: unknown): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  await nextTurn()
  for (const piece of jsonPieces(value)) {
    const part = Buffer.from(piece)
    parts.push(part)
    bytes += part.length
    hold(bytes, { isAnswer: true })
    await nextTurn()
  }
  return Buffer.concat(parts, bytes)
}

/** The same text in pieces of some tens of thousands of characters. */
export function* jsonPieces(value: unknown): Generator<string> {
  let written = ''
  function* write(one: unknown): Generator<string> {
    if (!isContainer(one) || isShort(one)) written += JSON.stringify(one) ?? 'null'
    else if (Array.isArray(one)) {
      for (const [index, entry] of one.entries()) {
        written += index === 0 ? '[' : ','
        yield* write(entry)
      }
      written += ']'
    } else {
      let separator = '{'
      for (const [name, member] of Object.entries(one)) {
        if (member === undefined) continue
        written += `${separator}${JSON.stringify(name)}:`
        separator = ','
        yield* write(member)
      }
      written += separator === '{' ? '{}' : '}'
    }
    if (written.length >= PIECE_LENGTH) {
      yield written
      written = ''
    }
  }
  yield* write(value)
  yield written
}

/** Whether a value has members that may be written one by one. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

/** Whether it is written at once: it holds nothing but a few short values. */
function isShort(container: object): boolean {
  let length = 0
  for (const member of Object.values(container)) {
    if (isContainer(member)) return false
    length += typeof member === 'string' ? member.length : 1
  }
  return length < SHORT_LENGTH
}
