import type { ErrorCode } from '../../errors.ts'
import type { JsonSchema } from './document.ts'

type Members = Readonly<Record<string, JsonSchema>>

const count = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  description,
  example,
})
const id = (description: string): JsonSchema => ({
  type: 'string',
  format: 'uuid',
  description,
  example: '0f8fad5b-d9cb-469f-a165-70867728950e',
})
const permissions = (description: string, example: string[]): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
  example,
})

const CHANGES: Members = {
  changes: {
    type: 'array',
    items: { $ref: '#/components/schemas/DefinitionChange' },
    description: 'The changes that need a new version.',
  },
  breaking: { type: 'boolean', description: 'Always true.', example: true },
}

/** The members that the problems of a code can have beside those of all problems (RFC 9457, 3.2). */
const PROBLEM_MEMBERS: Readonly<Partial<Record<ErrorCode, Members>>> = {
  insufficient_scope: {
    required: permissions('The permissions that the request needs.', ['products:write']),
    granted: permissions('The permissions that there are.', ['products:read']),
  },
  second_factor_required: {
    maxAgeSeconds: count('How old the last code may be, when there was one.', 600),
  },
  already_installed: { installationId: id('The installation that stands in the way.') },
  version_required: CHANGES,
  version_used: CHANGES,
  app_in_use: { installations: count('How many live installations the app has.', 3) },
  import_running: { importId: id('The import that is under way.') },
  import_refused: {
    errorCount: count('How many problems the file has; `errors` names the first ones.', 1),
    rowsRead: count('How many rows were read.', 120),
    rowsRefused: count('How many of them have a problem.', 1),
  },
  cursor_expired: {
    oldestPosition: {
      type: 'integer',
      minimum: 1,
      description: 'Of the event log: the oldest position that is kept.',
      example: 1001,
    },
  },
}

/** The members that problems of these codes can have. */
export function problemMembers(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  return Object.assign({}, ...codes.map((code) => PROBLEM_MEMBERS[code] ?? {}))
}
