import type { SecondFactor } from '../../../identity/auth/second-factor/second-factor.ts'
import type { OwnSession } from '../../../identity/auth/sessions/own-sessions.ts'
import { framePage } from '../../kit/frame.ts'
import { describedBy, type FormProblem } from '../../shared/forms/form-problems.ts'
import { card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import type { Message } from '../../shared/page/message-view.ts'
import { when } from '../../shared/status/history-view.ts'

export const SECURITY_PATH = '/Account/Security'

/** The forms of the page, each with the field of its code. */
export const CODE_FIELDS = { renew: 'renewCode', remove: 'removeCode' } as const

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

type SecurityPageInput = UserShell & {
  factor: SecondFactor
  ways: SignInWays
  sessions: readonly OwnSession[]
  /** The session that the page is shown in. */
  ownId: string | undefined
  problems: readonly FormProblem[]
  message: Message | undefined
}

/** The second factor of the visitor, and where the visitor is signed in. */
export function securityPage(input: SecurityPageInput): HtmlPage {
  return framePage({ console: 'account' }, input, {
    title: 'Security',
    back: { href: '/Account', label: 'Account' },
    content: html`${card('factor', 'Two-step sign-in', input.factor.enabled ? factorOn(input) : factorOff(input))}
<section class="card flush" aria-labelledby="sessions"><div class="section-head">
<h2 id="sessions">Active sessions</h2>${endOthersForm(input)}</div>
<ul class="rows">${input.sessions.map((session) => sessionRow(session, input))}</ul></section>
${card(
  'token',
  'Account token',
  html`<p class="muted">For a program that acts as you for up to an hour.</p>
<p class="actions"><a class="button" href="/Account/Token">Make an account token…</a></p>`,
)}`,
  })
}

function factorOff({ factor: { required }, ways }: SecurityPageInput): Html {
  if (!ways.password && ways.providerAsks) {
    return html`<p>You sign in by single sign-on, which asks for a second factor itself.</p>`
  }
  return html`<p>Off. ${withoutCode(ways)}${
    required && html` This marketplace asks you to turn it on.`
  }</p>
<p class="actions"><a class="button primary" href="/Account/SecondFactor">Turn on</a></p>`
}

function factorOn(input: SecurityPageInput): Html {
  const { enabledAt, recoveryCodesLeft } = input.factor
  const { renew, remove } = CODE_FIELDS
  return html`<p>On. You sign in with ${waysWithCode(input.ways)}.</p>
<dl class="facts">${enabledAt !== null && fact('Turned on', when(enabledAt))}${fact(
    'Recovery codes left',
    recoveryCodesLeft,
  )}</dl>
<h3>New recovery codes</h3><p class="muted">The recovery codes you have now stop working.</p>
${codeForm(input, { action: 'RecoveryCodes', field: renew, button: 'Get new recovery codes' })}
<h3>Turn off two-step sign-in</h3>
${codeForm(input, { action: 'Remove', field: remove, button: 'Turn off', kind: 'danger' })}`
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

/** A form that asks for a code: its last step of the path, and what its button does. */
type CodeForm = { action: string; field: string; button: string; kind?: '' | 'danger' }

function codeForm(
  { csrfToken, problems }: SecurityPageInput,
  { action, field, button, kind = '' }: CodeForm,
): Html {
  const { attributes, message } = describedBy(problems, field)
  return html`<form class="stack" method="post" action="/Account/SecondFactor/${action}">
${csrfField(csrfToken)}
<div class="field"><label for="${field}">Code<span class="visually-hidden">, to ${button.toLowerCase()}</span></label>
${message}<input type="text" id="${field}" name="${field}" autocomplete="one-time-code"
autocapitalize="none" spellcheck="false" aria-required="true"${attributes}></div>
<p class="actions"><button class="button ${kind}" type="submit">${button}</button></p></form>`
}

function endOthersForm({ sessions, csrfToken }: SecurityPageInput): Html | false {
  if (sessions.length < 2) return false
  return html`<form method="post" action="/Account/Sessions/EndOthers">${csrfField(csrfToken)}
<button class="button small" type="submit">Sign out all other sessions</button></form>`
}

function sessionRow(
  { id, browser, network, begunAt, lastUsedAt }: OwnSession,
  { ownId, csrfToken }: SecurityPageInput,
): Html {
  const name = browser === '' ? 'Unknown browser' : browser
  return html`<li class="row console-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi>${
    id === ownId && html` <span class="badge badge-on">This browser</span>`
  }</span><span class="fine">Signed in ${when(begunAt)} · last used ${when(lastUsedAt)}${
    network !== '' && html` · from <bdi>${network}</bdi>`
  }</span></span>${
    id !== ownId &&
    html`<form method="post" action="/Account/Sessions/${id}/End">${csrfField(csrfToken)}
<button class="button small" type="submit">Sign out<span class="visually-hidden">: ${name}</span></button></form>`
  }</li>
`
}
