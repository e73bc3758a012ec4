import { type FieldError, jsonPointer } from '../../errors.ts'

/** More than any definition or batch has that fits into a body. */
export const VALUES_MAX = 100_000
const NESTING_MAX = 32
/** No endpoint takes an object with more names. */
const NAMES_MAX = 1_000
/** Names that reach the prototype of an object when a program is careless with them. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const BRACKET = 0x5b
const BRACE = 0x7b

/**
 * Whether a JSON text has more values and names of values than it may, an empty list or object
 * counted twice. It is asked before the text is parsed: a parsed value takes a hundred times the
 * time and the memory of the two bytes that it can be written with. Of a text that is not JSON the
 * answer means nothing.
 */
export function hasTooManyValues(json: Uint8Array): boolean {
  let count = 1
  let position = 0
  while (position < json.length && count <= VALUES_MAX) {
    const byte = json[position]
    if (byte === QUOTE) position = endOfString(json, position + 1)
    else if (byte === COMMA || byte === COLON || byte === BRACKET || byte === BRACE) count += 1
    position += 1
  }
  return count > VALUES_MAX
}

/**
 * Whether an object in a JSON text has a name twice. Of such names parsers take the first or the last
 * one (RFC 8259, 4), so a filter in front may look at another value than we do.
 *
 * @param json that was parsed
 * @param value what it was parsed to, no deeper than `hostileValue` takes
 */
export function hasDoubledNames(json: Uint8Array, value: unknown): boolean {
  let names = 0
  for (let position = 0; position < json.length; position += 1) {
    if (json[position] === QUOTE) position = endOfString(json, position + 1)
    else if (json[position] === COLON) names += 1
  }
  return names !== namesIn(value)
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values = Array.isArray(value) ? value : Object.values(value)
  let names = Array.isArray(value) ? 0 : values.length
  for (const one of values) names += namesIn(one)
  return names
}

/** The position of the quote that ends a string, or the end of the text. */
function endOfString(json: Uint8Array, start: number): number {
  let position = start
  while (position < json.length && json[position] !== QUOTE) {
    position += json[position] === BACKSLASH ? 2 : 1
  }
  return position
}

/** What is refused, and the way to it, the last step first. */
type Offence = { detail: string; path: PropertyKey[] }

/** The first value in a parsed JSON text that no endpoint takes. */
export function hostileValue(value: unknown): FieldError | undefined {
  const offence = findOffence(value, 0)
  return offence && { pointer: jsonPointer(offence.path.reverse()), detail: offence.detail }
}

/** Makes no path but the one of the offence, on the way back from it. */
function findOffence(value: unknown, depth: number): Offence | undefined {
  const detail = problemOf(value, depth)
  if (detail !== undefined) return { detail, path: [] }
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  const names = isList ? value.keys() : Object.keys(value)
  if (!isList) {
    const offence = namesOffence(names as string[])
    if (offence !== undefined) return offence
  }
  for (const name of names) {
    const offence = findOffence((value as Record<PropertyKey, unknown>)[name], depth + 1)
    if (offence === undefined) continue
    offence.path.push(name)
    return offence
  }
  return undefined
}

function namesOffence(names: readonly string[]): Offence | undefined {
  if (names.length > NAMES_MAX) {
    return { detail: `It has more than ${NAMES_MAX.toLocaleString('en')} names.`, path: [] }
  }
  for (const name of names) {
    if (FORBIDDEN_NAMES.has(name)) return { detail: 'This name is not allowed.', path: [name] }
    const problem = storageProblem(name)
    if (problem !== undefined) return { detail: `A name in it: ${problem}`, path: [] }
  }
  return undefined
}

function problemOf(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return storageProblem(value)
    case 'number':
      return Number.isFinite(value) ? undefined : 'The number is too large.'
    case 'object':
      return depth < NESTING_MAX || value === null
        ? undefined
        : `The value is nested more than ${NESTING_MAX} deep.`
    default:
      return undefined
  }
}

/** Why a text cannot be stored, or undefined. */
export function storageProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'The text holds a NUL character.'
  if (!text.isWellFormed()) return 'The text holds half of a surrogate pair.'
  return undefined
}
