import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import type { Ref, Response } from './document.ts'
import { headerRefs, problemHeaders } from './headers.ts'
import { problemMembers } from './problem-members.ts'

/** The codes of every operation that needs a token, which have one name together. */
const UNAUTHORIZED: readonly ErrorCode[] = ['missing_token', 'invalid_token', 'token_expired']

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
        refs[status] = componentRef(name)
      }
      return refs
    },
    /** The entries that an operation declares itself, under a name and their status. */
    refsOfOwn(name: string, responses: Record<string, Response | Ref>): Record<string, Ref> {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      for (const [status, one] of errors) components.set(name + status, one as Response)
      return Object.fromEntries(errors.map(([status]) => [status, componentRef(name + status)]))
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const componentRef = (name: string): Ref => ({ $ref: `#/components/responses/${name}` })

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const all = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => codes.includes(code))
  return Map.groupBy(all, (code) => ERROR_CODES[code].status)
}

/** `already_exists`, `conflict` -> `AlreadyExistsOrConflict`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const pascal = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, a) => a.toUpperCase())
  const isUnauthorized = UNAUTHORIZED.every((code) => codes.includes(code))
  const others = isUnauthorized ? codes.filter((code) => !UNAUTHORIZED.includes(code)) : codes
  return [...(isUnauthorized ? ['unauthorized'] : []), ...others].map(pascal).join('Or')
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
