import { html } from '../page/html.ts'
import { type PageShell, page } from '../page/html-page.ts'

const ADVICE = {
  developers: 'Your programs and their tokens keep working.',
  marketplace: 'If others use this device, also close the apps you opened.',
}

/**
 * Confirms a sign-out of a user, or of a developer.
 *
 * @param input `message`: why somebody was signed out who cannot sign in again
 */
export function signedOutPage({
  assetVersion,
  area = 'marketplace',
  message,
}: Pick<PageShell, 'assetVersion'> & {
  area?: 'marketplace' | 'developers'
  message?: string | undefined
} = {}): string {
  const signIn = area === 'developers' ? '/Developer/Login' : '/login'
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">You are signed out</h1>
${message !== undefined && html`<p class="lead">${message}</p>`}
<p class="${message === undefined ? 'lead' : 'muted'}">${ADVICE[area]}
</p>
<p class="actions">${
    message === undefined && html`<a class="button primary" href="${signIn}">Sign in again</a> `
  }<a class="button" href="/">Start page</a>
</p></section>`
  return page({ title: 'Signed out', area, layout: 'narrow', assetVersion, body })
}
