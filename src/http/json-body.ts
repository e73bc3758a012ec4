import type { FastifyInstance } from 'fastify'
import { AppError, jsonPointer } from '../errors.ts'

/** Of a JSON body; imports and uploads have limits of their own. */
export const BODY_LIMIT_BYTES = 1_048_576
const NESTING_LIMIT = 32
/** Keys that reach the prototype of an object when a program is careless with them. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads `application/json` strictly: UTF-8, bounded nesting, text that Postgres can store. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    // A merge patch (RFC 7396) is JSON whose meaning the endpoint knows.
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    // Clients send the type along even where there is nothing to say; what has to be said is
    // the route's schema to ask for.
    async (_request: unknown, body: unknown) =>
      (body as Buffer).length === 0 ? undefined : parseJsonBody(body as Buffer),
  )
}

/**
 * Parses a JSON text and refuses what no endpoint takes.
 *
 * @throws AppError invalid_request with a pointer to the first offence
 */
function parseJsonBody(body: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('invalid_request', { detail: 'The body is not JSON in UTF-8.' })
  }
  refuseHostileValues(value)
  return value
}

/** Walks without recursion: the nesting of the input is the client's choice. */
function refuseHostileValues(root: unknown): void {
  const stack: { value: unknown; path: readonly PropertyKey[] }[] = [{ value: root, path: [] }]
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, path } = entry
    if (typeof value === 'string') {
      const problem = textProblem(value)
      if (problem !== undefined) refuse(path, problem)
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      refuse(path, 'The number is too large.')
    } else if (typeof value === 'object' && value !== null) {
      if (path.length >= NESTING_LIMIT) {
        refuse(path.slice(0, 3), `The value is nested more than ${NESTING_LIMIT} deep.`)
      }
      for (const [key, child] of Object.entries(value)) {
        if (FORBIDDEN_KEYS.has(key)) refuse([...path, key], 'This name is not allowed.')
        const problem = textProblem(key)
        if (problem !== undefined) refuse(path, `A name in it: ${problem}`)
        stack.push({ value: child, path: [...path, key] })
      }
    }
  }
}

/** Why a text cannot be stored, or undefined. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'The text holds a NUL character.'
  if (!text.isWellFormed()) return 'The text holds half of a surrogate pair.'
  return undefined
}

function refuse(path: readonly PropertyKey[], detail: string): never {
  throw new AppError('invalid_request', {
    detail: 'The body has problems.',
    errors: [{ pointer: jsonPointer(path), detail }],
  })
}
