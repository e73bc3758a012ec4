import { appFace } from '../../kit/avatar.ts'
import { type Html, html } from '../page/html.ts'
import { csrfField, type HtmlPage, type PageShell, page } from '../page/html-page.ts'
import { appIdOfPath } from './next-path.ts'

type LoginPageInput = Pick<PageShell, 'assetVersion'> & {
  csrfToken: string
  /** Path of this site to go on to; checked by the server again after the sign-in. */
  next: string
  /** Why to sign in, or why the last attempt failed, and the name that was typed then. */
  notice?: { text: string; refused?: { name: string } } | undefined
  /** The app that asked for the sign-in. */
  appName?: string | undefined
  /** The name of the provider of single sign-on, and whether passwords count; they alone if unset. */
  ways?: Ways
}

type Ways = { provider: string | undefined; password: boolean }

const ERROR_ID = 'login-error'

/** The sign-in form, POST `/login`. After an error all that was typed but the password is kept. */
export function loginPage(input: LoginPageInput): HtmlPage {
  const { csrfToken, next, notice, assetVersion, appName, ways } = input
  const failed = notice?.refused !== undefined
  const name = notice?.refused?.name
  const tied = failed && html` aria-invalid="true" aria-describedby="${ERROR_ID}"`
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
${appName !== undefined && appFace(appIdOfPath(next) ?? '')}
<h1 id="heading">Sign in</h1>
<p class="lead">${purpose(next, appName)}</p></div>
${
  notice !== undefined &&
  html`<div class="notice${failed && ' error'}" id="${ERROR_ID}" role="${failed ? 'alert' : 'status'}">
<p>${notice.text}</p></div>`
}
${providerButton(ways, next)}
${
  ways?.password !== false &&
  html`<form class="stack" method="post" action="/login">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none"
spellcheck="false" required value="${name ?? ''}"${tied}${!name && html` autofocus`}></div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${tied}${name && html` autofocus`}>
</div>
<button class="button primary block" type="submit">Sign in</button></form>`
}</section>
<p class="aside">${ways?.password !== false && html`<a href="/forgot">Forgot your password?</a> · `}No account yet?
Ask your marketplace operator for one.</p>
${
  leadsToConsole(next) &&
  html`<p class="aside">A client ID is for programs and does not sign in here. Ask an owner of your developer to invite
you.</p>`
}`
  return page({ title: 'Sign in', hasProblems: failed, layout: 'narrow', assetVersion, body })
}

function purpose(next: string, appName: string | undefined): Html | string {
  if (appName !== undefined) return html`to continue to <strong><bdi>${appName}</bdi></strong>`
  return leadsToConsole(next)
    ? 'to open the developer console'
    : 'to open the apps of your accounts'
}

function leadsToConsole(next: string): boolean {
  return /^\/developer(?![^/?])/i.test(next)
}

/** A link and no form: browsers check where a form leads at every hop, and providers have many. */
function providerButton(ways: Ways | undefined, next: string): Html | false {
  if (ways?.provider === undefined) return false
  const href = `/signin/oidc?next=${encodeURIComponent(next)}`
  const kind = ways.password ? '' : ' primary'
  return html`<p><a class="button block${kind}" href="${href}">Sign in with ${ways.provider}</a></p>`
}
