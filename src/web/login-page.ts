import { html } from './html.ts'
import { csrfField, type PageShell, page, tile } from './page.ts'

type LoginPageInput = Pick<PageShell, 'assetVersion'> & {
  csrfToken: string
  /** Path of this site to go on to; checked by the server again after the sign-in. */
  next: string
  /** The address typed before, after a failed attempt. */
  email?: string | undefined
  /** Why the last attempt failed, in words for the user. */
  error?: string | undefined
  /** The app that asked for the sign-in. */
  appName?: string | undefined
}

const ERROR_ID = 'login-error'

/** The sign-in form, POST `/login`. After an error all that was typed but the password is kept. */
export function loginPage(input: LoginPageInput): string {
  const { csrfToken, next, email, error, appName, assetVersion } = input
  const failed = error !== undefined
  const tied = failed && html` aria-invalid="true" aria-describedby="${ERROR_ID}"`
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
${appName !== undefined && tile(appName)}
<h1 id="heading">Sign in</h1>
<p class="lead">${appName === undefined ? 'to see and open the apps of your accounts' : html`to continue to <strong><bdi>${appName}</bdi></strong>`}</p>
</div>
${failed && html`<div class="notice error" id="${ERROR_ID}" role="alert"><p>${error}</p></div>`}
<form class="stack" method="post" action="/login">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${email ?? ''}"${tied}${!email && html` autofocus`}>
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${tied}${email && html` autofocus`}>
</div>
<button class="button primary block" type="submit">Sign in</button>
</form>
</section>
<p class="aside">No sign-in yet? The operator of this marketplace creates them.</p>`
  return page({
    title: failed ? 'Error: Sign in' : 'Sign in',
    layout: 'narrow',
    assetVersion,
    body,
  })
}
