import { describedBy, type FormProblem } from '../../shared/forms/form-problems.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { multilineText } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { type ListedPart, type PartPlace, partAt, partsOf, placeName } from './definition-parts.ts'
import { KEY_CONTROL, PART_FIELD } from './definition-steps.ts'
import { fieldText, PART_FIELDS, type Part, type PartField } from './part-fields.ts'
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
  return html`<section class="card parts" aria-labelledby="parts"><h2 id="parts"${isReturn && FOCUSED}>Parts</h2>
<p class="hint">Forms edit the definition. Choose “${saveLabel}” to publish.</p>
<h3>Purchase options</h3>${list(options)}${adding({ kind: 'option', index: undefined })}
${settings.map(
  (one) =>
    html`<h3>Settings of <bdi>${one.optionName}</bdi></h3>${
      one.onDemand > 0
        ? html`<p>${stepButton(
            `list:${one.optionId}`,
            html`Show ${one.onDemand} settings<span class="visually-hidden"> of ${one.optionName}</span>`,
          )}</p>`
        : list(one.settings, one.optionName)
    }${adding({ kind: 'setting', optionId: one.optionId, key: undefined }, one.optionName)}`,
)}
<h3>Acknowledgements</h3>${list(acknowledgements)}${adding({ kind: 'acknowledgement', index: undefined })}
${others > 0 && html`<p class="hint">And ${others} more: edit them in the text.</p>`}
</section>`
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
  const textIn = (name: string, stored: string) =>
    typed.has(TYPED_MARK) ? multilineText(typed, name) : stored
  const key = place.kind === 'setting' && keyField(textIn(KEY_CONTROL, place.key ?? ''), problems)
  return html`<section class="card parts" aria-labelledby="part-title">
<h2 id="part-title"${problems.length === 0 && FOCUSED}>${isNew ? 'New' : 'Edit'} ${NAMES[place.kind]}</h2>
<input type="hidden" name="${PART_FIELD}" value="${placeName(place)}">
<input type="hidden" name="${TYPED_MARK}" value="yes">
${key}${PART_FIELDS[place.kind].map((field) =>
  control(field, textIn(partControl(field.name), fieldText(field, part)), problems),
)}
<p class="actions"><button class="button primary" type="submit" name="do" value="apply">Apply to definition</button>
<button class="button" type="submit" name="do" value="leave">Cancel</button></p></section>`
}

/** Says that the fields of a part hold what was typed, also where they are empty. */
const TYPED_MARK = 'p.typed'

function keyField(value: string, problems: readonly FormProblem[]): Html {
  const { attributes, message } = describedBy(problems, KEY_CONTROL, ['key-hint'])
  return html`<div class="field"><label for="${KEY_CONTROL}">Key <span class="must">(required)</span></label>
<p class="hint" id="key-hint">Your app reads the value by this name.</p>${message}
<input type="text" id="${KEY_CONTROL}" name="${KEY_CONTROL}" value="${value}" spellcheck="false"
autocapitalize="none"${attributes}></div>
`
}

function control(field: PartField, value: string, problems: readonly FormProblem[]): Html {
  const { name, label, type, hint } = field
  const id = partControl(name)
  const hintId = `hint-${name}`
  const { attributes, message } = describedBy(problems, id, hint === undefined ? [] : [hintId])
  const common = html` id="${id}" name="${id}"${attributes}`
  const hinted = hint !== undefined && html`<p class="hint" id="${hintId}">${hint}</p>`
  const labelled = html`<label for="${id}">${label}</label>`
  if (type === 'flag') {
    return html`<div class="field"><div class="check"><input type="checkbox"${common} value="true"${
      value === 'true' && html` checked`
    }>${labelled}</div>${message}</div>
`
  }
  return html`<div class="field">${labelled}${hinted}${message}${widget(type, common, value)}</div>
`
}

function widget(type: Exclude<PartField['type'], 'flag'>, common: Html, value: string): Html {
  if (type === 'lines' || type === 'list') {
    return html`<textarea${common} rows="4" dir="auto">
${value}</textarea>`
  }
  if (type === 'text' || type === 'number') {
    return html`<input type="text"${common} dir="auto" value="${value}">`
  }
  const isKnown = type.some(([one]) => one === value)
  return html`<select${common}>${!isKnown && value !== '' && html`<option value="${value}" selected>${value}</option>`}${type.map(
    ([one, label]) =>
      html`<option value="${one}"${one === value && html` selected`}>${label}</option>`,
  )}</select>`
}
