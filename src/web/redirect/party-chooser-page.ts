import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type PageShell, page, partyBadge, tile } from '../shared/page/html-page.ts'
import type { PageParty } from '../shared/page/page-party.ts'

type PartyChooserPageInput = Pick<PageShell, 'assetVersion' | 'user'> & {
  csrfToken: string
  appId: string
  appName: string
  parties: readonly PageParty[]
  /** The redirect's own query, carried through the form. */
  query: { clientId?: string | undefined; state?: string | undefined }
}

/**
 * Asks for which account an app shall be opened. Each choice is a submit button of one form, POST
 * `/Apps/Authenticate/{appId}` with `partyId`, `_csrf` and, where given, `clientId` and `state`.
 */
export function partyChooserPage(input: PartyChooserPageInput): string {
  const { csrfToken, appId, appName, parties, query, user, assetVersion } = input
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
${tile(appName)}
<h1 id="heading">Choose an account</h1>
<p class="lead">to open <strong><bdi>${appName}</bdi></strong></p></div>
<form method="post" action="/Apps/Authenticate/${encodeURIComponent(appId)}">
${csrfField(csrfToken)}
${hidden('clientId', query.clientId)}
${hidden('state', query.state)}
<ul class="choices">
${parties.map(choice)}</ul></form></section>
<p class="aside">The app sees the data of the account you choose, within the permissions you agreed to.</p>`
  return page({
    title: `Choose an account for ${appName}`,
    layout: 'narrow',
    user,
    csrfToken,
    assetVersion,
    body,
  })
}

function choice(party: PageParty): Html {
  return html`<li><button class="choice" type="submit" name="partyId" value="${party.partyId}"><span
class="choice-text"><span class="choice-name"><bdi>${party.partyName}</bdi></span>
<span class="choice-note">${partyBadge(party.partyType)}</span></span></button></li>
`
}

function hidden(name: string, value: string | undefined): Html | false {
  return value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`
}
