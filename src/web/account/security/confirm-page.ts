import { type FormProblem, problemSummary, tie } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, page, type UserShell } from '../../shared/page/html-page.ts'

type ConfirmPageInput = UserShell & {
  problems: readonly FormProblem[]
  /** Path of this site to go on to. */
  next: string
}

/** Asks a visitor for another code, in the middle of something. */
export function confirmItIsYouPage(input: ConfirmPageInput): string {
  const { user, csrfToken, assetVersion, problems, next } = input
  const { attributes, message } = tie(problems, 'code')
  return page({
    user,
    csrfToken,
    assetVersion,
    title: `${problems.length > 0 ? 'Error: ' : ''}Confirm it is you`,
    layout: 'form',
    body: html`<div class="page-head"><h1>Confirm it is you</h1></div>
${problemSummary(problems)}
<section class="card" aria-label="Code"><p>Your last code is more than 10 minutes old. Enter a new one to
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
