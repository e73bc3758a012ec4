import { z } from 'zod'
import { LIMITS } from './definition-limits.ts'

/**
 * Says what makes a text unfit to store or show, or null. `line` allows no control characters and
 * no line or paragraph separators; `paragraph` allows line feeds and tabs. HTML is plain text here:
 * it is kept as it is and escaped where it is shown.
 */
export function displayProblem(text: string, kind: 'line' | 'paragraph'): string | null {
  if (!text.isWellFormed()) return 'must be well-formed Unicode: it has a lone surrogate'
  if (kind === 'line' && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) {
    return 'must be a single line without control characters'
  }
  if (kind === 'paragraph' && /[^\P{Cc}\n\t]/u.test(text)) {
    return 'must not contain control characters other than line feeds and tabs'
  }
  return null
}

/** Whether a text has more characters than that: code points, as zod and JSON Schema count. */
export function hasMoreCharacters(text: string, max: number): boolean {
  // A character takes one code unit or two: only the texts in between are counted.
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/** A schema of a text that may be empty. */
export function text(kind: 'line' | 'paragraph', maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .superRefine((value, ctx) => {
      const problem = displayProblem(value, kind)
      if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
    })
}

/** What shows nothing by itself: white space, zero-width characters, fillers, the empty Braille. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, '') === ''
}

/** A schema of a text that must show something: neither empty nor only what is invisible. */
export function filledText(kind: 'line' | 'paragraph', maxLength: number): z.ZodString {
  return text(kind, maxLength)
    .min(1)
    .refine((value) => value === '' || !isBlank(value), 'must not be blank')
}

/** Names that every object inherits; as keys of settings or ids they would only set traps. */
const INHERITED_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
])

/** Whether a name is one that JavaScript objects already have (`constructor`, `toString`, ...). */
export function isInheritedName(name: string): boolean {
  return INHERITED_NAMES.has(name)
}

/** Id of a purchase option or an acknowledgement, as it stands in URLs and JSON keys. */
export const EntryId = z
  .string()
  .max(LIMITS.idMaxLength)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must start with a letter or digit and go on with letters, digits, ".", "_" or "-", at most 64 in all',
  )
  .refine((id) => !isInheritedName(id), 'is a reserved name')

/** Sorts the display. Of entries without it the server keeps 0, which comes after all others. */
export const DisplayOrder = z
  .number()
  .multipleOf(1, 'must be a whole number')
  .min(1)
  .max(LIMITS.orderMax)
  .default(0)
  .describe(
    'Sorts the display: ascending whole numbers, starting at 1 (to 1,000,000). Entries ' +
      'without it come after those that have one; entries alike stand in the order in which ' +
      'they are written.',
  )
  // No client can send the default: the document does not name it.
  .meta({ id: 'DisplayOrder', type: 'integer', examples: [1], default: undefined })

/** How an answer tells it: left out where there is none. */
export const AnsweredOrder = z
  .codec(z.number().optional(), z.number().optional(), {
    decode: (order) => order ?? 0,
    encode: (order) => (order === 0 ? undefined : order),
  })
  .describe('Place in the display; left out where the definition has none.')

/** Compares entries by their display order. Sorting with it keeps those alike as they stand. */
export function byDisplayOrder(a: { order: number }, b: { order: number }): number {
  return placeOf(a.order) - placeOf(b.order)
}

function placeOf(order: number): number {
  return order === 0 ? LIMITS.orderMax + 1 : order
}
