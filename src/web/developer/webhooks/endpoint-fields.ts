import { EVENT_TYPES, type EventType } from '../../../marketplace/events/event-types.ts'
import { controlsView, type FormSpec } from '../../kit/fields.ts'
import { describedBy, type FormAttempt } from '../../shared/forms/form-problems.ts'
import { removalOf } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { chosenTypes, ENDPOINT_FIELD, HEADER_ROWS, OFFERED_TYPES } from './endpoint-form.ts'

const URL_FIELD: FormSpec = {
  [ENDPOINT_FIELD.url]: {
    label: 'URL',
    keyboard: 'url',
    hint: 'Where your program receives events, such as https://hooks.example.com/events.',
  },
}
const ORDER_FIELD: FormSpec = {
  [ENDPOINT_FIELD.ordered]: {
    label: 'Keep the order',
    kind: 'check',
    hint: 'Sends events of one installation one after the other. One that fails holds back those after it.',
  },
}

/**
 * The controls of the form of an endpoint.
 *
 * @param headerNames names of the headers that there are
 */
export function endpointControls(attempt: FormAttempt, headerNames: readonly string[] = []): Html {
  return html`<div class="stack">
${controlsView(URL_FIELD, attempt)}
${typeFields(attempt)}
${controlsView(ORDER_FIELD, attempt)}
${headerFields(attempt, headerNames)}
</div>
`
}

const GROUPS = [
  { title: 'Installations', prefix: 'installation.' },
  { title: 'App', prefix: 'app.' },
  { title: 'Webhooks', prefix: 'webhook.' },
] as const

function typeFields({ typed, problems }: FormAttempt): Html {
  const { attributes, message } = describedBy(problems, 'types')
  const takesAll = typed.get(ENDPOINT_FIELD.scope) !== 'chosen'
  const chosen = chosenTypes(typed)
  const scope = (value: string, label: string, isChecked: boolean) =>
    html`<label class="check">
<input type="radio" name="${ENDPOINT_FIELD.scope}" value="${value}"${isChecked && html` checked`}>
<span>${label}</span></label>
`
  const groups = GROUPS.map(({ title, prefix }) => {
    const types = OFFERED_TYPES.filter((type) => type.startsWith(prefix))
    return html`<fieldset class="stack"><legend>${title}</legend>
${types.map((type) => typeBox(type, chosen.has(type)))}</fieldset>
`
  })
  return html`<fieldset class="stack type-choice" id="types" tabindex="-1"${attributes}>
<legend>Events</legend>
${message}<div class="stack">
${scope('all', 'All events, including types added later', takesAll)}
${scope('chosen', 'Only these types', !takesAll)}</div>
<div class="stack type-list">${groups}</div>
</fieldset>
`
}

function typeBox(type: EventType, isChecked: boolean): Html {
  return html`<label class="check">
<input type="checkbox" name="${ENDPOINT_FIELD.type(type)}" value="true"${isChecked && html` checked`}>
<span><code>${type}</code> <span class="row-note">${EVENT_TYPES[type].description}</span></span></label>
`
}

function headerFields(attempt: FormAttempt, headerNames: readonly string[]): Html {
  const { typed } = attempt
  // They are open for a developer who uses them.
  const isOpen =
    headerNames.length > 0 ||
    HEADER_ROWS.some(
      (row) =>
        typed.get(ENDPOINT_FIELD.headerName(row)) || typed.get(ENDPOINT_FIELD.headerValue(row)),
    )
  return html`<details${isOpen && html` open`}>
<summary>Request headers</summary>
<div class="stack">
<p class="hint">Every request carries them, for example <code>authorization</code>. At most 10. A value is
one line. Values are stored encrypted and never shown again.</p>
${headerNames.map((name) => keptHeader(name, attempt))}
${HEADER_ROWS.map((row) => headerRow(row, attempt))}</div>
</details>
`
}

function keptHeader(name: string, attempt: FormAttempt): Html {
  const field = ENDPOINT_FIELD.keptHeader(name)
  const hint = 'A value is saved. Leave blank to keep it.'
  const fields: FormSpec = {
    [field]: { label: name, kind: 'secret', optional: true, hint },
    [removalOf(field)]: { label: `Remove ${name}`, kind: 'check' },
  }
  return controlsView(fields, attempt)
}

function headerRow(row: number, attempt: FormAttempt): Html {
  const [name, value] = [ENDPOINT_FIELD.headerName(row), ENDPOINT_FIELD.headerValue(row)]
  const fields: FormSpec = {
    [name]: { label: `Header name ${row}`, optional: true },
    [value]: { label: `Value ${row}`, kind: 'secret', optional: true },
    ...(attempt.typed.get(value) && {
      [removalOf(value)]: { label: 'Remove the value you typed', kind: 'check' },
    }),
  }
  return html`<div class="pair">
${controlsView(fields, attempt)}</div>
`
}
