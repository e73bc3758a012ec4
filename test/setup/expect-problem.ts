import { expect } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts'
import type { Answer } from './client.ts'

/** What must never leave the process: stacks, paths, SQL and the names of our libraries. */
const INTERNALS =
  /node_modules|\.ts:\d|\bat .+:\d+:\d+|\/src\/|SELECT .+ FROM |INSERT INTO |prisma|postgres|fastify|FST_ERR|ZodError|Invalid `/i

/** Asserts that an answer is the problem document of a code, with the headers all of them have. */
export function expectProblem(answer: Answer, code: ErrorCode): void {
  const { status, title } = ERROR_CODES[code]
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code })
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toMatchObject({
    type: expect.stringMatching(new RegExp(`^https?://[^#]+#${code}$`)),
    title,
    status,
    detail: expect.any(String),
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  expect(answer.text).not.toMatch(INTERNALS)
}

/** The JSON pointers of a problem's errors, each once, sorted. */
export function pointersOf({ body }: Answer): string[] {
  const errors: { pointer: string }[] = body.errors
  return [...new Set(errors.map(({ pointer }) => pointer))].sort()
}

/** A problem document without what differs from request to request. */
export function withoutRequestId({ body }: Answer): unknown {
  return { ...body, requestId: undefined }
}
