import { html } from '../page/html.ts'
import { csrfField, type HtmlPage, page } from '../page/html-page.ts'

type CodePageInput = {
  csrfToken: string
  assetVersion: string
  /** Path of this site to go on to; checked by the server again afterwards. */
  next: string
  /** Why the last code was refused. */
  notice?: { text: string } | undefined
}

const ERROR_ID = 'code-error'

/** Asks for a code after the password, POST `/login/code`. */
export function codePage({ csrfToken, assetVersion, next, notice }: CodePageInput): HtmlPage {
  const tied = notice !== undefined && html` aria-invalid="true" aria-describedby="${ERROR_ID}"`
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
<h1 id="heading">Enter your code</h1>
<p class="lead">from your authenticator app, or a recovery code</p></div>
${
  notice !== undefined &&
  html`<div class="notice error" id="${ERROR_ID}" role="alert"><p>${notice.text}</p></div>`
}
<form class="stack" method="post" action="/login/code">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="code">Code</label>
<input id="code" name="code" type="text" inputmode="text" autocomplete="one-time-code"
autocapitalize="none" spellcheck="false" required autofocus${tied}></div>
<button class="button primary block" type="submit">Continue</button></form></section>
<p class="aside"><a href="/login?next=${encodeURIComponent(next)}">Use a different account</a></p>
<p class="aside">Lost your phone and your recovery codes? Ask your marketplace operator.</p>`
  return page({
    title: notice === undefined ? 'Enter your code' : 'Error: Enter your code',
    layout: 'narrow',
    assetVersion,
    body,
  })
}
