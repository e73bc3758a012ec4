import { EVENT_TYPES, type EventType } from '../../../marketplace/events/event-types.ts'
import { describedBy, type FormProblem } from '../../shared/forms/form-problems.ts'
import { carriedField, type FormFields, removalOf } from '../../shared/forms/settings-form.ts'
import { secretBox } from '../../shared/forms/settings-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { ENDPOINT_FIELD, HEADER_ROWS, OFFERED_TYPES, type ShownEndpoint } from './endpoint-form.ts'

type EndpointFieldsInput = {
  shown: ShownEndpoint
  problems: readonly FormProblem[]
  typed?: FormFields | undefined
  /** Names of the headers that there are. */
  headerNames?: readonly string[]
}

/** The controls of the form of an endpoint. */
export function endpointFields(input: EndpointFieldsInput): Html {
  const { shown, problems } = input
  const url = describedBy(problems, ENDPOINT_FIELD.url, ['url-hint'])
  return html`<div class="field"><label for="url">URL <span class="must">(required)</span></label>
<p class="hint" id="url-hint">Where your program receives events, such as https://hooks.example.com/events.</p>
${url.message}<input type="url" id="url" name="${ENDPOINT_FIELD.url}" maxlength="2000" autocapitalize="none" autocomplete="off"
spellcheck="false" value="${shown.url}" aria-required="true"${url.attributes}></div>
${typeFields(input)}
<div class="field"><div class="check"><input type="checkbox" id="ordered" name="${ENDPOINT_FIELD.ordered}" value="yes"
aria-describedby="ordered-hint"${shown.ordered && html` checked`}><label for="ordered">Keep the order</label></div>
<p class="hint" id="ordered-hint">Sends events of one installation one after the other. One that fails holds
back those after it.</p></div>
${headerFields(input)}`
}

const GROUPS = [
  { title: 'Installations', prefix: 'installation.' },
  { title: 'App', prefix: 'app.' },
  { title: 'Webhooks', prefix: 'webhook.' },
] as const

function typeFields({ shown, problems }: EndpointFieldsInput): Html {
  const { attributes, message } = describedBy(problems, 'types')
  const scope = (value: string, label: string, checked: boolean) =>
    html`<div class="check"><input type="radio" id="scope-${value}" name="${ENDPOINT_FIELD.scope}" value="${value}"${
      checked && html` checked`
    }><label for="scope-${value}">${label}</label></div>
`
  return html`<fieldset class="stack type-choice" id="types" tabindex="-1"${attributes}><legend>Events</legend>
${message}<div class="stack">${scope('all', 'All events, including types added later', shown.takesAll)}${scope(
    'chosen',
    'Only these types',
    !shown.takesAll,
  )}</div>
<div class="stack type-list">${GROUPS.map(
    ({
      title,
      prefix,
    }) => html`<fieldset class="stack"><legend>${title}</legend>${OFFERED_TYPES.filter((type) =>
      type.startsWith(prefix),
    ).map((type) => typeBox(type, shown.types.has(type)))}</fieldset>
`,
  )}</div></fieldset>`
}

function typeBox(type: EventType, checked: boolean): Html {
  const field = ENDPOINT_FIELD.type(type)
  return html`<div class="check"><input type="checkbox" id="${field}" name="${field}" value="yes"${
    checked && html` checked`
  }><label for="${field}"><code>${type}</code> <span class="row-note">${EVENT_TYPES[type].description}</span></label></div>
`
}

function headerFields({ problems, typed, headerNames = [] }: EndpointFieldsInput): Html {
  // They are open for a developer who uses them.
  const isOpen =
    headerNames.length > 0 ||
    HEADER_ROWS.some(
      (row) =>
        typed?.get(ENDPOINT_FIELD.headerName(row)) || typed?.get(ENDPOINT_FIELD.headerValue(row)),
    )
  return html`<details${isOpen && html` open`}><summary>Request headers</summary><div class="stack">
<p class="hint">Every request carries them, for example <code>authorization</code>. At most 10. A value is
one line. Values are stored encrypted and never shown again.</p>${headerNames.map((name) =>
    keptHeader(name, problems, typed),
  )}${HEADER_ROWS.map((row) => headerRow(row, problems, typed))}</div></details>`
}

function keptHeader(name: string, problems: readonly FormProblem[], typed?: FormFields): Html {
  const field = ENDPOINT_FIELD.keptHeader(name)
  const { attributes, message } = describedBy(problems, field, [`${field}-hint`])
  const isTyped = Boolean(typed?.get(field))
  const removal = removalOf(field)
  return html`<div class="field"><label for="${field}"><bdi><code>${name}</code></bdi></label>
<p class="hint" id="${field}-hint">${isTyped ? 'You typed a value.' : 'A value is saved.'} Leave blank to keep it.</p>
${message}${secretBox(html` id="${field}" name="${field}"${attributes}`)}${
  isTyped && carriedField(field)
}<div class="check"><input type="checkbox" id="${removal}"
name="${removal}" value="yes"${typed?.has(removal) && html` checked`}><label
for="${removal}">Remove <code>${name}</code></label></div></div>
`
}

function headerRow(row: number, problems: readonly FormProblem[], typed?: FormFields): Html {
  const [nameField, valueField] = [ENDPOINT_FIELD.headerName(row), ENDPOINT_FIELD.headerValue(row)]
  const name = describedBy(problems, nameField)
  const isTyped = Boolean(typed?.get(valueField))
  const value = describedBy(problems, valueField, isTyped ? [`${valueField}-hint`] : [])
  const removal = removalOf(valueField)
  return html`<div class="pair"><div class="field"><label for="${nameField}">Header name ${row}</label>
${name.message}<input id="${nameField}" name="${nameField}" maxlength="100" autocapitalize="none" autocomplete="off"
spellcheck="false" value="${typed?.get(nameField) ?? ''}"${name.attributes}></div>
<div class="field"><label for="${valueField}">Value ${row}</label>
${isTyped && html`<p class="hint" id="${valueField}-hint">You typed a value. Leave blank to keep it.</p>`}${value.message}${secretBox(
  html` id="${valueField}" name="${valueField}"${value.attributes}`,
)}${
  isTyped &&
  html`${carriedField(valueField)}<div class="check"><input type="checkbox" id="${removal}" name="${removal}"
value="yes"><label for="${removal}">Remove the value you typed</label></div>`
}</div></div>
`
}
