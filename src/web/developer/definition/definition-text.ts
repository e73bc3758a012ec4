import { nextTick } from '../../../base/fair-share/next-tick.ts'
import {
  hasDoubledNames,
  hasTooManyValues,
  hostileValue,
  VALUES_MAX,
} from '../../../base/values/hostile-json.ts'
import { linesOf } from '../../../base/values/json-lines.ts'
import type { FieldError } from '../../../errors.ts'
import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import { parseDefinitionInTicks } from '../../../marketplace/apps/check-definition.ts'
import type { AppDefinition } from '../../../marketplace/apps/definition.ts'
import { TEMPLATE } from '../../../marketplace/apps/template.ts'
import { type FormProblem, unescaped } from '../../shared/forms/form-problems.ts'

/** Name and id of the field of the editor. */
export const DEFINITION_FIELD = 'definition'

/** Name of the field that says that the published definition was too long for the editor. */
export const UNSHOWN_FIELD = 'unshown'

/** An app as its developer would write its definition. */
export function definitionText(app: AppRecord): string {
  const { authReturnUrl, websiteUrl, supportUrl } = app
  const { id, name, description, partyTypes, version, permissions, purchaseOptions } = app
  const definition = {
    id,
    name,
    description,
    partyTypes,
    version,
    releaseNotes: app.releaseNotes === '' ? undefined : app.releaseNotes,
    permissions,
    purchaseOptions,
    settings: app.settings,
    acknowledgements: app.acknowledgements.map(({ sha256: _hash, ...one }) => one),
    // What is as it would be without the member is not written.
    tokenDelivery: app.tokenDelivery === 'token' ? undefined : app.tokenDelivery,
    redirectErrors: app.redirectErrors === 'page' ? undefined : app.redirectErrors,
    authReturnUrl: authReturnUrl ?? undefined,
    websiteUrl: websiteUrl ?? undefined,
    supportUrl: supportUrl ?? undefined,
  } satisfies Record<keyof AppDefinition, unknown>
  // An order of 0 stands for none, as which nobody writes it.
  const written = (key: string, value: unknown) =>
    key === 'order' && value === 0 ? undefined : value
  return JSON.stringify(definition, written, 2)
}

/** What an editor for a new app begins with. */
export const NEW_DEFINITION = JSON.stringify(TEMPLATE, null, 2)

export type ReadDefinition =
  | { ok: true; definition: AppDefinition }
  | { ok: false; problems: FormProblem[] }

export type ReadJson =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; problems: FormProblem[] }

/** Reads what was typed as an object of JSON that no part of is hostile, whatever it says. */
export function readJson(text: string): ReadJson {
  if (hasTooManyValues(Buffer.from(text))) {
    const detail = `This has more than ${VALUES_MAX.toLocaleString('en')} values and names.`
    return { ok: false, problems: definitionProblems([{ pointer: '', detail }], '') }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The parser says where; its words may end with a piece of what was typed.
    const { message } = error as SyntaxError
    const problem = { detail: `This is not JSON. ${message}` }
    const line = lineOf(message, text)
    const told = { field: DEFINITION_FIELD, text: problem.detail }
    return { ok: false, problems: [line === undefined ? told : { ...told, line }] }
  }
  const hostile = hostileValue(value)
  if (hostile !== undefined) return { ok: false, problems: definitionProblems([hostile], text) }
  if (hasDoubledNames(Buffer.from(text), value)) {
    const detail = 'An object has a name twice.'
    return { ok: false, problems: definitionProblems([{ pointer: '', detail }], text) }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ok: true, value: value as Record<string, unknown> }
  }
  const detail = 'A definition is a JSON object: it begins with “{”.'
  return { ok: false, problems: definitionProblems([{ pointer: '', detail }], '') }
}

/** The line that the parser complains of, as far as it says. */
function lineOf(message: string, text: string): number | undefined {
  if (message.startsWith('Unexpected end')) return text.split('\n').length
  const [, line] = /\(line (\d{1,7}) column \d{1,7}\)$/.exec(message) ?? []
  return line === undefined ? undefined : Number(line)
}

/**
 * Reads what was typed into the editor: as strictly as the API reads a body. Each step with a large
 * definition has a tick of the event loop.
 *
 * @param json what `readJson` has read from the text
 */
export async function readDefinition(
  text: string,
  json: ReadJson = readJson(text),
): Promise<ReadDefinition> {
  await nextTick()
  if (!json.ok) return json
  const parsed = await parseDefinitionInTicks(json.value)
  await nextTick()
  return parsed.ok ? parsed : { ok: false, problems: definitionProblems(parsed.errors, text) }
}

function problemText(pointer: string, detail: string, line: number | undefined): string {
  if (pointer === '') return detail
  const place = line === undefined ? '' : `Line ${line}: `
  if (!detail.startsWith(UNKNOWN)) return `${place}${pointer} ${detail}`
  const name = unescaped(pointer.slice(pointer.lastIndexOf('/') + 1))
  return `${place}${place ? 'unknown' : 'Unknown'} field "${name}"${detail.slice(UNKNOWN.length)}`
}

/** What the check of a definition says of a member that is none. */
const UNKNOWN = 'is not a known attribute'

/**
 * Problems of a definition, each with the JSON pointer to its place and the line of it.
 *
 * @param text the definition as it was typed; empty when there is none to look at
 */
export function definitionProblems(errors: readonly FieldError[], text: string): FormProblem[] {
  const pointers = errors.map(({ pointer }) => pointer)
  const lines = text === '' ? new Map<string, number>() : linesOf(text, pointers)
  return errors.map(({ pointer, detail }) => {
    const line = lines.get(pointer)
    const text = problemText(pointer, detail, line)
    return { field: DEFINITION_FIELD, text, ...(line !== undefined && { line }) }
  })
}
