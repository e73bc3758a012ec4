import { shownEmail } from '../../base/values/email.ts'
import type { PartyRecord } from '../../identity/accounts/operator-records.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { controlsView, controlView } from '../kit/fields.ts'
import { framePage, mayChange } from '../kit/frame.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { when } from '../shared/status/history-view.ts'
import { findForm } from './access/access-page.ts'
import { pathTo, withQuery } from './addresses.ts'
import { ROLES } from './forms/field-specs.ts'
import { changeForm, editCard, editing } from './forms/fields.ts'
import type { UserDetail } from './record-details.ts'
import {
  partyRowOf,
  type Row,
  rows,
  rowsCard,
  showAll,
  suspendedBadge,
  unverifiedBadge,
  withRole,
} from './record-view.ts'
import { suspensionCard, suspensionNotice } from './suspension/suspension-view.ts'

type UserPageInput = UserShell & {
  detail: UserDetail
  effect: string
  attempt: FormAttempt
  message: Message | undefined
}

/** One user: the parties it acts for, its password. */
export function userPage(input: UserPageInput): HtmlPage {
  const { csrfToken, detail, attempt } = input
  const { user, parties } = detail
  const isOperator = mayChange(input)
  const path = pathTo('Users', user.id)
  return framePage(
    { console: 'operator', tab: 'Users' },
    { ...input, problems: attempt.problems },
    {
      title: user.name,
      back: { href: '/Operator/Users', label: 'Users' },
      beside: html`<span class="badges">${user.suspended && suspendedBadge}${
        user.operator && html`<span class="badge badge-on">Operator</span>`
      }${user.support && html`<span class="badge badge-on">Support</span>`}${!user.emailProved && unverifiedBadge}</span>`,
      lead: html`<bdi>${shownEmail(user.email)}</bdi>`,
      content: html`${suspensionNotice(user, path, isOperator && csrfToken)}
<div class="columns"><div class="column">
${rowsCard(
  'parties',
  'Accounts',
  rows(
    parties.entries,
    membershipRow(input),
    html`<p class="empty-title">No account yet</p><p>Add the user to an account, so that they have apps to use.</p>
`,
  ),
  showAll(parties, withQuery('/Operator/Parties', { memberId: user.id })),
)}
${
  isOperator &&
  card(
    'join',
    'Add to an account',
    findForm({ action: `${path}/Memberships`, field: 'party', label: 'Account' }),
  )
}
</div><div class="column">
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('User ID', html`<code>${user.id}</code>`)}${fact('Created', when(user.createdAt))}</dl><p>
<a href="${withQuery('/Operator/Audit', { actorId: user.id })}">Actions by this user</a> ·
<a href="${withQuery('/Operator/Audit', { subjectKind: 'user', subjectId: user.id })}">Changes to this user</a>
</p>`,
)}
${isOperator && changeCards(input, path)}</div></div>`,
    },
  )
}

function membershipRow({ csrfToken, ...input }: UserPageInput): (party: PartyRecord) => Row {
  const { user, roles } = input.detail
  const isOperator = mayChange(input)
  const rowOf = partyRowOf(isOperator ? { memberId: user.id } : {})
  return (party) =>
    withRole(rowOf(party), {
      role: roles.get(party.id),
      action: `${pathTo('Users', user.id)}/Roles`,
      field: 'partyId',
      id: party.id,
      about: `in ${party.name}`,
      csrfToken: isOperator && csrfToken,
    })
}

function changeCards(input: UserPageInput, path: string): Html {
  const { csrfToken, detail, effect, attempt } = input
  const { user } = detail
  const operator = String(user.operator)
  const support = String(user.support)
  const { name } = user
  const email = shownEmail(user.email)
  const shown = { emailShown: email, operatorShown: operator, supportShown: support }
  const edit = editing(attempt, { name, email, operator, support, ...shown })
  return html`${editCard(
    { path, csrfToken },
    'Name, email and role',
    html`${controlView('name', { label: 'Name' }, edit)}${controlView(
      'email',
      {
        label: 'Email',
        keyboard: 'email',
        hint: 'Sign-in address. No confirmation mail is sent.',
      },
      edit,
    )}${controlsView(ROLES, edit)}<input type="hidden"
name="operatorShown" value="${edit.typed.get('operatorShown')}"><input type="hidden"
name="supportShown" value="${edit.typed.get('supportShown')}"><input type="hidden"
name="emailShown" value="${edit.typed.get('emailShown')}">
`,
  )}
${!user.emailProved && card('verify-title', 'Email not verified', verifyForm(csrfToken, path))}
${detail.hasPassword && passwordCards(input, path)}
${
  detail.hasFactor &&
  card(
    'factor-title',
    'Reset two-step sign-in',
    html`<p class="muted">For a user who has lost the phone and the recovery codes.</p><p>
<a class="button danger" href="${path}/SecondFactor">Reset…</a></p>`,
  )
}
${suspensionCard(user, path, effect)}
${card(
  'remove',
  'Remove',
  html`<p class="muted">Email and name are replaced, and everything the user can do ends.</p><p>
<a class="button danger" href="${path}/Remove">Remove…</a></p>`,
)}`
}

function passwordCards(input: UserPageInput, path: string): Html {
  const { csrfToken } = input
  return html`${card(
    'reset',
    'Password reset',
    html`<p class="muted">The user chooses a new password with it. It works once, for ${lifetimeText('password_reset')}.</p>
${changeForm({ action: `${path}/PasswordReset`, csrfToken, button: 'Create reset link', kind: '' })}`,
  )}
${card(
  'password-title',
  'New password',
  html`<p class="muted">All sessions and tokens of the user end.</p><p>
<a class="button" href="${path}/Password">Set password…</a></p>`,
)}`
}

function verifyForm(csrfToken: string, path: string): Html {
  const form = {
    action: `${path}/VerifyEmail`,
    csrfToken,
    button: 'Mark as verified',
    kind: '' as const,
  }
  return html`<p class="muted">This user came by a link that an account or a developer handed over. Nobody has
proved that the email is theirs, so the user gets no further role. A mailed link verifies it. Without mail,
ask the person first: whoever signs in as this user now goes on doing so.</p>
${changeForm(form, html``)}`
}
