import { framePage } from '../../kit/frame.ts'
import { describedBy, type FormProblem } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'

type ConfirmPageInput = UserShell & {
  problems: readonly FormProblem[]
  /** Path of this site to go on to. */
  next: string
}

/** Asks a visitor for another code, in the middle of something. */
export function confirmItIsYouPage(input: ConfirmPageInput): HtmlPage {
  const { csrfToken, problems, next } = input
  const { attributes, message } = describedBy(problems, 'code')
  return framePage({ console: 'account' }, input, {
    title: 'Confirm it is you',
    content: html`<section class="card" aria-label="Code"><p>Your last code is more than 10 minutes old. Enter a new one to
continue. Nothing has been changed yet.</p>
<form class="stack" method="post" action="/Account/Confirm">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="code">Code</label>
${message}<input type="text" id="code" name="code" autocomplete="one-time-code"
autocapitalize="none" spellcheck="false" aria-required="true"${attributes}></div>
<p class="actions"><button class="button primary" type="submit">Continue</button></p></form></section>`,
  })
}
