import { type FormAttempt, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../shared/page/html-page.ts'
import { controlsView, type FormSpec } from './fields.ts'
import { framePage, type Place, type Shown, type Visit } from './frame.ts'

/** What is asked before something is done, and what is typed with the answer. */
export type Question = Omit<Shown, 'content' | 'layout'> & {
  back: { href: string; label: string }
  /** Where the form goes. */
  action: string
  /** What its button says. */
  button?: string
  /** Where to go first, where it cannot be done yet. */
  instead?: { href: string; label: string }
  kind?: 'primary' | 'danger'
  /** What happens then, a sentence each. */
  consequences: readonly (Html | string)[]
  /** Before the question, such as a checklist. */
  above?: Html
  fields?: FormSpec
  attempt?: FormAttempt
}

/** Says what something does before it is done, and asks for a last word. */
export function questionPage(place: Place, visit: Visit, question: Question): HtmlPage {
  const { back, action, button, instead, kind = 'danger', consequences, above } = question
  const { fields = {}, attempt = { ...UNTOUCHED, problems: visit.problems ?? [] } } = question
  return framePage(
    place,
    { ...visit, problems: attempt.problems },
    {
      ...question,
      layout: 'form',
      content: html`${above}<form class="card" method="post" action="${action}">
${csrfField(visit.csrfToken)}
${whatHappens(consequences)}${controlsView(fields, attempt)}<p class="actions">
${button !== undefined && html`<button class="button ${kind} large" type="submit">${button}</button>`}${
  instead && html`<a class="button primary large" href="${instead.href}">${instead.label}</a>`
}
<a class="button large" href="${back.href}">Cancel</a></p></form>`,
    },
  )
}

/** What a form does, a sentence each. */
export function whatHappens(consequences: readonly (Html | string)[]): Html {
  return html`<h2>What happens</h2>
<ul class="bullets">${consequences.map((one) => html`<li>${one}</li>`)}</ul>
`
}
