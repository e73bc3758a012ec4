import { type Html, html } from '../page/html.ts'
import { csrfField, type HtmlPage, type PageShell, page, tile } from '../page/html-page.ts'

type LoginPageInput = Pick<PageShell, 'assetVersion'> & {
  csrfToken: string
  /** Path of this site to go on to; checked by the server again after the sign-in. */
  next: string
  /** Why to sign in, or why the last attempt failed, and the name that was typed then. */
  notice?: { text: string; refused?: { name: string } } | undefined
}

/** What differs between the sign-ins. */
type SignIn = {
  /** In the browser's tab. */
  title: string
  area: 'marketplace' | 'developers'
  action: string
  head: Html
  /** The field that says who signs in. */
  field: Html
  fieldName: string
  label: string
  aside: Html
  ways?: { provider: string | undefined; password: boolean } | undefined
}

const ERROR_ID = 'login-error'

/** The sign-in form of users, POST `/login`. */
export function loginPage({
  appName,
  ways,
  ...input
}: LoginPageInput & {
  /** The app that asked for the sign-in. */
  appName?: string | undefined
  /** The name of the provider of single sign-on, and whether passwords count; they alone if unset. */
  ways?: { provider: string | undefined; password: boolean }
}): HtmlPage {
  return signInPage(input, {
    title: 'Sign in',
    area: 'marketplace',
    action: '/login',
    head: html`${appName !== undefined && tile(appName)}
<h1 id="heading">Sign in</h1>
<p class="lead">${appName === undefined ? 'to open the apps of your accounts' : html`to continue to <strong><bdi>${appName}</bdi></strong>`}
</p>`,
    fieldName: 'email',
    label: 'Email',
    field: html` type="email"`,
    ways,
    aside: html`${ways?.password !== false && html`<a href="/forgot">Forgot your password?</a> · `}No account yet?
Ask your marketplace operator for one.`,
  })
}

/** The sign-in form of developers, POST `/Developer/Login`. */
export function developerLoginPage(input: LoginPageInput): HtmlPage {
  return signInPage(input, {
    title: 'Developer sign-in',
    area: 'developers',
    action: '/Developer/Login',
    head: html`<h1 id="heading">Developer sign-in</h1>
<p class="lead">to publish apps and manage their installations</p>`,
    fieldName: 'clientId',
    label: 'Client ID',
    field: html` type="text"`,
    aside: html`Use the client ID and password that your programs send to <code>POST /v1/Auth</code>. Your
marketplace operator issues them. If you have a personal login, <a
href="/login?next=${encodeURIComponent(input.next)}">sign in with that</a>.`,
  })
}

/** After an error all that was typed but the password is kept. */
function signInPage(input: LoginPageInput, signIn: SignIn): HtmlPage {
  const { csrfToken, next, notice, assetVersion } = input
  const { title, area, action, head, field, fieldName, label, aside, ways } = signIn
  const failed = notice?.refused !== undefined
  const name = notice?.refused?.name
  const tied = failed && html` aria-invalid="true" aria-describedby="${ERROR_ID}"`
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
${head}</div>
${
  notice !== undefined &&
  html`<div class="notice${failed && ' error'}" id="${ERROR_ID}" role="${failed ? 'alert' : 'status'}">
<p>${notice.text}</p></div>`
}
${providerButton(ways, next)}
${
  ways?.password !== false &&
  html`<form class="stack" method="post" action="${action}">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="${fieldName}">${label}</label>
<input id="${fieldName}" name="${fieldName}"${field} autocomplete="username" autocapitalize="none"
spellcheck="false" required value="${name ?? ''}"${tied}${!name && html` autofocus`}></div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${tied}${name && html` autofocus`}>
</div>
<button class="button primary block" type="submit">Sign in</button></form>`
}</section>
<p class="aside">${aside}</p>`
  return page({
    title,
    hasProblems: failed,
    area,
    layout: 'narrow',
    assetVersion,
    body,
  })
}

/** A link and no form: browsers check where a form leads at every hop, and providers have many. */
function providerButton(ways: SignIn['ways'], next: string): Html | false {
  if (ways?.provider === undefined) return false
  const href = `/signin/oidc?next=${encodeURIComponent(next)}`
  const kind = ways.password ? '' : ' primary'
  return html`<p><a class="button block${kind}" href="${href}">Sign in with ${ways.provider}</a></p>`
}
