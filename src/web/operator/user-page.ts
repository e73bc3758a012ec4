import { shownEmail } from '../../base/values/email.ts'
import type { PartyRecord } from '../../identity/accounts/operator-records.ts'
import { roleBadge } from '../kit/badge.ts'
import { detailPage } from '../kit/detail-page.ts'
import { emptyState } from '../kit/empty-state.ts'
import { mayChange } from '../kit/frame.ts'
import { fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo } from './addresses.ts'
import { changeForm } from './forms/fields.ts'
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
import { suspensionDanger, suspensionNotice } from './suspension/suspension-view.ts'

type UserPageInput = UserShell & {
  detail: UserDetail
  effect: string
  message: Message | undefined
}

/** One user: the parties it acts for, how it signs in. */
export function userPage(input: UserPageInput): HtmlPage {
  const { csrfToken, detail, effect } = input
  const { user, parties, hasPassword, hasFactor } = detail
  const isOperator = mayChange(input)
  const path = pathTo('Users', user.id)
  const addTo = { label: 'Add to account', href: `${path}/Memberships` }
  return detailPage({ console: 'operator', tab: 'Users' }, input, {
    title: user.name,
    back: { href: '/Operator/Users', label: 'Users' },
    badges: html`${user.suspended && suspendedBadge}${
      user.operator && roleBadge('Operator')
    }${user.support && roleBadge('Support')}${!user.emailProved && unverifiedBadge}`,
    lead: html`<bdi>${shownEmail(user.email)}</bdi>`,
    notices: html`${suspensionNotice(user, path, isOperator && csrfToken)}${
      isOperator && !user.emailProved && unverifiedNotice(csrfToken, path)
    }`,
    ...(isOperator && {
      usual: [{ label: 'Edit', href: `${path}/Edit` }, addTo],
      others: [
        ...(hasPassword
          ? [
              { label: 'Create password reset link', post: `${path}/PasswordReset` },
              { label: 'Set password…', href: `${path}/Password` },
            ]
          : []),
        ...(hasFactor ? [{ label: 'Reset two-step sign-in…', href: `${path}/SecondFactor` }] : []),
      ],
      dangers: [
        ...suspensionDanger(user, path, effect),
        {
          title: 'Remove',
          effect: 'Email and name are replaced, and everything the user can do ends.',
          label: 'Remove…',
          href: `${path}/Remove`,
        },
      ],
    }),
    facts: html`${fact('User ID', copied(user.id))}${fact('Two-step sign-in', hasFactor ? 'On' : 'Off')}
${fact('Created', when(user.createdAt))}`,
    below: html`<p><a href="${withQuery('/Operator/Audit', { actorId: user.id })}">Actions by this user</a> ·
<a href="${withQuery('/Operator/Audit', { subjectKind: 'user', subjectId: user.id })}">Changes to this user</a></p>`,
    cards: rowsCard(
      'parties',
      'Accounts',
      rows(
        parties.entries,
        membershipRow(input),
        emptyState(
          'company',
          'No account yet. Users have the apps of the accounts that they belong to.',
          isOperator && addTo,
        ),
      ),
      showAll(parties, withQuery('/Operator/Parties', { memberId: user.id })),
    ),
  })
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

function unverifiedNotice(csrfToken: string, path: string): Html {
  return html`<section class="notice warning" aria-labelledby="verify">
<h2 id="verify">Email not verified</h2>
<p>This user signed up with a link that an account or a developer handed over. Nobody has proved that the
email is theirs, so the user cannot get further roles. A link that you mail to the user verifies it. Without
mail, ask the person before you mark the email as verified.</p>
${changeForm({ action: `${path}/VerifyEmail`, csrfToken, button: 'Mark as verified', kind: '' })}</section>`
}
