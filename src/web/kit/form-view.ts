import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { controlsView, type FormSpec } from './fields.ts'

type FormInput = {
  action: string
  csrfToken: string
  /** What its button says. */
  button: string
  kind?: 'primary' | 'danger'
  /** In place of its fields. */
  controls?: (attempt: FormAttempt) => Html
  /** What it does, a sentence each, where that is said before a last word. */
  consequences?: readonly (Html | string)[]
  /** Before its fields, such as the name for password managers. */
  intro?: Html
  /** After its fields: what is no field of the kit. */
  inside?: Html
  /** Whether it is a column of cards, and none itself. */
  holdsCards?: true
  /** What else goes along with the form. */
  hidden?: Readonly<Record<string, string>>
  /** Where its way out leads, if there is one. */
  back?: { href: string } | undefined
}

/** A card with a form: its fields, its button, and the way out. */
export function formView(form: FormInput, fields: FormSpec, attempt: FormAttempt): Html {
  const { action, csrfToken, button, kind = 'primary', hidden = {}, back, inside } = form
  const { consequences, intro } = form
  const { controls = (again) => controlsView(fields, again) } = form
  return html`<form class="${form.holdsCards ? 'stack' : 'card'}" method="post" action="${action}">
${csrfField(csrfToken)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${consequences && whatHappens(consequences)}${intro}${controls(attempt)}${inside}<p class="actions"><button class="button ${kind}" type="submit">${button}</button>
${back && html`<a class="button" href="${back.href}">Cancel</a>`}</p></form>`
}

/** What a form does, a sentence each. */
export function whatHappens(consequences: readonly (Html | string)[]): Html {
  return html`<h2>What happens</h2>
<ul class="bullets">${consequences.map((one) => html`<li>${one}</li>`)}</ul>
`
}
