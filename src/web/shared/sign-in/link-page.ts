import { html } from '../page/html.ts'
import { csrfField, type HtmlPage, type PageShell, page } from '../page/html-page.ts'

/**
 * Asks the visitor who opened a link to sign in with it. Following the link alone does not use it
 * up.
 */
export function linkPage({
  token,
  csrfToken,
  assetVersion,
}: Pick<PageShell, 'assetVersion'> & { token: string; csrfToken: string }): HtmlPage {
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head">
<h1 id="heading">Sign in with a link</h1>
<p class="lead">This link signs you in once.</p></div>
<form class="stack" method="post" action="/signin/link">
${csrfField(csrfToken)}
<input type="hidden" name="token" value="${token}">
<button class="button primary block" type="submit">Sign in</button></form></section>`
  return page({ title: 'Sign in with a link', layout: 'narrow', assetVersion, body })
}
