import { accountGlyph, appFace } from '../kit/avatar.ts'
import { narrowPage } from '../kit/narrow-page.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  hiddenFields,
  type PageShell,
  partyBadge,
} from '../shared/page/html-page.ts'
import type { PageParty } from '../shared/page/page-party.ts'

type PartyChooserPageInput = Pick<PageShell, 'assetVersion' | 'user'> & {
  csrfToken: string
  /** The redirect's own address: where the form fails, its page leads back to all of that. */
  action: string
  appId: string
  appName: string
  parties: readonly PageParty[]
  /** The redirect's own query, carried through the form. */
  fields: Readonly<Record<string, string>>
  /** Whether the app is told when the user cancels. */
  canCancel: boolean
}

/**
 * Asks for which account the app is to be opened. Each choice is a submit button of one form: POST
 * `/Apps/Authenticate/{appId}` with the redirect's own query, in the form too, `partyId` or
 * `cancel`, and `_csrf`.
 */
export function partyChooserPage(input: PartyChooserPageInput): HtmlPage {
  const { csrfToken, action, appId, appName, parties, fields, canCancel } = input
  return narrowPage(input, {
    title: `Choose an account for ${appName}`,
    heading: 'Choose an account',
    face: appFace(appId),
    lead: html`to open <strong><bdi>${appName}</bdi></strong>`,
    content: html`<form method="post" action="${action}">
${csrfField(csrfToken)}
${hiddenFields(fields)}
<ul class="choices">${parties.map(choice)}</ul>
${canCancel && cancelButton}</form>`,
    below: html`<p class="aside">The app sees the data of the account you choose, within the permissions you agreed to.</p>`,
  })
}

function choice({ partyId, partyName, partyType }: PageParty): Html {
  return html`<li>
    <button class="choice" type="submit" name="partyId" value="${partyId}">
      ${accountGlyph(partyType)}
      <span class="choice-text">
        <span class="choice-name"><bdi>${partyName}</bdi></span>
        <span class="choice-note">${partyBadge(partyType)}</span>
      </span>
    </button>
  </li>`
}

const cancelButton = html`<p class="actions">
  <button class="button" type="submit" name="cancel" value="yes">Cancel</button>
</p>`
