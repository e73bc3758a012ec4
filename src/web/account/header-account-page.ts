import { choiceButtons, narrowPage } from '../kit/narrow-page.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  hiddenFields,
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
  const { csrfToken, parties, chosenId, next, back, problems } = input
  const all = {
    value: '',
    text: 'All accounts',
    note: html`<span class="hint">Choose each time</span>`,
    isCurrent: chosenId === undefined,
  }
  const each = parties.map(({ partyId, partyName, partyType }) => ({
    value: String(partyId),
    text: html`<bdi>${partyName}</bdi>`,
    note: partyBadge(partyType),
    isCurrent: partyId === chosenId,
  }))
  return narrowPage(input, {
    title: 'Switch account',
    section: 'account',
    lead: 'Prices, installations and lists show the account you choose until you sign out.',
    problems,
    content: html`<form method="post" action="/Account/Choose">
${csrfField(csrfToken)}
${hiddenFields({ next })}
${choiceButtons('partyId', [all, ...each])}</form>`,
    below: html`<p class="aside"><a href="${back}">Keep the current account</a></p>`,
  })
}
