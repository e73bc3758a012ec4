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
  /** Before its fields, such as the name for password managers. */
  intro?: Html
  /** What else goes along with the form. */
  hidden?: Readonly<Record<string, string>>
  /** Where its way out leads. */
  back: { href: string }
}

/** A card with a form: its fields, its button, and the way out. */
export function formView(form: FormInput, fields: FormSpec, attempt: FormAttempt): Html {
  const { action, csrfToken, button, kind = 'primary', hidden = {}, intro, back } = form
  return html`<form class="card" method="post" action="${action}">
${csrfField(csrfToken)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${intro}${controlsView(fields, attempt)}<p class="actions"><button class="button ${kind}" type="submit">${button}</button>
<a class="button" href="${back.href}">Cancel</a></p></form>`
}
