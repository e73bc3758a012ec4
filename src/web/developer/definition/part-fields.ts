import { typedNumber } from '../../../base/values/text-forms/numbers.ts'
import { CURRENCY_CODES } from '../../../marketplace/apps/pricing/currencies.ts'
import { plainDecimal } from '../../../marketplace/apps/pricing/decimals.ts'
import type { ChoiceOption } from '../../kit/fields.ts'

/** A JSON object of a definition, as it was typed. */
export type Part = Record<string, unknown>

/** The kinds of parts that have a form. */
export type PartKind = 'option' | 'setting' | 'acknowledgement'

/** A field of the form of a part. */
export type PartField = {
  /** The member of the part that it fills. */
  name: string
  label: string
  /** `lines`: a text of several lines; `list`: the choices of a select. */
  type: 'text' | 'lines' | 'number' | 'flag' | 'list' | readonly ChoiceOption[]
  hint?: string
  /** What its number counts. */
  unit?: string
  /** Whether the part may be without it. */
  optional?: true
  /** The member is there only when another one has one of these values. */
  when?: readonly [member: string, values: readonly string[]]
}

const ORDER: PartField = {
  name: 'order',
  label: 'Order',
  type: 'number',
  hint: 'The lowest comes first.',
  optional: true,
}
const FLAT = ['pricingModel', ['FlatMonthly', 'FlatAnnual']] as const
const TIERED = ['pricingModel', ['TieredBuckets']] as const

/** The value of no choice comes first: a currency is chosen, not left as it was. */
const CURRENCIES: readonly ChoiceOption[] = [
  ['', 'Choose a currency'],
  ...CURRENCY_CODES.map((code): ChoiceOption => [code, `${code} – ${currencyName(code)}`]),
]

function currencyName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'currency' }).of(code) ?? code
}

/** The fields of each kind of part, in the order of the form and of what it writes. */
export const PART_FIELDS: Readonly<Record<PartKind, readonly PartField[]>> = {
  option: [
    { name: 'id', label: 'ID', type: 'text', hint: 'Never shown to users.' },
    { name: 'name', label: 'Name', type: 'text' },
    { name: 'description', label: 'Description', type: 'lines', optional: true },
    {
      name: 'pricingModel',
      label: 'Pricing model',
      type: [
        ['FlatMonthly', 'Fixed price, billed monthly'],
        ['FlatAnnual', 'Fixed price, billed yearly'],
        ['TieredBuckets', 'Tiered by number of products'],
      ],
    },
    { name: 'currency', label: 'Currency', type: CURRENCIES },
    {
      name: 'monthlyRate',
      label: 'Price',
      type: 'number',
      hint: '0 = free.',
      unit: 'per month',
      when: FLAT,
    },
    { name: 'bucketSize', label: 'Block size', type: 'number', unit: 'products', when: TIERED },
    {
      name: 'ratePerBucket',
      label: 'Price per block',
      type: 'number',
      hint: 'Started blocks count in full.',
      unit: 'per month',
      when: TIERED,
    },
    {
      name: 'baseFee',
      label: 'Base fee',
      type: 'number',
      unit: 'per month',
      optional: true,
      when: TIERED,
    },
    ORDER,
  ],
  setting: [
    {
      name: 'type',
      label: 'Type',
      type: [
        ['text', 'Text'],
        ['number', 'Number'],
        ['boolean', 'Yes or no'],
        ['select', 'A choice'],
        ['password', 'Password'],
      ],
    },
    { name: 'name', label: 'Name', type: 'text' },
    {
      name: 'description',
      label: 'Description',
      type: 'lines',
      optional: true,
      when: ['type', ['text', 'password']],
    },
    {
      name: 'placeholder',
      label: 'Placeholder',
      type: 'text',
      optional: true,
      when: ['type', ['text']],
    },
    {
      name: 'min',
      label: 'Lowest number',
      type: 'number',
      optional: true,
      when: ['type', ['number']],
    },
    {
      name: 'max',
      label: 'Highest number',
      type: 'number',
      optional: true,
      when: ['type', ['number']],
    },
    {
      name: 'step',
      label: 'Step',
      type: 'number',
      optional: true,
      when: ['type', ['number']],
    },
    {
      name: 'options',
      label: 'Choices',
      type: 'list',
      hint: 'One choice per line, such as eu = Europe.',
      when: ['type', ['select']],
    },
    { name: 'mandatory', label: 'Required', type: 'flag' },
    {
      name: 'scope',
      label: 'Set by',
      type: [
        ['user', 'The user'],
        ['admin', 'You, the developer'],
      ],
    },
    ORDER,
  ],
  acknowledgement: [
    { name: 'id', label: 'ID', type: 'text', hint: 'Never shown to users.' },
    { name: 'title', label: 'Title', type: 'text' },
    { name: 'text', label: 'Text', type: 'lines' },
    ORDER,
  ],
}

/** The text of a field for what a part has. */
export function fieldText({ name, type }: PartField, part: Part): string {
  const value = Object.hasOwn(part, name) ? part[name] : undefined
  if (type === 'list') return Array.isArray(value) ? value.map(choiceLine).join('\n') : ''
  if (typeof value === 'number') return plainDecimal(value)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

/**
 * A part with what its form says. Members that the form does not know, or that were not changed,
 * stay as they are. What is no number in a
 * field of a number stays a text, for the check to refuse.
 *
 * @param typed the text of a field, by its name
 */
export function writtenPart(kind: PartKind, before: Part, typed: (name: string) => string): Part {
  const fields = PART_FIELDS[kind]
  const known = new Set(fields.map(({ name }) => name))
  const written = fields.flatMap((field) => {
    const { name } = field
    if (!isMeant(field, typed)) return []
    if (Object.hasOwn(before, name) && isUnchanged(field, before, typed(name))) {
      return [[name, before[name]] as const]
    }
    const value = fieldValue(field, typed(name))
    return value === undefined ? [] : [[name, value] as const]
  })
  const others = Object.entries(before).filter(([name]) => !known.has(name))
  return Object.fromEntries([...written, ...others])
}

/** Whether the part has the member of a field, as another of its members is now. */
export function isMeant({ when }: PartField, typed: (name: string) => string): boolean {
  return when === undefined || when[1].includes(typed(when[0]))
}

function isUnchanged(field: PartField, before: Part, text: string): boolean {
  const stored = fieldText(field, before)
  // A box that is not ticked sends nothing.
  return field.type === 'flag' ? (text === 'true') === (stored === 'true') : text === stored
}

function fieldValue({ name, type }: PartField, text: string): unknown {
  const trimmed = text.trim()
  if (type === 'flag') return trimmed === 'true' ? true : undefined
  if (type === 'list') return trimmed === '' ? undefined : trimmed.split('\n').map(choiceOf)
  if (trimmed === '') return undefined
  if (type === 'number') return typedNumber(trimmed) ?? trimmed
  if (name === 'currency') return trimmed.toUpperCase()
  // The user sets it unless the definition says otherwise.
  if (name === 'scope' && trimmed === 'user') return undefined
  return trimmed
}

const NUMBER = /^-?\d{1,16}(\.\d{1,15})?$/
/** A value that is written as JSON. */
const QUOTED = /^"(?:[^"\\]|\\.)*"/

/** `eu = Europe`; a text that could be taken for a number, or has a mark of its own, is quoted. */
function choiceLine(choice: unknown): string {
  if (typeof choice !== 'object' || choice === null) return JSON.stringify(choice)
  const { value, name } = choice as Part
  const isPlain = typeof value === 'string' && !NUMBER.test(value) && !/["=\n]|^\s|\s$/.test(value)
  const written = typeof value === 'number' ? plainDecimal(value) : JSON.stringify(value)
  return `${isPlain ? value : written} = ${typeof name === 'string' ? name : ''}`
}

function choiceOf(line: string): Part {
  const [quoted] = QUOTED.exec(line.trim()) ?? []
  const rest = line
    .trim()
    .slice(quoted?.length ?? 0)
    .trimStart()
  if (quoted !== undefined && rest.startsWith('=')) {
    return { name: rest.slice(1).trim(), value: parsedText(quoted) }
  }
  const at = line.indexOf('=')
  const text = (at === -1 ? line : line.slice(0, at)).trim()
  const name = at === -1 ? text : line.slice(at + 1).trim()
  return { name, value: NUMBER.test(text) ? Number(text) : text }
}

function parsedText(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
