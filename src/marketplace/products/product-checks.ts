import { z } from 'zod'
import { INT4_MAX } from '../../base/values/shapes.ts'
import { hasMoreCharacters } from '../../base/values/text.ts'
import { canonicalLine, canonicalText, keyProblem } from '../../base/values/text-forms/canonical.ts'
import { FieldError, jsonPointer } from '../../errors.ts'
import type { ProductRecord } from './product.ts'
import { hasRightCheckDigit, isUpcForm, looksCut } from './upc.ts'

const NAME_MAX_LENGTH = 200
const DESCRIPTION_MAX_LENGTH = 4000
/** Prices are below this: numeric(14, 2) in storage, exact as JSON numbers. */
const PRICE_LIMIT = 1e12

/** The fields that a client gives a product, in the order of the wire. */
export const RECORD_FIELDS = [
  'brand',
  'partNumber',
  'inStock',
  'shortDescription',
  'msrp',
  'mapPrice',
  'upc',
] as const
export type RecordField = (typeof RECORD_FIELDS)[number]

const FIELDS = {
  brand: z
    .string()
    .describe(
      'Kept in NFC, with plain spaces; without invisible characters, but for the joiners that a script or an emoji needs.',
    )
    .meta({ minLength: 1, maxLength: NAME_MAX_LENGTH, example: 'Wahl' }),
  partNumber: z
    .string()
    .describe(
      'With the brand the key of the product among those of its account. Kept as the brand is.',
    )
    .meta({ minLength: 1, maxLength: NAME_MAX_LENGTH, example: '79520-500' }),
  inStock: z.int().describe('Units in stock.').meta({ minimum: 0, maximum: INT4_MAX, example: 49 }),
  shortDescription: z
    .string()
    .nullish()
    .meta({ maxLength: DESCRIPTION_MAX_LENGTH, example: 'Comfort Grip design' }),
  msrp: z
    .number()
    .nullish()
    .describe("Manufacturer's suggested retail price, at most 2 decimals.")
    .meta({ minimum: 0, example: 26.99 }),
  mapPrice: z
    .number()
    .nullish()
    .describe('Minimum advertised price, at most 2 decimals.')
    .meta({ minimum: 0, example: null }),
  upc: z
    .string()
    .nullish()
    .describe('8, 12, 13 or 14 digits. A wrong check digit is taken with a warning.')
    .meta({ example: '043917795164' }),
} satisfies Record<RecordField, z.ZodType>

/** A whole record as clients send it; `checkRecord` knows its rules. */
export const ProductInput = z
  .strictObject(FIELDS)
  .meta({ id: 'ProductRecord', description: 'A product as clients send it, without its id.' })

/** A merge patch of a record. */
export const ProductPatch = z
  .strictObject(FIELDS)
  .partial()
  .meta({
    id: 'ProductPatch',
    description: 'A merge patch (RFC 7396) of a product.',
    example: { inStock: 12, mapPrice: null },
  })

/** Warnings about a record that was accepted; left out when there are none. */
export const RecordWarnings = z
  .array(FieldError)
  .optional()
  .describe('What looks wrong and was taken, such as a wrong check digit; only if there is any.')

/** A record that keeps the rules, or what is wrong with it. Warnings do not refuse a record. */
export type CheckedRecord =
  | { record: ProductRecord; errors?: undefined; warnings: readonly FieldError[] }
  | { record?: undefined; errors: FieldError[] }

const NO_WARNINGS: readonly FieldError[] = []

/**
 * Checks a product record against every rule at once. Optional fields that are left out are null.
 * Pointers lead into the record.
 */
export function checkRecord(input: unknown): CheckedRecord {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { errors: [{ pointer: '', detail: 'must be an object' }] }
  }
  const errors: FieldError[] = []
  for (const name in input) if (!isField(name)) errors.push(unknownField(name))
  const given = input as Partial<Record<RecordField, unknown>>
  const report = (name: RecordField, detail: string | undefined) => {
    if (detail !== undefined) errors.push({ pointer: `/${name}`, detail })
  }
  const brand = inForm(canonicalLine, given.brand)
  const partNumber = inForm(canonicalLine, given.partNumber)
  const shortDescription = inForm(canonicalText, given.shortDescription ?? null)
  const msrp = given.msrp ?? null
  const mapPrice = given.mapPrice ?? null
  const upc = given.upc ?? null
  report('brand', nameProblem(brand))
  report('partNumber', nameProblem(partNumber))
  report('inStock', stockProblem(given.inStock))
  report('shortDescription', descriptionProblem(shortDescription))
  report('msrp', priceProblem(msrp))
  report('mapPrice', priceProblem(mapPrice))
  report('upc', upcProblem(upc))
  if (errors.length > 0) return { errors }
  const record = {
    brand,
    partNumber,
    inStock: given.inStock,
    shortDescription,
    msrp,
    mapPrice,
    upc,
  } as ProductRecord
  return { record, warnings: warningsOf(record) }
}

const FIELD_NAMES: ReadonlySet<string> = new Set(RECORD_FIELDS)

/** Whether it is a field that clients give. */
function isField(name: string): name is RecordField {
  return FIELD_NAMES.has(name)
}

/** The pointer is stored with an import: it has no character that Postgres does not take. */
function unknownField(name: string): FieldError {
  const detail = name === 'id' ? 'is given by the server' : 'is not a known attribute'
  const shown = name.slice(0, NAME_MAX_LENGTH).toWellFormed().replaceAll('\0', '\ufffd')
  return { pointer: jsonPointer([shown]), detail }
}

/** A lone surrogate is for the check to refuse. */
function inForm(form: (text: string) => string, value: unknown): unknown {
  return typeof value === 'string' ? form(value) : value
}

/** Control characters, and U+FFFD, which shows that a text was read in the wrong encoding. */
const UNFIT_FOR_LINE = /[\p{Cc}\p{Zl}\p{Zp}\ufffd]/u
const UNFIT_FOR_TEXT = /[^\P{Cc}\n\r\t]|\ufffd/u

function nameProblem(value: unknown): string | undefined {
  if (value === undefined) return 'is required'
  if (typeof value !== 'string') return 'must be a string'
  if (value === '') return 'must not be empty'
  if (hasMoreCharacters(value, NAME_MAX_LENGTH)) {
    return `must be at most ${NAME_MAX_LENGTH} characters long`
  }
  return productTextProblem(value, UNFIT_FOR_LINE) ?? keyProblem(value) ?? undefined
}

function descriptionProblem(value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') return 'must be a string or null'
  if (hasMoreCharacters(value, DESCRIPTION_MAX_LENGTH)) {
    return `must be at most ${DESCRIPTION_MAX_LENGTH} characters long`
  }
  return productTextProblem(value, UNFIT_FOR_TEXT)
}

function productTextProblem(text: string, unfit: RegExp): string | undefined {
  if (!unfit.test(text)) {
    return text.isWellFormed() ? undefined : 'must be well-formed Unicode: it has a lone surrogate'
  }
  return text.includes('\ufffd')
    ? 'must be text in UTF-8: it holds broken or replaced characters'
    : 'must not contain control characters'
}

function stockProblem(value: unknown): string | undefined {
  if (value === undefined) return 'is required'
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number'
  if (value < 0) return 'must be at least 0'
  return value > INT4_MAX ? `must be at most ${INT4_MAX}` : undefined
}

function priceProblem(value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number or null'
  if (value < 0) return 'must be at least 0'
  if (value >= PRICE_LIMIT) return `must be less than ${PRICE_LIMIT}`
  // Exact: below the limit, each count of cents is the nearest one to exactly one number.
  return Math.round(value * 100) / 100 === value ? undefined : 'must have at most 2 decimals'
}

function upcProblem(value: unknown): string | undefined {
  if (value === null || (typeof value === 'string' && isUpcForm(value))) return undefined
  if (typeof value !== 'string') return 'must be a string of digits or null'
  return looksCut(value)
    ? 'must have 8, 12, 13 or 14 digits; a spreadsheet has cut it: format the column as text'
    : 'must have 8, 12, 13 or 14 digits'
}

function warningsOf({ upc }: ProductRecord): readonly FieldError[] {
  return upc === null || hasRightCheckDigit(upc)
    ? NO_WARNINGS
    : [{ pointer: '/upc', detail: 'has a wrong check digit' }]
}
