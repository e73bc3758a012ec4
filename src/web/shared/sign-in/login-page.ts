import { appFace } from '../../kit/avatar.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { narrowForm, narrowPage } from '../../kit/narrow-page.ts'
import { UNTOUCHED } from '../forms/form-problems.ts'
import { currentPasswordField } from '../forms/password-hints.ts'
import { type Html, html } from '../page/html.ts'
import type { HtmlPage, PageShell } from '../page/html-page.ts'
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
  const { csrfToken, next, notice, appName, ways } = input
  const failed = notice?.refused !== undefined
  const name = notice?.refused?.name
  const hasPassword = ways?.password !== false
  const form = { action: '/login', csrfToken, hidden: { next }, button: 'Sign in' }
  const toldIn = failed ? ERROR_ID : undefined
  const fields: FormSpec = {
    email: {
      label: 'Email',
      keyboard: 'email',
      autocomplete: 'username',
      takesFocus: !name,
      toldIn,
    },
    password: { ...currentPasswordField('Password'), takesFocus: Boolean(name), toldIn },
  }
  const attempt = { ...UNTOUCHED, typed: new Map([['email', name ?? '']]) }
  return narrowPage(input, {
    title: 'Sign in',
    isRefused: failed,
    face: appName !== undefined && appFace(appIdOfPath(next) ?? ''),
    lead: purpose(next, appName),
    content: html`${
      notice !== undefined &&
      html`<div class="notice${failed && ' error'}" id="${ERROR_ID}" role="${failed ? 'alert' : 'status'}">
<p>${notice.text}</p></div>`
    }
${providerButton(ways, next)}
${hasPassword && narrowForm(form, fields, attempt)}`,
    below: html`<p class="aside">${hasPassword && html`<a href="/forgot">Forgot your password?</a> · `}No account yet?
Ask your marketplace operator for one.</p>
${
  leadsToConsole(next) &&
  html`<p class="aside">A client ID is for programs and does not sign in here. Ask an owner of your developer to invite
you.</p>`
}`,
  })
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
