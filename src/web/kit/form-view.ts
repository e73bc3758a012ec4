import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, hiddenFields } from '../shared/page/html-page.ts'
import { controlsView, type FormSpec } from './fields.ts'

/** A form but for where it goes and what its button says. */
export type FormLook = {
  kind?: 'primary' | 'danger'
  /** In place of its fields: what is no field of the kit, such as the settings of an app. */
  controls?: (attempt: FormAttempt) => Html
  /** What it does, a sentence each, where that is said before a last word. */
  consequences?: readonly (Html | string)[]
  /** Before its fields, such as the name for password managers. */
  intro?: Html
  /** Whether it is a column of cards, and none itself. */
  holdsCards?: true
  /** What else goes along with the form. */
  hidden?: Readonly<Record<string, string>>
}

type FormInput = FormLook & {
  action: string
  csrfToken: string
  button: string
  /** Where its way out leads, if there is one. */
  back?: { href: string } | undefined
}

/** A card with a form: its fields, its button, and the way out. */
export function formView(form: FormInput, fields: FormSpec, attempt: FormAttempt): Html {
  const { action, csrfToken, button, kind = 'primary', hidden = {}, back } = form
  const { consequences, intro } = form
  const before = html`${consequences && whatHappens(consequences)}${intro}`
  const { controls = (again) => controlsView(fields, again) } = form
  return html`<form class="${form.holdsCards ? 'stack' : 'card'}" method="post" action="${action}"${
    hasFile(fields) && html` enctype="multipart/form-data"`
  }>
${csrfField(csrfToken)}
${hiddenFields(hidden)}
${before}${controls(attempt)}<p class="actions"><button class="button ${kind}" type="submit">${button}</button>
${back && html`<a class="button" href="${back.href}">Cancel</a>`}</p></form>`
}

/** Browsers send files in a form of another type. */
function hasFile(fields: FormSpec): boolean {
  return Object.values(fields).some(({ kind }) => kind === 'file')
}

/** What a form does, a sentence each. */
export function whatHappens(consequences: readonly (Html | string)[]): Html {
  return html`<h2>What happens</h2>
<ul class="bullets">${consequences.map((one) => html`<li>${one}</li>`)}</ul>
`
}
