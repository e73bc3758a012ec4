import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { type PartPlace, partAt, placeNamed, putPart, removePart } from './definition-parts.ts'
import { DEFINITION_FIELD, readJson } from './definition-text.ts'
import { PART_FIELDS, writtenPart } from './part-fields.ts'
import { partControl, partProblems } from './part-problems.ts'

/** What a definition has at most: a body of the API takes no longer one. */
const DEFINITION_MAX_BYTES = 1_048_576

/** Name of the field that says which part is being edited. */
export const PART_FIELD = 'part'
/** Name of the field that says of which option the settings are listed. */
export const LISTED_FIELD = 'listed'
/** What was done last, when it was a step; after one the definition is not checked. */
const MOVED = 'moved'
const WRITTEN = 'written'
/** Name and id of the key of a setting. */
export const KEY_CONTROL = 'p.key'

/** Whether what was done last with a form was a step. */
export function wasStep(fields: FormFields): boolean {
  return [MOVED, WRITTEN].includes(fields.get('do') ?? '')
}

/** Whether that step has changed the text. */
export function hasWritten(fields: FormFields): boolean {
  return fields.get('do') === WRITTEN
}

/** The form after a step: what stands in it then, and what was in the way. */
type EditorStep = { fields: FormFields; problems: readonly FormProblem[] }

/**
 * Does what a button beside the text asks for: opens the form of a part, writes it into the
 * definition, or takes the part out. Nothing is stored but what was typed.
 *
 * @returns undefined when the button is another one
 */
export function takeStep(fields: FormFields): EditorStep | undefined {
  const [what = '', ...rest] = (fields.get('do') ?? '').split(':')
  const place = placeNamed(what === 'apply' ? (fields.get(PART_FIELD) ?? '') : rest.join(':'))
  switch (what) {
    case 'leave':
      return { fields: withoutPart(fields), problems: [] }
    case 'list':
      return {
        fields: new Map([...withoutPart(fields), [LISTED_FIELD, rest.join(':')]]),
        problems: [],
      }
    case 'edit':
      return place && onDefinition(fields, (definition) => openPart(fields, definition, place))
    case 'remove':
      return place && onDefinition(fields, (definition) => takeOut(fields, definition, place))
    case 'apply':
      return place && onDefinition(fields, (definition) => writePart(fields, definition, place))
    default:
      return undefined
  }
}

function onDefinition(
  fields: FormFields,
  work: (definition: Record<string, unknown>) => EditorStep,
): EditorStep {
  const read = readJson(multilineText(fields, DEFINITION_FIELD))
  return read.ok ? work(read.value) : { fields, problems: read.problems }
}

function openPart(
  fields: FormFields,
  definition: Record<string, unknown>,
  place: PartPlace,
): EditorStep {
  if (partAt(definition, place) === undefined) return { fields, problems: [GONE] }
  const name = (fields.get('do') ?? '').slice('edit:'.length)
  return { fields: new Map([...withoutPart(fields), [PART_FIELD, name]]), problems: [] }
}

function takeOut(
  fields: FormFields,
  definition: Record<string, unknown>,
  place: PartPlace,
): EditorStep {
  if (partAt(definition, place) === undefined) return { fields, problems: [GONE] }
  removePart(definition, place)
  return withDefinition(withoutPart(fields), definition)
}

function writePart(
  fields: FormFields,
  definition: Record<string, unknown>,
  place: PartPlace,
): EditorStep {
  const before = partAt(definition, place)
  if (before === undefined) return { fields, problems: [GONE] }
  const typed = (name: string) => multilineText(fields, partControl(name))
  const part = writtenPart(place.kind, before, typed)
  const found = partProblems(definition, place, { before, part }, typed)
  const problem = putPart(definition, place, part, (fields.get(KEY_CONTROL) ?? '').trim())
  const problems = problem === undefined ? found : [{ field: KEY_CONTROL, text: problem }, ...found]
  if (problems.length > 0) return { fields, problems }
  return withDefinition(withoutPart(fields), definition)
}

/**
 * Writes the part whose form is open into the text, so that what is done with the text takes what
 * was typed along. The form of a new part in which nothing was typed is left.
 */
export function writeOpenPart(fields: FormFields): EditorStep {
  const place = placeNamed(fields.get(PART_FIELD) ?? '')
  if (place === undefined) return { fields, problems: [] }
  const asked = fields.get('do') ?? ''
  const step = isBlankPart(fields, place)
    ? { fields: withoutPart(fields), problems: [] }
    : onDefinition(fields, (definition) => writePart(fields, definition, place))
  return { ...step, fields: new Map([...step.fields, ['do', asked]]) }
}

/** Whether the form is that of a new part in which nothing was typed. */
export function isBlankPart(fields: FormFields, place: PartPlace): boolean {
  const isNew = place.kind === 'setting' ? place.key === undefined : place.index === undefined
  const typed = PART_FIELDS[place.kind].filter(({ type }) => !Array.isArray(type))
  const names = [KEY_CONTROL, ...typed.map(({ name }) => partControl(name))]
  return isNew && names.every((name) => (fields.get(name) ?? '').trim() === '')
}

const GONE: FormProblem = {
  field: undefined,
  text: 'The part is no longer in the definition. Choose it again.',
}

function withDefinition(fields: FormFields, definition: Record<string, unknown>): EditorStep {
  const text = JSON.stringify(definition, null, 2)
  if (Buffer.byteLength(JSON.stringify(definition)) > DEFINITION_MAX_BYTES) {
    const problem = 'The definition would be longer than 1 MiB. Remove something first.'
    return { fields, problems: [{ field: DEFINITION_FIELD, text: problem }] }
  }
  const written = [...fields, [DEFINITION_FIELD, text], ['do', WRITTEN]] as const
  return { fields: new Map(written), problems: [] }
}

/** The form with no part open, after a step. */
function withoutPart(fields: FormFields): FormFields {
  const kept = [...fields].filter(([name]) => name !== PART_FIELD && !name.startsWith('p.'))
  return new Map([...kept, ['do', MOVED]])
}
