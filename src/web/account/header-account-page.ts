import { markBadge } from '../kit/badge.ts'
import { type FormProblem, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  page,
  partyBadge,
  type UserShell,
} from '../shared/page/html-page.ts'
import type { PageParty } from '../shared/page/page-party.ts'

type HeaderAccountPageInput = UserShell & {
  /** The accounts that the visitor may act for now. */
  parties: readonly PageParty[]
  chosenId: number | undefined
  /** Path of this site that the choice leads back to. */
  next: string
  /** Path of this site for a visitor who changes nothing. */
  back: string
  problems: readonly FormProblem[]
}

/** Asks which account the pages shall be about from now on, or all of them. */
export function headerAccountPage(input: HeaderAccountPageInput): HtmlPage {
  const { user, csrfToken, assetVersion, parties, chosenId, next, back, problems } = input
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head"><h1 id="heading">Switch account</h1>
<p class="lead">Prices, installations and lists show the account you choose until you sign out.</p></div>
${problemSummary(problems)}
<form method="post" action="/Account/Choose">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<ul class="choices">
${choice('', html`All accounts`, html`<span class="hint">Choose each time</span>`, chosenId === undefined)}
${parties.map(({ partyId, partyName, partyType }) =>
  choice(
    String(partyId),
    html`<bdi>${partyName}</bdi>`,
    partyBadge(partyType),
    partyId === chosenId,
  ),
)}</ul></form></section>
<p class="aside"><a href="${back}">Keep the current account</a></p>`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: 'Switch account',
    hasProblems: problems.length > 0,
    section: 'account',
    layout: 'narrow',
    body,
  })
}

function choice(value: string, name: Html, note: Html, isChosen: boolean): Html {
  return html`<li><button class="choice" type="submit" name="partyId"
value="${value}"${isChosen && html` aria-current="true"`}><span class="choice-text"><span
class="choice-name">${name}</span>
<span class="badges">${note}${isChosen && markBadge('Current')}</span></span></button>
</li>
`
}
