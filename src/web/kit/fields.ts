import { AppError, type ErrorCode } from '../../errors.ts'
import {
  describedBy,
  type FormAttempt,
  type FormProblem,
  fieldProblemText,
  sentence,
} from '../shared/forms/form-problems.ts'
import { carriedField } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { secretBox } from './settings-fields.ts'

/** A choice: its value, and its text. */
export type ChoiceOption = readonly [value: string, text: string]

/** A control of a form. */
export type Field = {
  label: string
  /** What the services' words are about, where that is not the label. */
  subject?: string
  hint?: Html | string | undefined
  /** What the services call it beside its name: `/partyId`. */
  pointers?: readonly string[]
  /** Whether it is asked for only when it has a problem or was answered before. */
  isFurther?: true
  /** What is said when it is refused, where the services' words do not fit. */
  wrong?: string
  /** Id of the message that says what is wrong with it, where that does not stand beside it. */
  toldIn?: string | undefined
  takesFocus?: boolean
  /** The answers to a field of radio buttons that it belongs to; with others it is not shown. */
  when?: readonly string[] | undefined
} & (
  | { kind?: 'text'; keyboard?: Keyboard; autocomplete?: string; optional?: boolean; unit?: string }
  | { kind: 'password'; autocomplete?: 'new-password' | 'current-password'; optional?: boolean }
  | { kind: 'secret'; optional?: boolean }
  | { kind: 'search' }
  | { kind: 'lines'; rows?: number; optional?: boolean }
  | { kind: 'code'; optional?: boolean }
  | { kind: 'file'; accept: string }
  | { kind: 'time'; optional?: boolean }
  | { kind: 'choice' | 'radio'; choices: readonly ChoiceOption[] }
  | { kind: 'check' }
)

/** Of a phone: `type="email"` would refuse or rewrite addresses that there are. */
type Keyboard = 'email' | 'url' | 'numeric' | 'text'

/** The controls of a form in their order: name -> field. */
export type FormSpec = Readonly<Record<string, Field>>

/** The controls of a form with labels, hints and problems, as they were filled in. */
export function controlsView(fields: FormSpec, attempt: FormAttempt): Html {
  const asked = Object.entries(fields).filter(
    ([name, { isFurther }]) =>
      !isFurther || attempt.typed.has(name) || attempt.problems.some(({ field }) => field === name),
  )
  return html`${asked.map(([name, field]) => controlView(name, field, attempt))}`
}

/**
 * A control with its label, its hint and what is wrong with it. It is not `autocomplete="off"`:
 * browsers would lose what was typed when they go back to the form.
 */
export function controlView(name: string, field: Field, attempt: FormAttempt): Html {
  const { problems, typed } = attempt
  const value = typed.get(name) ?? ''
  const isCarried = (field.kind === 'password' || field.kind === 'secret') && value !== ''
  const typedOne = field.kind === 'password' ? 'password' : 'value'
  const hint = isCarried ? `You typed a ${typedOne}. Leave blank to keep it.` : field.hint
  const hintId = `${name}-hint`
  const hintIds = hint ? [hintId] : []
  const { message, ...described } = describedBy(problems, name, hintIds)
  const attributes = html`${
    field.toldIn === undefined
      ? described.attributes
      : html` aria-invalid="true" aria-describedby="${[...hintIds, field.toldIn].join(' ')}"`
  }${field.takesFocus && html` autofocus`}`
  const meant = problems.filter((one) => one.field === name).flatMap((one) => one.choices ?? [])
  const shown: Field = meant.length === 0 ? field : choiceOf(field, meant)
  if (field.kind === 'radio') return radioButtons(name, field, value, { attributes, message })
  const open = html`<div class="field"${field.when && html` data-when="${field.when.join(' ')}"`}>`
  if (field.kind === 'check') {
    return html`${open}
${message}<label class="check" for="${name}"><input type="checkbox" id="${name}" name="${name}"
value="true"${value === 'true' && html` checked`}${attributes}><span>${field.label}</span></label>
${hint && html`<p class="hint" id="${hintId}">${hint}</p>`}</div>
`
  }
  const optional = 'optional' in field && field.optional === true
  return html`${open}
<label for="${name}">${field.label}${optional && html` <span class="must">(optional)</span>`}</label>
${hint && html`<p class="hint" id="${hintId}">${hint}</p>\n`}${message}${control(
  name,
  shown,
  value,
  attributes,
)}${isCarried && carriedField(name)}
</div>
`
}

/** A text that may have meant one of a few: those to choose from, or another text after all. */
function choiceOf({ label }: Field, meant: readonly { value: string; text: string }[]): Field {
  const choices = meant.map(({ value, text }) => [value, text] as const)
  return { label, kind: 'choice', choices: [...choices, ['', 'None of these']] }
}

function radioButtons(
  name: string,
  { label, hint, choices }: Extract<Field, { kind: 'choice' | 'radio' }>,
  value: string,
  { attributes, message }: ReturnType<typeof describedBy>,
): Html {
  const buttons = choices.map(([key, text], index) => {
    const id = index === 0 ? name : `${name}-${key}`
    return html`<label class="check" for="${id}"><input type="radio" id="${id}" name="${name}"
value="${key}"${key === value && html` checked`}${attributes}><span>${text}</span></label>
`
  })
  return html`<fieldset class="field">
<legend>${label}</legend>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${message}${buttons}</fieldset>
`
}

function control(name: string, field: Field, value: string, attributes: Html): Html | false {
  switch (field.kind) {
    case 'choice': {
      const options = field.choices.map(
        ([key, text]) =>
          html`<option value="${key}"${key === value && html` selected`}>${text}</option>\n`,
      )
      return html`<select id="${name}" name="${name}"${attributes}>${options}</select>`
    }
    case 'search':
      return html`<input id="${name}" name="${name}" type="search" maxlength="200" value="${value}" dir="auto"${attributes}>`
    case 'lines':
      return html`<textarea id="${name}" name="${name}" rows="${field.rows ?? 4}" dir="auto"${must(field)}${attributes}>
${value}</textarea>`
    case 'code':
      // The script adds line numbers and colours.
      return html`<div class="numbered"><textarea class="code" id="${name}" name="${name}" rows="30"
wrap="off" spellcheck="false" autocapitalize="none"${must(field)}${attributes}>
${value}</textarea></div>`
    case 'password':
      // No page shows a password again.
      return html`<input id="${name}" name="${name}" type="password"
autocomplete="${field.autocomplete ?? 'new-password'}" dir="auto"${must(field)}${attributes}>`
    case 'secret':
      return secretBox(html` id="${name}" name="${name}"${must(field)}${attributes}`)
    case 'file':
      return html`<input id="${name}" name="${name}" type="file" accept="${field.accept}" aria-required="true"${attributes}>`
    case 'time':
      return html`<input id="${name}" name="${name}" type="datetime-local"${must(field)} value="${value}"${attributes}>`
    case 'check':
    case 'radio':
      return false
    default: {
      const { keyboard, autocomplete, unit } = field
      const input = html`<input id="${name}" name="${name}" type="text"${keyboard && html` inputmode="${keyboard}"`}${
        autocomplete && html` autocomplete="${autocomplete}"`
      }${isCopied(field) && html` autocapitalize="none" spellcheck="false"`} dir="auto"${must(field)} value="${value}"${attributes}>`
      return unit === undefined
        ? input
        : html`<span class="with-unit">${input}<span class="unit">${unit}</span></span>`
    }
  }
}

/** Whether a text is no prose: a phone is not to correct it. */
function isCopied({ keyboard, autocomplete }: { keyboard?: Keyboard; autocomplete?: string }) {
  return keyboard === 'email' || keyboard === 'url' || autocomplete === 'one-time-code'
}

function must({ optional }: { optional?: boolean }): Html | false {
  return !optional && html` aria-required="true"`
}

/** Refuses a form whose controls are its own, for problems at their ids. */
export function refusedControls(
  problems: readonly FormProblem[],
  code: ErrorCode = 'unprocessable',
): AppError {
  const errors = problems.map(({ field, text }) => ({
    pointer: field === undefined ? '' : `#${field}`,
    detail: text,
  }))
  return new AppError(code, { errors })
}

/** What a service found wrong with a form, at its controls; above the form what is about none. */
export function fieldProblems(fields: FormSpec, { message, options }: AppError): FormProblem[] {
  const { errors = [] } = options
  if (errors.length === 0) return [{ field: undefined, text: sentence(message) }]
  return errors.map(({ pointer, detail, choices }) => {
    if (pointer.startsWith('#')) return { field: pointer.slice(1), text: sentence(detail) }
    const found = Object.entries(fields).find(([name, { pointers = [] }]) =>
      [`/${name}`, ...pointers].some((own) => pointer === own || pointer.startsWith(`${own}/`)),
    )
    if (found === undefined) return { field: undefined, text: sentence(detail) }
    const [name, { label, subject = label, wrong }] = found
    const text = wrong ?? fieldProblemText(subject, detail)
    return { field: name, text, ...(choices && { choices }) }
  })
}
