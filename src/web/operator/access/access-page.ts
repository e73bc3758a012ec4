import { shownEmail } from '../../../base/values/email.ts'
import { controlView } from '../../kit/fields.ts'
import { framePage, type OperatorTab } from '../../kit/frame.ts'
import { type FormAttempt, UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { type HtmlPage, partyBadge, type UserShell } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { changeForm } from '../forms/fields.ts'
import type { Offer, Side } from '../record-details.ts'
import { partyRow, rows, rowsCard, suspendedBadge, userRow } from '../record-view.ts'

type FindForm = { action: string; field: 'party' | 'user'; label: string; attempt?: FormAttempt }

const HINTS = {
  party: 'ID or name. You confirm the change in the next step.',
  user: 'Email of an existing user. You confirm the change in the next step.',
}

/** Looks for the one who gets access; it changes nothing. */
function findForm({ action, field, label, attempt = UNTOUCHED }: FindForm): Html {
  return html`<form class="stack" method="get" action="${action}" role="search" aria-label="${label}">
${controlView(field, { label, hint: HINTS[field] }, attempt)}<p class="actions">
<button class="button" type="submit">Continue</button></p></form>`
}

type AccessPageInput = UserShell & {
  tab: OperatorTab
  title: string
  back: { href: string; label: string }
}

type ChoicePageInput = AccessPageInput & {
  form: FindForm & { attempt: FormAttempt }
  /** The name of the field of the address that takes the id of the one that is chosen. */
  chosen: string
  /** Those who may be meant; undefined as long as nobody is looked for. */
  similar: readonly Side[] | undefined
}

/** The users who may be meant: a choice leads to the question, and gives nothing yet. */
export function choicePage(input: ChoicePageInput): HtmlPage {
  const { form, chosen, similar = [] } = input
  const choiceRow = (side: Side) => ({
    ...('email' in side ? userRow(side) : partyRow(side)),
    href: withQuery(form.action, { [chosen]: side.id }),
  })
  return framePage(
    { console: 'operator', tab: input.tab, asks: true },
    { ...input, problems: form.attempt.problems },
    {
      ...input,
      layout: 'form',
      content: html`<div class="card">${findForm(form)}</div>
${similar.length > 0 && rowsCard('choice', 'Select a match', rows(similar, choiceRow, html``))}`,
    },
  )
}

type OfferPageInput = AccessPageInput & {
  action: string
  /** The id of the one that was chosen, and the field that holds it. */
  chosen: { field: string; id: string }
  offer: Offer
  /** The answer that was given before, and what came of it. */
  attempt: FormAttempt
}

const ROLES: readonly [string, string][] = [
  ['member', 'Member'],
  ['admin', 'Admin'],
]

/** Names both sides, and asks for a last word. */
export function offerPage(input: OfferPageInput): HtmlPage {
  const { offer, action, chosen, back, csrfToken, attempt } = input
  const form = { action, csrfToken, button: offer.button, cancel: back.href }
  return framePage(
    { console: 'operator', tab: input.tab, asks: true },
    { ...input, problems: attempt.problems },
    {
      ...input,
      layout: 'form',
      content: html`<section class="card" aria-label="What happens"><p>${offer.effect}</p>
<dl class="facts">${offer.sides.map(sideFact)}</dl>
${changeForm(
  form,
  html`<input type="hidden" name="${chosen.field}" value="${chosen.id}">${
    offer.asksForRole &&
    controlView('role', { kind: 'choice', label: 'Role', choices: ROLES }, attempt)
  }`,
)}</section>`,
    },
  )
}

function sideFact(side: Side): Html {
  const suspended = side.suspended && suspendedBadge
  return 'email' in side
    ? fact('User', html`<bdi>${side.name}</bdi>, <bdi>${shownEmail(side.email)}</bdi> ${suspended}`)
    : fact(`Account ${side.id}`, html`<bdi>${side.name}</bdi> ${partyBadge(side.type)}${suspended}`)
}
