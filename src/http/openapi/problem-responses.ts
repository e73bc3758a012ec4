import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import type { Ref, Response } from './document.ts'
import { headerRefs, problemHeaders } from './headers.ts'
import { problemMembers } from './problem-members.ts'

/** Names of sets of codes that many operations share; others are named by their codes. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['missing_token invalid_token token_expired', 'Unauthorized'],
])

/**
 * The error responses of operations as named components. Operations that answer the same codes with
 * a status share one.
 */
export function createProblemResponses() {
  const components = new Map<string, Response>()
  return {
    /** The `responses` entries of an operation that answers these codes. */
    refsOf(codes: readonly ErrorCode[]): Record<string, Ref> {
      const refs: Record<string, Ref> = {}
      for (const [status, same] of byStatus(codes)) {
        const name = nameOf(same)
        if (!components.has(name)) components.set(name, problemResponse(status, same))
        refs[status] = { $ref: `#/components/responses/${name}` }
      }
      return refs
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const all = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => codes.includes(code))
  return Map.groupBy(all, (code) => ERROR_CODES[code].status)
}

/** `already_exists`, `conflict` -> `AlreadyExistsOrConflict`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const pascal = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, a) => a.toUpperCase())
  return NAMES.get(codes.join(' ')) ?? codes.map(pascal).join('Or')
}

function problemResponse(status: number, codes: readonly ErrorCode[]): Response {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' '),
    headers: headerRefs(problemHeaders(status, codes)),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            {
              type: 'object',
              properties: {
                code: { type: 'string', enum: [...codes] },
                ...problemMembers(codes),
              },
              required: ['code'],
            },
          ],
        },
      },
    },
  }
}
