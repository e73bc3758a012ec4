import type { z } from 'zod'
import { AppError, type FieldError, jsonPointer } from '../../errors.ts'

/** One answer names at most this many problems; a last entry counts the rest. */
export const REPORTED_ERRORS_MAX = 100

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['string', 'must be a string'],
  ['number', 'must be a number'],
  ['int', 'must be a whole number'],
  ['boolean', 'must be true or false'],
  ['array', 'must be an array'],
  ['object', 'must be an object'],
  ['record', 'must be an object'],
])

/** Told of a whole number that JSON does not carry exactly: its limit is no bound of ours. */
const BEYOND_EXACT = 'is out of range'

/** Formats of texts that schemas ask for without words of their own. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['uuid', 'must be a UUID'],
  ['datetime', 'must be a date and time such as 2026-11-21T09:30:00Z'],
  ['date', 'must be a date such as 2026-11-21'],
])

/**
 * Error map for `safeParse`: words zod's own issues for the author of the JSON. Messages that a
 * schema sets itself take precedence.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return EXPECTED.get(issue.expected)
    case 'unrecognized_keys':
      return ofEachKey(issue.keys, (key) => notKnown(key, membersOf(issue.inst)))
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return oneOf(issue.values, issue.input)
    case 'invalid_union': {
      if (issue.input === undefined) return 'is required'
      if (!Array.isArray(issue.options)) return undefined
      const given = (issue.input as Record<string, unknown>)[String(issue.discriminator)]
      const missing = given === undefined ? 'is required and ' : ''
      return `${missing}${oneOf(issue.options, given)}`
    }
    case 'invalid_format':
      return FORMATS.get(issue.format)
    case 'too_small':
      if (issue.origin === 'int') return BEYOND_EXACT
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty'
      return `must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'int') return BEYOND_EXACT
      if (issue.origin === 'string') return `must be at most ${issue.maximum} characters long`
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`
      return `must be at most ${issue.maximum}`
    default:
      return undefined
  }
}

function oneOf(values: readonly unknown[], given: unknown): string {
  const told = `must be ${values.length > 1 ? 'one of ' : ''}${quoted(values)}`
  const words = values.filter((value) => typeof value === 'string')
  const meant = typeof given === 'string' ? didYouMean(given, words) : null
  return meant === null ? told : `${told}; ${meant}`
}

/** The members that the schema of an object has. */
function membersOf(schema: z.core.$ZodRawIssue['inst']): string[] {
  const shape: unknown = schema && Reflect.get(schema._zod.def, 'shape')
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : []
}

/**
 * What is wrong with a member that an object has not, and what was meant.
 *
 * @param told what is wrong with it
 */
export function notKnown(
  key: string,
  known: readonly string[],
  told = 'is not a known attribute',
): string {
  const meant = didYouMean(key, known)
  return meant === null ? told : `${told}; ${meant}`
}

/**
 * The message of an issue that tells of several unknown keys: a line for each of those that an
 * answer names.
 */
export function ofEachKey(keys: readonly string[], detail: (key: string) => string): string {
  return keys.slice(0, REPORTED_ERRORS_MAX).map(detail).join('\n')
}

function quoted(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}

/** `params` of a custom issue that tells of a missing or an unknown member. */
export const MALFORMED = { malformed: true }

/**
 * Whether an input has not the declared shape (a wrong type, a missing or an unknown member), as
 * against a well-formed value that breaks a rule. Issues must carry their input (`reportInput`).
 */
export function isMalformed(issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case 'invalid_type':
    case 'unrecognized_keys':
      return true
    case 'invalid_value':
      return issue.values.every((value) => typeof value !== typeof issue.input)
    case 'invalid_union':
      return issue.discriminator === undefined
        ? issue.errors.every((branch) => branch.some(isMalformed))
        : typeof Reflect.get(Object(issue.input), issue.discriminator) !== 'string'
    case 'invalid_element':
      return issue.issues.some(isMalformed)
    case 'custom':
      return issue.params === MALFORMED
    default:
      return false
  }
}

/**
 * What the check of an input found. It may end once an answer can name no more problems; the result
 * then says `isCut`.
 */
export type CheckedInput<Output> =
  | { success: true; data: Output }
  | { success: false; error: { issues: readonly z.core.$ZodIssue[] }; isCut?: boolean }

/**
 * Turns the issues of a check into field errors, as many as an answer names; an unknown key is
 * pointed at itself, one error each.
 *
 * @param found.isCut whether the check ended before it had found all of more than can be named
 */
export function fieldErrors(
  issues: readonly z.core.$ZodIssue[],
  { isCut = false }: { isCut?: boolean } = {},
): FieldError[] {
  const errors: FieldError[] = []
  let total = 0
  for (const [index, issue] of issues.entries()) {
    if (isLengthOfWrongType(issue, issues[index - 1])) continue
    const detail =
      issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
    const paths =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key])
        : [issue.path]
    total += paths.length
    const details = issue.code === 'unrecognized_keys' ? detail.split('\n') : [detail]
    for (const [at, path] of paths.slice(0, REPORTED_ERRORS_MAX - errors.length).entries()) {
      errors.push({ pointer: jsonPointer(path), detail: details[at] ?? details[0] ?? detail })
    }
  }
  return withRest(errors, isCut ? Number.POSITIVE_INFINITY : total)
}

/** zod counts what has a length, such as a text where a list was expected, after it told its type. */
function isLengthOfWrongType(issue: z.core.$ZodIssue, before: z.core.$ZodIssue | undefined) {
  return (
    (issue.code === 'too_small' || issue.code === 'too_big') &&
    before?.code === 'invalid_type' &&
    jsonPointer(before.path) === jsonPointer(issue.path)
  )
}

/** Keeps an answer about a hostile document small: the first problems and a count of the rest. */
export function capErrors(errors: readonly FieldError[]): FieldError[] {
  return withRest(errors, errors.length)
}

/** @param total how many there are; infinite when nobody counted them */
function withRest(errors: readonly FieldError[], total: number): FieldError[] {
  if (total <= REPORTED_ERRORS_MAX) return [...errors]
  const kept = errors.slice(0, REPORTED_ERRORS_MAX - 1)
  const rest = Number.isFinite(total) ? `${total - kept.length} more` : 'more'
  return [...kept, { pointer: '', detail: `and ${rest} problems` }]
}

/** @param errors what is wrong with a well-formed input */
export function unprocessable(errors: readonly FieldError[]): AppError {
  return new AppError('unprocessable', { detail: 'The input has problems.', errors })
}

/**
 * Checks an input in the service itself, so that the API, the command line and the demo keep the
 * same rules.
 *
 * @throws AppError unprocessable with all problems
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const result = schema.safeParse(input, { error: describeIssue })
  if (result.success) return result.data
  throw unprocessable(fieldErrors(result.error.issues))
}

/** At most this many typing errors still count as the same word. */
const NEAR_DISTANCE = 3
/** Of words this long it is worth asking; it also keeps a huge input cheap. */
const WORD_MAX_LENGTH = 64
/** A part of a word says little below this length. */
const PART_MIN_LENGTH = 3

/**
 * What of a list somebody meant who wrote an unknown word: those that differ in case, else those
 * that it is a part of, else the closest by its typing errors. Empty when nothing is near.
 */
export function nearest(unknown: string, known: readonly string[]): readonly string[] {
  if (unknown.length > WORD_MAX_LENGTH) return []
  const word = unknown.trim().toLowerCase()
  const alike = known.filter((one) => one.toLowerCase() === word)
  if (alike.length > 0) return alike
  const parts = known.filter((one) => {
    const other = one.toLowerCase()
    return (
      Math.min(word.length, other.length) >= PART_MIN_LENGTH &&
      (other.includes(word) || word.includes(other))
    )
  })
  if (parts.length > 0) return parts
  let found: string[] = []
  // Of a short word, more typing errors make another word.
  let best = Math.min(NEAR_DISTANCE, Math.floor(word.length / 2)) + 1
  for (const one of known) {
    // The distance is at least the difference in length.
    if (Math.abs(word.length - one.length) >= best) continue
    const distance = editDistance(word, one.toLowerCase())
    if (distance >= best) continue
    best = distance
    found = [one]
  }
  return found
}

/** `did you mean "Seller"?`, or null when nothing is near. */
export function didYouMean(unknown: string, known: readonly string[]): string | null {
  const found = nearest(unknown, known)
  if (found.length === 0 || found.length > 3) return null
  return `did you mean ${found.map((one) => JSON.stringify(one)).join(' or ')}?`
}

/**
 * How many letters to add, leave out or replace until two words are equal (Levenshtein), one row of
 * the table at a time.
 */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const removed = (previous[column] ?? 0) + 1
      const added = (current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, removed, added))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
