import { shownEmail } from '../../base/values/email.ts'
import type { FormSpec } from '../kit/fields.ts'
import { narrowForm, narrowPage } from '../kit/narrow-page.ts'
import { type FormProblem, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { newPasswordFields } from '../shared/forms/new-password.ts'
import { usernameField } from '../shared/forms/password-hints.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, type PageShell } from '../shared/page/html-page.ts'

type LinkPageInput = Pick<PageShell, 'assetVersion'> & {
  csrfToken: string
  /** The token of the link; the form sends it back. */
  token: string
  problems: readonly FormProblem[]
}

/** The person that an invitation is for, and what it is to. */
type Invited = { email: string; inviter: string; invitedTo: readonly string[] }

/** An invitation: what it is for, and a form that accepts it. */
export function invitationPage(
  input: LinkPageInput &
    Invited & {
      isUser: boolean
      needs: 'password' | 'sign-in' | 'nothing'
      /** Whether users sign in with passwords here. */
      hasPassword: boolean
    },
): HtmlPage {
  const { email, isUser, needs, hasPassword } = input
  const choosesPassword = hasPassword && needs === 'password'
  return linkPage(input, {
    title: INVITED,
    action: '/invitation',
    button: 'Accept',
    lead: html`${invitedLead(input)}
${!hasPassword && needs !== 'sign-in' && html`<p>You need no password here: sign in by single sign-on afterwards.</p>`}
${hasPassword && !choosesPassword && html`<p>You have a password already. It stays as it is.</p>`}
${
  choosesPassword &&
  isUser &&
  html`<p>Choose a password of your own. The former password of this user and its second factor no longer
work then, and it is signed out everywhere.</p>`
}`,
    ...(choosesPassword && passwordForm(email)),
  })
}

/** An invitation that only the user accepts who has its address. */
export function signInToAcceptPage(
  input: Pick<LinkPageInput, 'assetVersion' | 'csrfToken' | 'token'> &
    Invited & { visitor: { email: string } | undefined },
): HtmlPage {
  const { email, token, csrfToken, visitor } = input
  const next = `/invitation?token=${encodeURIComponent(token)}`
  return narrowPage(input, {
    title: INVITED,
    content: html`${invitedLead(input)}
${
  visitor === undefined
    ? html`<p><bdi>${shownEmail(email)}</bdi> is a user already. Sign in to accept the invitation.</p>
<p class="actions"><a class="button primary" href="/login?next=${encodeURIComponent(next)}">Sign in</a></p>`
    : html`<p>You are signed in as <bdi>${shownEmail(visitor.email)}</bdi>. Sign in as <bdi>${shownEmail(email)}</bdi> to accept the
invitation.</p>
<form method="post" action="/logout">
${csrfField(csrfToken)}<input type="hidden" name="next" value="${next}"><button class="button primary"
type="submit">Sign in as another user</button></form>`
}`,
  })
}

const INVITED = 'You are invited'

function invitedLead({ email, inviter, invitedTo }: Invited): Html {
  const [first, ...others] = invitedTo
  if (others.length === 0) {
    return html`<p class="lead"><bdi>${inviter}</bdi> invites you to <bdi>${first ?? 'App Marketplace'}</bdi>.</p>
<p>You sign in as <bdi>${shownEmail(email)}</bdi>.</p>`
  }
  return html`<p class="lead"><bdi>${inviter}</bdi> invites you to:</p>
<ul class="bullets">${invitedTo.map((what) => html`<li><bdi>${what}</bdi></li>`)}</ul>
<p>You sign in as <bdi>${shownEmail(email)}</bdi>.</p>`
}

/** A form for a new password. */
export function resetPasswordPage(input: LinkPageInput & { email: string }): HtmlPage {
  return linkPage(input, {
    title: 'Choose a new password',
    action: '/reset-password',
    button: 'Change password',
    lead: html`<p class="lead">for <bdi>${shownEmail(input.email)}</bdi></p>
<p class="muted">You will be signed out everywhere, and apps lose the access tokens issued for you.</p>`,
    ...passwordForm(input.email),
  })
}

/** A form that confirms a change of email. */
export function confirmEmailPage(input: LinkPageInput & { to: string }): HtmlPage {
  return linkPage(input, {
    title: 'Confirm the new email',
    action: '/confirm-email',
    button: 'Confirm',
    lead: html`<p class="lead">to sign in with <bdi>${shownEmail(input.to)}</bdi></p>
<p class="muted">The email changes when both the former and the new address have confirmed it.</p>`,
  })
}

/** The result of a confirmation. */
export function emailConfirmedPage(
  input: Pick<PageShell, 'assetVersion'> & { message: string },
): HtmlPage {
  return narrowPage(input, {
    title: 'You have confirmed',
    content: html`<p class="lead">${input.message}</p>
<p class="actions"><a class="button primary" href="/Account">Your account</a></p>`,
  })
}

/**
 * What was done by a link, for somebody who is signed in.
 *
 * @param input `email`: who is signed in, perhaps another user than the link was for
 */
export function linkDonePage(
  input: Pick<PageShell, 'assetVersion'> & { csrfToken: string; message: string; email: string },
): HtmlPage {
  const { csrfToken, message, email } = input
  return narrowPage(input, {
    title: 'Done',
    content: html`<p class="lead">${message}</p>
<p>In this browser you are signed in as <bdi>${shownEmail(email)}</bdi>.</p>
<form class="actions" method="post" action="/logout">${csrfField(csrfToken)}<input type="hidden" name="next"
value="/"><button class="button primary" type="submit">Sign in as another user</button>
<a class="button" href="/">Go to the start page</a></form>`,
  })
}

type LinkForm = {
  title: string
  action: string
  button: string
  lead: Html
  /** Before its fields, and they. */
  intro?: Html
  fields?: FormSpec
}

function linkPage(input: LinkPageInput, { title, lead, fields, ...form }: LinkForm): HtmlPage {
  const { csrfToken, token, problems } = input
  const attempt = { ...UNTOUCHED, problems }
  return narrowPage(input, {
    title,
    problems,
    content: html`${lead}
${narrowForm({ ...form, csrfToken, hidden: { token } }, fields, attempt)}`,
  })
}

const PASSWORD_FIELDS = newPasswordFields('Password', 'Repeat password')

function passwordForm(email: string) {
  return { intro: usernameField(email), fields: PASSWORD_FIELDS }
}

type ForgotPageInput = Pick<PageShell, 'assetVersion'> & {
  csrfToken: string
  sendsMail: boolean
  email: string
  problems: readonly FormProblem[]
  message: string | undefined
}

const EMAIL_FIELD = {
  email: { label: 'Email', keyboard: 'email', autocomplete: 'username' },
} as const

/** Asks for a link for a new password, or says who makes one. */
export function forgotPage(input: ForgotPageInput): HtmlPage {
  const { csrfToken, sendsMail, email, problems, message } = input
  const form = { action: '/forgot', csrfToken, button: 'Send link' }
  return narrowPage(input, {
    title: 'Forgot your password?',
    problems,
    content: html`${message !== undefined && html`<div class="notice" role="status"><p>${message}</p></div>`}
${
  sendsMail
    ? html`<p class="lead">We send you a link to choose a new one.</p>
${narrowForm(form, EMAIL_FIELD, { problems, typed: new Map([['email', email]]) })}`
    : html`<p class="lead">Ask the operator of this marketplace for a link to choose a new one.</p>`
}`,
    below: html`<p class="aside"><a href="/login">Back to sign-in</a></p>`,
  })
}
