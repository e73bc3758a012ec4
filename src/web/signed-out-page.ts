import { html } from './html.ts'
import { type PageShell, page } from './page.ts'

/** Confirms a sign-out. */
export function signedOutPage({ assetVersion }: Pick<PageShell, 'assetVersion'> = {}): string {
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">You are signed out</h1>
<p class="lead">If others use this device, close the apps you opened from here too.</p>
<p class="actions"><a class="button primary" href="/login">Sign in again</a> <a class="button" href="/">Start page</a></p>
</section>`
  return page({ title: 'Signed out', layout: 'narrow', assetVersion, body })
}
