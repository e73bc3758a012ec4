import {
  type FormAttempt,
  type FormProblem,
  problemSummary,
  UNTOUCHED,
} from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  hiddenFields,
  type PageShell,
  page,
  type SiteSection,
} from '../shared/page/html-page.ts'
import { markBadge } from './badge.ts'
import { controlsView, type FormSpec } from './fields.ts'

type NarrowShown = {
  title: string
  /** The heading, where it is not the title. */
  heading?: Html | string
  /** Under the heading, both in the middle of the card, with a picture above them. */
  lead?: Html | string
  face?: Html | false
  section?: SiteSection
  /** What is wrong with its form, above the card. */
  problems?: readonly FormProblem[]
  /** Whether a form was refused of which the content says itself what is wrong. */
  isRefused?: boolean
  content: Html
  /** Under the card. */
  below?: Html
}

/** A page of one card without the navigation of a console: a sign-in, a choice, what a link is for. */
export function narrowPage(
  { user, csrfToken, assetVersion }: PageShell,
  shown: NarrowShown,
): HtmlPage {
  const { title, heading = title, lead, face, section, problems = [], content, below } = shown
  const head = html`<h1 id="heading">${heading}</h1>`
  return page({
    user,
    csrfToken,
    assetVersion,
    title,
    section,
    layout: 'narrow',
    hasProblems: shown.isRefused ?? problems.length > 0,
    body: html`${problemSummary(problems)}
<section class="card" aria-labelledby="heading">
${
  lead === undefined
    ? head
    : html`<div class="card-head">${face}${head}
<p class="lead">${lead}</p></div>`
}
${content}</section>
${below}`,
  })
}

type NarrowForm = {
  action: string
  csrfToken: string
  button: string
  hidden?: Readonly<Record<string, string>>
  /** Before its fields, such as the name for password managers. */
  intro?: Html
}

/** The form of such a page: its fields, and one button as wide as they are. */
export function narrowForm(
  { action, csrfToken, button, hidden = {}, intro }: NarrowForm,
  fields: FormSpec = {},
  attempt: FormAttempt = UNTOUCHED,
): Html {
  return html`<form class="stack" method="post" action="${action}">
${csrfField(csrfToken)}
${hiddenFields(hidden)}${intro}${controlsView(fields, attempt)}
<button class="button primary block" type="submit">${button}</button></form>`
}

/** The choices of a form, a button each. */
export function choiceButtons(
  name: string,
  choices: readonly { value: string; text: Html | string; note: Html; isCurrent: boolean }[],
): Html {
  return html`<ul class="choices">
${choices.map(
  ({ value, text, note, isCurrent }) => html`<li><button class="choice" type="submit" name="${name}"
value="${value}"${isCurrent && html` aria-current="true"`}><span class="choice-text"><span
class="choice-name">${text}</span>
<span class="badges">${note}${isCurrent && markBadge('Current')}</span></span></button>
</li>
`,
)}</ul>`
}
