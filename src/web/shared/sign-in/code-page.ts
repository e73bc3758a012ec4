import { narrowForm, narrowPage } from '../../kit/narrow-page.ts'
import { html } from '../page/html.ts'
import type { HtmlPage } from '../page/html-page.ts'

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
export function codePage(input: CodePageInput): HtmlPage {
  const { csrfToken, next, notice } = input
  const form = { action: '/login/code', csrfToken, hidden: { next }, button: 'Continue' }
  const code = {
    label: 'Code',
    keyboard: 'text',
    autocomplete: 'one-time-code',
    takesFocus: true,
    toldIn: notice && ERROR_ID,
  } as const
  return narrowPage(input, {
    title: 'Enter your code',
    isRefused: notice !== undefined,
    lead: 'from your authenticator app, or a recovery code',
    content: html`${
      notice !== undefined &&
      html`<div class="notice error" id="${ERROR_ID}" role="alert"><p>${notice.text}</p></div>`
    }
${narrowForm(form, { code })}`,
    below: html`<p class="aside"><a href="/login?next=${encodeURIComponent(next)}">Use a different account</a></p>
<p class="aside">Lost your phone and your recovery codes? Ask your marketplace operator.</p>`,
  })
}
