import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, hiddenFields } from '../shared/page/html-page.ts'
import { framePage, type Place, type Shown, type Visit } from './frame.ts'

/** Something that is done with a record: a page that a link leads to, or a form of one button. */
export type RecordAction = { label: string } & (
  | { href: string }
  | { post: string; hidden?: Readonly<Record<string, string>> }
)

/** What cannot be taken back, or stops something: its name, what it does, and where. */
export type Danger = { title: string; effect: Html | string; label: string; href: string }

export type DetailShown = Omit<Shown, 'content' | 'aside'> & {
  badges?: Html | false
  /** The one or two that are done most. */
  usual?: readonly RecordAction[]
  /** The others, in one menu. */
  others?: readonly RecordAction[]
  /** Above all else, such as that it is suspended. */
  notices?: Html | false
  /** Items of a `<dl>`, and what stands below them. */
  facts: Html
  below?: Html | false
  /** What belongs to the record, a card each; `aside` stands below the facts. */
  cards?: Html
  aside?: Html | false
  dangers?: readonly Danger[]
}

/** A record: its name and state, what can be done with it, its facts and what belongs to it. */
export function detailPage(place: Place, visit: Visit, record: DetailShown): HtmlPage {
  const {
    badges,
    usual = [],
    others = [],
    notices,
    facts,
    below,
    cards,
    aside,
    dangers = [],
    ...shown
  } = record
  const factCard = html`<section class="card" aria-labelledby="facts">
<h2 id="facts">Details</h2>
<dl class="facts">${facts}</dl>
${below}</section>
${aside}`
  return framePage(place, visit, {
    ...shown,
    layout: shown.layout ?? 'wide',
    beside: html`${badges && html`<span class="badges">${badges}</span>`}${
      usual.length + others.length > 0 &&
      html`<div class="record-actions">
${usual.map((one) => actionView(one, visit.csrfToken, 'button'))}${others.length > 0 && menu(others, visit.csrfToken)}</div>`
    }`,
    content: html`${notices}
${
  cards === undefined
    ? factCard
    : html`<div class="columns">
<div class="column">${cards}</div>
<div class="column">${factCard}</div>
</div>`
}
${dangers.length > 0 && dangerZone(dangers)}`,
  })
}

/** A menu of what is done less often; it opens without a script, too. */
function menu(actions: readonly RecordAction[], csrfToken: string): Html {
  return html`<details class="menu">
<summary class="button">Actions</summary>
<ul class="menu-list">${actions.map((one) => html`<li>${actionView(one, csrfToken, 'menu-item')}</li>\n`)}</ul>
</details>
`
}

function actionView(action: RecordAction, csrfToken: string, look: string): Html {
  if ('href' in action) return html`<a class="${look}" href="${action.href}">${action.label}</a>\n`
  const { post, label, hidden = {} } = action
  return html`<form method="post" action="${post}">
${csrfField(csrfToken)}
${hiddenFields(hidden)}
<button class="${look}" type="submit">${label}</button>
</form>
`
}

/** What is hard to undo, at the end of a page. */
function dangerZone(dangers: readonly Danger[]): Html {
  return html`<section class="card flush danger-zone" aria-labelledby="danger">
<div class="section-head"><h2 id="danger">Danger zone</h2></div>
<ul class="rows">${dangers.map(
    ({ title, effect, label, href }) => html`<li class="row console-row">
<span class="row-text"><span class="row-name">${title}</span><span class="row-note">${effect}</span></span>
<a class="button danger" href="${href}">${label}</a></li>
`,
  )}</ul>
</section>
`
}
