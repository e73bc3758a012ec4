import type { SecondFactor } from '../../../identity/auth/second-factor/second-factor.ts'
import type { OwnSession } from '../../../identity/auth/sessions/own-sessions.ts'
import { actionList } from '../../kit/action-list.ts'
import { markBadge } from '../../kit/badge.ts'
import { card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { when } from '../../shared/status/history-view.ts'
import { postButton } from '../account-page.ts'
import { ACCOUNT_PARTS } from '../account-parts.ts'

export const SECURITY_PATH = ACCOUNT_PARTS.Security

const SINGLE_SIGN_ON = 'single sign-on'

/** How the visitor signs in. */
type SignInWays = {
  /** Whether users sign in with passwords here. */
  password: boolean
  /** The name of the provider of single sign-on that the visitor signs in with. */
  provider: string | undefined
  /** Whether the provider asks for a second factor itself. */
  providerAsks: boolean
}

type Security = {
  factor: SecondFactor
  ways: SignInWays
  sessions: readonly OwnSession[]
  /** The session that the page is shown in. */
  ownId: string | undefined
  csrfToken: string
}

/** The second factor of the visitor, the password, and where the visitor is signed in. */
export function securityCards(input: Security): Html {
  const { factor, ways, sessions, csrfToken } = input
  return html`${card('factor', 'Two-step sign-in', factor.enabled ? factorOn(input) : factorOff(input))}
${
  ways.password &&
  card(
    'password',
    'Password',
    html`<p class="actions"><a class="button" href="/Account/Password">Change password</a></p>`,
  )
}
<section class="card flush" aria-labelledby="sessions">
<div class="section-head"><h2 id="sessions">Active sessions</h2>${
    sessions.length > 1 &&
    postButton(csrfToken, '/Account/Sessions/EndOthers', {
      ...{ label: 'Sign out all other sessions', kind: 'small' },
    })
  }</div>
<ul class="rows">${sessions.map((session) => sessionRow(session, input))}</ul></section>
${card(
  'everywhere',
  'Sign out everywhere',
  html`<p class="muted">You will be signed out in all browsers, this one too, and apps lose the access tokens issued for you.</p>
${postButton(csrfToken, '/Account/SignOutEverywhere', { label: 'Sign out everywhere', kind: 'danger' })}`,
)}
${card(
  'token',
  'Account token',
  html`<p class="muted">For a program that acts as you for up to an hour.</p>
<p class="actions"><a class="button" href="/Account/Token">Make an account token…</a></p>`,
)}`
}

function factorOff({ factor: { required }, ways }: Security): Html {
  if (!ways.password && ways.providerAsks) {
    return html`<p>You sign in by single sign-on, which asks for a second factor itself.</p>`
  }
  return html`<p>Off. ${withoutCode(ways)}${
    required && html` This marketplace asks you to turn it on.`
  }</p>
<p class="actions"><a class="button primary" href="/Account/SecondFactor">Turn on</a></p>`
}

function factorOn({ factor: { enabledAt, recoveryCodesLeft }, ways }: Security): Html {
  return html`<p>On. You sign in with ${waysWithCode(ways)}.</p>
<dl class="facts">${enabledAt !== null && fact('Turned on', when(enabledAt))}${fact(
    'Recovery codes left',
    recoveryCodesLeft,
  )}</dl>
${actionList([
  html`<a class="button" href="/Account/SecondFactor/RecoveryCodes">Get new recovery codes…</a>`,
  html`<a class="button danger" href="/Account/SecondFactor/Remove">Turn off…</a>`,
])}`
}

function withoutCode({ password, provider }: SignInWays): string {
  if (!password) return `Only ${provider ?? SINGLE_SIGN_ON} protects this account.`
  return provider === undefined
    ? 'Only your password protects this account.'
    : `You sign in with ${provider} or your password.`
}

function waysWithCode({ password, provider, providerAsks }: SignInWays): string {
  if (!password) return `${provider ?? SINGLE_SIGN_ON}${providerAsks ? '' : ' and a code'}`
  if (provider === undefined) return 'your password and a code'
  return providerAsks
    ? `your password and a code, or with ${provider}`
    : `${provider} or your password, and a code`
}

function sessionRow(
  { id, browser, network, begunAt, lastUsedAt }: OwnSession,
  { ownId, csrfToken }: Security,
): Html {
  const name = browser === '' ? 'Unknown browser' : browser
  return html`<li class="row console-row">
<span class="row-text">
<span class="row-name"><bdi>${name}</bdi>${id === ownId && html` ${markBadge('This browser')}`}</span>
<span class="fine">Signed in ${when(begunAt)} · last used ${when(lastUsedAt)}${
    network !== '' && html` · from <bdi>${network}</bdi>`
  }</span></span>${
    id !== ownId &&
    postButton(csrfToken, `/Account/Sessions/${id}/End`, {
      ...{ label: 'Sign out', kind: 'small', about: name },
    })
  }</li>
`
}
