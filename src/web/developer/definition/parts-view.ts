import { controlsView, type Field, type FormSpec } from '../../kit/fields.ts'
import type { FormAttempt, FormProblem } from '../../shared/forms/form-problems.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { multilineText } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import {
  type ListedPart,
  type PartLists,
  type PartPlace,
  partAt,
  partsOf,
  placeName,
} from './definition-parts.ts'
import { KEY_CONTROL, PART_FIELD } from './definition-steps.ts'
import { fieldText, PART_FIELDS, type Part, type PartField, type PartKind } from './part-fields.ts'
import { partControl } from './part-problems.ts'

const NAMES = { option: 'purchase option', setting: 'setting', acknowledgement: 'acknowledgement' }

/** For the heading of what a step has opened: it may be far below the top of the page. */
const FOCUSED = html` tabindex="-1" autofocus`

/**
 * The parts of a definition as a list, each with its buttons.
 *
 * @param options `saveLabel`: what the button says that stores the definition. `isReturn`: whether
 *   the form of a part was left. `listed`: the option whose settings are listed of very many
 */
export function partsView(
  definition: Part,
  {
    saveLabel,
    isReturn,
    listed,
  }: { saveLabel: string; isReturn: boolean; listed: string | undefined },
): Html {
  const { options, settings, acknowledgements, others } = partsOf(definition, listed)
  const count = settings.reduce((sum, one) => sum + one.settings.length + one.onDemand, 0)
  const groups = [
    html`<h3>Purchase options</h3>${list(options)}${adding({ kind: 'option', index: undefined })}`,
    ...settings.map(
      (one) => html`<h3>Settings of <bdi>${one.optionName}</bdi></h3>${settingsList(one)}
${adding({ kind: 'setting', optionId: one.optionId, key: undefined }, one.optionName)}`,
    ),
    html`<h3>Acknowledgements</h3>${list(acknowledgements)}
${adding({ kind: 'acknowledgement', index: undefined })}`,
  ]
  return html`<details class="card outline"${(isReturn || listed !== undefined) && html` open`}>
<summary${isReturn && FOCUSED}><h2>Edit with forms</h2> <span class="row-note">${[
    counted(options.length, 'purchase option'),
    counted(count, 'setting'),
    counted(acknowledgements.length, 'acknowledgement'),
  ].join(', ')}</span></summary>
<p class="hint">Forms edit the definition. Choose “${saveLabel}” to publish.</p>
<div class="outline-groups">${groups.map((group) => html`<section class="parts">${group}</section>`)}</div>
${others > 0 && html`<p class="hint">And ${others} more: edit them in the text.</p>`}
</details>`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function settingsList({ optionId, optionName, settings, onDemand }: PartLists['settings'][number]) {
  if (onDemand === 0) return list(settings, optionName)
  const label = html`Show ${onDemand} settings<span class="visually-hidden"> of ${optionName}</span>`
  return html`<p>${stepButton(`list:${optionId}`, label)}</p>`
}

/** @param optionName of the purchase option that the parts belong to */
function list(parts: readonly ListedPart[], optionName?: string): Html {
  if (parts.length === 0) return html`<p class="muted">None.</p>`
  return html`<ul class="part-list">${parts.map(({ place, title, note }) => {
    const of = optionName !== undefined && html` of ${optionName}`
    const what = html`<span class="visually-hidden"> ${NAMES[place.kind]} ${title}${of}</span>`
    return html`<li><span class="row-text"><bdi>${title}</bdi> <span class="fine"><bdi>${note}</bdi></span></span>
${stepButton(`edit:${placeName(place)}`, html`Edit${what}`)}
${stepButton(`remove:${placeName(place)}`, html`Remove${what}`)}</li>
`
  })}</ul>`
}

function adding(place: PartPlace, to?: string): Html {
  const label = html`Add ${NAMES[place.kind]}${to !== undefined && html`<span class="visually-hidden"> to ${to}</span>`}`
  return html`<p>${stepButton(`edit:${placeName(place)}`, label)}</p>`
}

function stepButton(step: string, label: Html): Html {
  return html`<button class="button small" type="submit" name="do" value="${step}">${label}</button>`
}

/** The form of one part; undefined when the part is not in the definition and nothing was typed. */
export function partForm(
  definition: Part,
  place: PartPlace,
  typed: FormFields,
  problems: readonly FormProblem[],
): Html | undefined {
  const part = partAt(definition, place) ?? (typed.has(TYPED_MARK) ? {} : undefined)
  if (part === undefined) return undefined
  const isNew = place.kind === 'setting' ? place.key === undefined : place.index === undefined
  // After a refusal the form has what was typed, else what the part has.
  const filled = typed.has(TYPED_MARK) ? typed : storedFields(place, part)
  return html`<section class="card parts" aria-labelledby="part-title">
<h2 id="part-title"${problems.length === 0 && FOCUSED}>${isNew ? 'New' : 'Edit'} ${NAMES[place.kind]}</h2>
<input type="hidden" name="${PART_FIELD}" value="${placeName(place)}">
<input type="hidden" name="${TYPED_MARK}" value="yes">
${partControls(place.kind, { typed: filled, problems })}
<p class="actions">
<button class="button primary" type="submit" name="do" value="apply">Apply to definition</button>
<button class="button" type="submit" name="do" value="leave">Cancel</button></p></section>`
}

/** Says that the fields of a part hold what was typed, also where they are empty. */
const TYPED_MARK = 'p.typed'

const KEY: Field = { label: 'Key', hint: 'Your app reads the value by this name.' }

/**
 * The controls of a kind of part, as they were filled in.
 *
 * @param without the members that are not asked for
 */
export function partControls(
  kind: PartKind,
  { typed, problems }: FormAttempt,
  without: readonly string[] = [],
): Html {
  const asked = PART_FIELDS[kind].filter(({ name }) => !without.includes(name))
  const fields = asked.map((field): [string, Field] => {
    const id = partControl(field.name)
    return [id, kitField(field, typed.get(id) ?? '')]
  })
  const spec: FormSpec = Object.fromEntries([
    ...(kind === 'setting' ? [[KEY_CONTROL, KEY] as const] : []),
    ...fields,
  ])
  const lines = [...typed.keys()].map((name) => [name, multilineText(typed, name)] as const)
  const first = fields.flatMap(([id, field]): [string, string][] =>
    field.kind === 'radio' ? [[id, field.choices[0]?.[0] ?? '']] : [],
  )
  return controlsView(spec, { typed: new Map([...first, ...lines]), problems })
}

function storedFields(place: PartPlace, part: Part): FormFields {
  const key = place.kind === 'setting' ? (place.key ?? '') : ''
  const stored = PART_FIELDS[place.kind]
    .filter(({ name }) => Object.hasOwn(part, name))
    .map((field) => [partControl(field.name), fieldText(field, part)] as const)
  return new Map([[KEY_CONTROL, key], ...stored])
}

function kitField({ type, when, ...field }: PartField, value: string): Field {
  const common = { ...field, when: when?.[1] }
  if (type === 'flag') return { ...common, kind: 'check' }
  if (type === 'lines' || type === 'list') return { ...common, kind: 'lines' }
  if (type === 'text' || type === 'number') return common
  // A text that is none of the choices stays, for the check to refuse.
  const isKnown = value === '' || type.some(([one]) => one === value)
  const choices = isKnown ? type : [[value, value] as const, ...type]
  return { ...common, kind: choices.length > RADIO_MAX ? 'choice' : 'radio', choices }
}

/** So many choices are shown at once. */
const RADIO_MAX = 6
