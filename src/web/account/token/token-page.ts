import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormAttempt } from '../../shared/forms/form-problems.ts'
import { card } from '../../shared/page/blocks.ts'
import { shellMarkup } from '../../shared/page/code-colours.ts'
import { codeBox } from '../../shared/page/code-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import { messageView, type Secret } from '../../shared/page/message-view.ts'
import { SECURITY_PATH } from '../security/security-page.ts'

export const TOKEN_PATH = '/Account/Token'

/** Lifetimes to choose from. */
export const LIFETIMES_SECONDS = [900, 3600] as const

/** Asks how long an account token is to work. */
export function tokenPage(input: UserShell & { attempt: FormAttempt }): HtmlPage {
  const { problems, typed } = input.attempt
  const chosen = LIFETIMES_SECONDS.find((one) => String(one) === typed.get('lifetime'))
  const radio = (one: number) => lifetimeRadio(one, one === (chosen ?? LIFETIMES_SECONDS[0]))
  const form = html`<form class="card" method="post" action="${TOKEN_PATH}">
${csrfField(input.csrfToken)}
<p>This token can do everything you can. Never share it.</p>
<fieldset class="stack"><legend>Expires after</legend>
${LIFETIMES_SECONDS.map(radio)}</fieldset>
<p class="muted">It also expires when you sign out everywhere, or when your password changes.</p>
<p class="actions"><button class="button primary" type="submit">Make an account token</button>
<a class="button" href="${SECURITY_PATH}">Cancel</a></p></form>`
  return tokenFrame({ ...input, problems }, form)
}

/**
 * Shows a token this once, with a line that uses it.
 *
 * @param input `baseUrl`: of the marketplace
 */
export function madeTokenPage(
  input: UserShell & { secret: Secret; token: string; baseUrl: string },
): HtmlPage {
  const { secret, token, baseUrl } = input
  const call = `curl ${baseUrl}/v1/Account -H "authorization: Bearer $TOKEN"`
  const use = card(
    'use',
    'Use it',
    html`<p class="muted">Put the token into your shell first. A leading space keeps the line out of the history of
most shells.</p>
${codeBox('Shell', 'The token as a variable', html` export TOKEN='${token}'`)}
${codeBox('curl', 'The call in curl', shellMarkup(call))}`,
  )
  return tokenFrame(
    input,
    html`${messageView(secret)}${use}<p class="actions"><a class="button" href="${TOKEN_PATH}">Make another one</a></p>`,
  )
}

function tokenFrame(input: Visit, content: Html): HtmlPage {
  return framePage({ console: 'account' }, input, {
    title: 'Make an account token',
    lead: 'For a program that calls the API as you.',
    back: { href: SECURITY_PATH, label: 'Security' },
    content,
  })
}

function lifetimeRadio(seconds: number, isChosen: boolean): Html {
  const id = `lifetime-${seconds}`
  return html`<div class="check"><input type="radio" id="${id}" name="lifetime" value="${seconds}"${
    isChosen && html` checked`
  }><label for="${id}">${seconds === 3600 ? '1 hour' : `${seconds / 60} minutes`}</label></div>
`
}
