import { shownEmail } from '../../base/values/email.ts'
import type { OwnUser } from '../../identity/accounts/own-user.ts'
import {
  isPasswordTooLong,
  isPasswordTooShort,
  isSamePassword,
  PASSWORD_MIN_LENGTH,
} from '../../identity/auth/password-text.ts'
import type { PendingEmailChange } from '../../identity/people/email-change.ts'
import type { WaitingInvitation } from '../../identity/people/invitation.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { RecentReport } from '../../marketplace/leaks/recent-report.ts'
import { framePage } from '../kit/frame.ts'
import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import { ownPasswordHint, usernameField } from '../shared/forms/password-hints.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import { reportedSecrets } from '../shared/status/reported-secrets-view.ts'
import { REQUESTS_PATH, requestsNotice } from '../shared/status/requests-notice.ts'
import { suspensionNote } from '../shared/status/suspension-notices.ts'
import { waitingInvitations } from './invitations-view.ts'
import { MEMBERS_PATH, ROLE_NAMES } from './members/members-page.ts'
import { nameForm, ownDataCard } from './own-data-page.ts'
import { pendingEmail } from './pending-email-view.ts'

type AccountPageInput = UserShell & {
  account: OwnUser
  pendingEmail: PendingEmailChange | undefined
  /** Ids of accounts that are suspended -> why. */
  suspensions: ReadonlyMap<number, SuspensionCause>
  /** Whether users sign in with passwords here. */
  hasPassword: boolean
  /** That the user signs in with; the user may have no password then. */
  provider: string | undefined
  /** How many install requests wait for the user as an admin. */
  requestsToDecide: number
  /** Invitations that the user can answer. */
  invitations: readonly WaitingInvitation[]
  /** Secrets that were found in public lately. */
  reports: readonly RecentReport[]
  /** The name as it was typed into a form that is shown again. */
  typedName: string | undefined
  problems: readonly FormProblem[]
  /** What has just happened, in words. */
  message?: string | undefined
}

/** Who is signed in, for which accounts; the password; the way out everywhere. */
export function accountPage(input: AccountPageInput): HtmlPage {
  const { csrfToken, account, hasPassword, problems } = input
  const content = html`${reportedSecrets(input.reports)}
${requestsNotice(input.requestsToDecide)}
${waitingInvitations(input.invitations, csrfToken)}
${card(
  'you',
  'You',
  html`<dl class="facts">
${fact('Name', bdi(account.name))}${fact('Email', bdi(shownEmail(account.email)))}</dl>
${pendingEmail(input.pendingEmail)}${nameForm(csrfToken, input.typedName ?? account.name, problems)}
<p class="actions"><a class="button" href="/Account/Email">Change email</a></p>`,
)}
<section class="card flush" aria-labelledby="accounts"><div class="section-head">
<h2 id="accounts">Your accounts</h2></div>${
    account.parties.length === 0
      ? noAccounts(input.user)
      : html`<ul class="rows">
${account.parties.map((party) => partyRow(party, input.suspensions.get(party.id)))}</ul>`
  }</section>
<p class="actions"><a class="button" href="${REQUESTS_PATH}">Install requests</a></p>
${
  hasPassword &&
  card(
    'password',
    'Change password',
    html`<p class="muted">
You will be signed out everywhere else, and apps lose the access tokens issued for you.</p>
${ownPasswordHint(input.provider)}${passwordForm(csrfToken, account.email, problems)}`,
  )
}
${card(
  'security',
  'Security',
  html`<p class="muted">Two-step sign-in and active sessions.</p>
<p class="actions"><a class="button" href="/Account/Security">Security settings</a></p>`,
)}
${card(
  'everywhere',
  'Sign out everywhere',
  html`<p class="muted">
You will be signed out in all browsers, this one too, and apps lose the access tokens issued for you.</p>
<form method="post" action="/Account/SignOutEverywhere">
${csrfField(csrfToken)}<button class="button danger" type="submit">Sign out everywhere</button></form>`,
)}
${ownDataCard()}`
  return framePage({ console: 'account' }, input, { title: 'Account', content })
}

const PASSWORD_HINT = `At least ${PASSWORD_MIN_LENGTH} characters. A few random words are easy to remember.`

/** A user who runs the marketplace, or works for a developer, needs no account. */
function noAccounts({ operator, support, worksForDevelopers }: AccountPageInput['user']): Html {
  const needsOne = !operator && !support && !worksForDevelopers
  return html`<div class="empty"><p class="empty-title">You do not belong to an account${needsOne && ' yet'}</p><p>${
    needsOne
      ? 'Ask the operator of this marketplace to add you to your company’s account.'
      : 'You do not need one for your work in the console.'
  }</p></div>`
}

function partyRow(
  { id, name, type, suspended, role }: OwnUser['parties'][number],
  suspension: SuspensionCause | undefined,
): Html {
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi></span><span
class="badges">${partyBadge(type)}<span class="badge">${ROLE_NAMES[role]}</span>${
    suspended && html`<span class="badge badge-suspended">Suspended</span>`
  }</span>${suspension && suspensionNote([suspension])}</span><a class="button small"
href="/Installed?partyId=${id}">Apps<span class="visually-hidden">: ${name}</span></a> <a class="button small"
href="${MEMBERS_PATH}?partyId=${id}">Members<span class="visually-hidden">: ${name}</span></a></li>
`
}

function passwordForm(csrfToken: string, email: string, problems: readonly FormProblem[]): Html {
  const field = (name: string, label: string, autocomplete: string, hint?: string) => {
    const { attributes, message } = describedBy(
      problems,
      name,
      hint === undefined ? [] : [`${name}-hint`],
    )
    return html`<div class="field"><label for="${name}">${label}</label>
${
  hint !== undefined &&
  html`<p class="hint" id="${name}-hint">${hint}</p>
`
}${message}<input type="password" id="${name}" name="${name}" autocomplete="${autocomplete}" aria-required="true"${attributes}>
</div>
`
  }
  return html`<form class="stack" method="post" action="/Account/Password">
${csrfField(csrfToken)}
${usernameField(email)}
${field('currentPassword', 'Current password', 'current-password')}
${field('newPassword', 'New password', 'new-password', PASSWORD_HINT)}
${field('repeatedPassword', 'Repeat new password', 'new-password')}
<p class="actions"><button class="button primary" type="submit">Change password</button></p></form>`
}

/** What is wrong with a form of a new password, but for the current one. */
export function passwordProblems(fields: FormFields): FormProblem[] {
  const wanted = fields.get('newPassword') ?? ''
  const problems: FormProblem[] = []
  const report = (field: string, text: string) => problems.push({ field, text })
  if (!fields.get('currentPassword')) report('currentPassword', 'Enter your current password.')
  if (isPasswordTooShort(wanted)) {
    report('newPassword', `The new password must have at least ${PASSWORD_MIN_LENGTH} characters.`)
  } else if (isPasswordTooLong(wanted)) {
    report('newPassword', 'The new password is too long.')
  } else if (isSamePassword(wanted, fields.get('currentPassword') ?? '')) {
    report('newPassword', 'Choose a password that differs from your current one.')
  }
  if (!isSamePassword(wanted, fields.get('repeatedPassword') ?? '')) {
    report('repeatedPassword', 'The new passwords do not match.')
  }
  return problems
}
