import type { z } from 'zod'
import { describeIssue } from '../../../base/values/field-errors.ts'
import { Acknowledgement } from '../../../marketplace/apps/definition.ts'
import { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import { SettingDefinition } from '../../../marketplace/apps/settings/definitions.ts'
import { type FormProblem, sentence } from '../../shared/forms/form-problems.ts'
import { isIdInUse, type PartPlace } from './definition-parts.ts'
import { fieldText, isMeant, PART_FIELDS, type Part, type PartField } from './part-fields.ts'

const SCHEMAS = {
  option: PurchaseOption,
  setting: SettingDefinition,
  acknowledgement: Acknowledgement,
} as const

/** Name and id of a field of the form of a part. */
export function partControl(name: string): string {
  return `p.${name}`
}

/**
 * What is wrong with a part as its form writes it, each at its field. Members that the form does not
 * have are left to the check of the definition.
 *
 * @param parts `before`: what stands at the place; `part`: what would take its place
 * @param typed the text of a field, by its name
 */
export function partProblems(
  definition: Part,
  place: PartPlace,
  { before, part }: { before: Part; part: Part },
  typed: (name: string) => string,
): FormProblem[] {
  const fields = PART_FIELDS[place.kind]
  const parsed = SCHEMAS[place.kind].safeParse(part, { error: describeIssue })
  const found = (parsed.error?.issues ?? []).flatMap((issue) => {
    const field = fields.find(({ name }) => name === issue.path[0])
    return field === undefined ? [] : [problemAt(field, textOf(field, issue))]
  })
  const lost = fields
    .filter((field) => isLost(field, before, typed))
    .map((field) => problemAt(field, lostText(field, fields, typed)))
  const id = fields.find(({ name }) => name === 'id')
  const repeated =
    id !== undefined && isIdInUse(definition, place, part.id)
      ? [problemAt(id, `The ID ${part.id} is in use. Enter another one.`)]
      : []
  return withoutTwins([...found, ...repeated, ...lost])
}

function problemAt({ name }: PartField, text: string): FormProblem {
  return { field: partControl(name), text }
}

function textOf({ label, type }: PartField, { path, message }: z.core.$ZodIssue): string {
  const [, at, ...rest] = path
  if (typeof at === 'number') {
    return sentence(`${label}, line ${at + 1}: ${[...rest, message].join(' ')}`)
  }
  if (message === 'is required' || message === 'must not be empty') {
    const verb = Array.isArray(type) ? 'Choose' : 'Enter'
    return `${verb} the ${label === 'ID' ? label : label.toLowerCase()}.`
  }
  if (type === 'number' && message === 'must be a number') {
    return `${label}: enter a number, such as 2.5.`
  }
  return sentence(`${label} ${message}`)
}

/** Whether something was typed that the part cannot have, as another of its members is now. */
function isLost(field: PartField, before: Part, typed: (name: string) => string): boolean {
  const text = typed(field.name)
  return !isMeant(field, typed) && text.trim() !== '' && text !== fieldText(field, before)
}

function lostText(
  { label, when }: PartField,
  fields: readonly PartField[],
  typed: (name: string) => string,
): string {
  const decisive = fields.find(({ name }) => name === when?.[0])
  const choices = Array.isArray(decisive?.type) ? (decisive.type as [string, string][]) : []
  const chosen = choices.find(([value]) => value === typed(decisive?.name ?? ''))?.[1] ?? ''
  const what = decisive?.label.toLowerCase() ?? ''
  return `${label} does not go with the ${what} “${chosen}”. Clear it, or choose another ${what}.`
}

function withoutTwins(problems: readonly FormProblem[]): FormProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ field, text }) => {
    const key = `${field} ${text}`
    return !seen.has(key) && seen.add(key)
  })
}
