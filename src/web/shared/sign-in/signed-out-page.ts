import { actionList } from '../../kit/action-list.ts'
import { narrowPage } from '../../kit/narrow-page.ts'
import { html } from '../page/html.ts'
import type { HtmlPage, PageShell } from '../page/html-page.ts'

/**
 * Confirms a sign-out.
 *
 * @param input `message`: why somebody was signed out who cannot sign in again; `provider`: of single
 *   sign-on, where one is set up
 */
export function signedOutPage(
  input: Pick<PageShell, 'assetVersion'> & {
    message?: string | undefined
    provider?: string | undefined
  },
): HtmlPage {
  const { message, provider } = input
  return narrowPage(input, {
    title: 'Signed out',
    heading: 'You are signed out',
    content: html`${message !== undefined && html`<p class="lead">${message}</p>`}
<p class="${message === undefined ? 'lead' : 'muted'}">If others use this device, also close the apps you opened.</p>
${
  provider !== undefined &&
  html`<p class="muted">If you signed in with <bdi>${provider}</bdi>, sign out there, too: it does not ask again who you are.</p>
`
}${actionList([
  message === undefined && html`<a class="button primary" href="/login">Sign in again</a>`,
  html`<a class="button" href="/">Start page</a>`,
])}`,
  })
}
