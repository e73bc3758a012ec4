import { html } from './html.ts'
import { type PageShell, page } from './html-page.ts'

/** Confirms a sign-out of a user, or of a developer. */
export function signedOutPage({
  assetVersion,
  area = 'marketplace',
}: Pick<PageShell, 'assetVersion'> & { area?: 'marketplace' | 'developers' } = {}): string {
  const signIn = area === 'developers' ? '/Developer/Login' : '/login'
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">You are signed out</h1>
<p class="lead">${area === 'developers' ? 'Your programs and their tokens go on working.' : 'If others use this device, close the apps you opened from here too.'}</p>
<p class="actions"><a class="button primary" href="${signIn}">Sign in again</a> <a class="button" href="/">Start page</a></p>
</section>`
  return page({ title: 'Signed out', area, layout: 'narrow', assetVersion, body })
}
