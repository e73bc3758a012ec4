import { narrowForm, narrowPage } from '../../kit/narrow-page.ts'
import type { HtmlPage, PageShell } from '../page/html-page.ts'

/**
 * Asks the visitor who opened a link to sign in with it. Following the link alone does not use it
 * up.
 */
export function linkPage(
  input: Pick<PageShell, 'assetVersion'> & { token: string; csrfToken: string },
): HtmlPage {
  const { token, csrfToken } = input
  const form = { action: '/signin/link', csrfToken, hidden: { token }, button: 'Sign in' }
  return narrowPage(input, {
    title: 'Sign in with a link',
    lead: 'This link signs you in once.',
    content: narrowForm(form),
  })
}
