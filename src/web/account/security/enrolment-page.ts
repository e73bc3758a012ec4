import { encode } from 'uqr'
import { framePage } from '../../kit/frame.ts'
import { describedBy, type FormProblem } from '../../shared/forms/form-problems.ts'
import { usernameField } from '../../shared/forms/password-hints.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import { messageView, type Secret } from '../../shared/page/message-view.ts'
import { SECURITY_PATH } from './security-page.ts'

type StepInput = UserShell & {
  problems: readonly FormProblem[]
  /** Path of this site to go on to. */
  next: string
}

/** A step that may be left where the marketplace does not ask for it. */
type LeavableInput = StepInput & { required: boolean }

const cancel = html` <a class="button" href="${SECURITY_PATH}">Cancel</a>`

/** First step: the password again, where users have one. */
export function beginPage(input: LeavableInput & { hasPassword: boolean }): HtmlPage {
  const { csrfToken, problems, next, required, hasPassword, user } = input
  const { attributes, message } = describedBy(problems, 'currentPassword')
  const why = required
    ? 'This marketplace asks for a second factor. Turn it on to continue.'
    : `You will need ${hasPassword ? 'your password' : 'single sign-on'} and a code from your phone each time you sign in.`
  return stepPage(
    input,
    'Turn on two-step sign-in',
    html`<p>${why} You need an authenticator app, such as the one built into your password manager.</p>
<form class="stack" method="post" action="/Account/SecondFactor">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
${
  hasPassword &&
  html`${usernameField(user.signInName)}
<div class="field"><label for="currentPassword">Your password</label>
${message}<input type="password" id="currentPassword" name="currentPassword"
autocomplete="current-password" aria-required="true"${attributes}></div>`
}
<p class="actions"><button class="button primary" type="submit">Continue</button>${!required && cancel}</p></form>`,
  )
}

/** Second step: the secret, as a picture and as text, and a first code. */
export function confirmPage(input: LeavableInput & { secret: string; uri: string }): HtmlPage {
  const { csrfToken, problems, next, secret, uri, required } = input
  const { attributes, message } = describedBy(problems, 'code', ['code-hint'])
  return stepPage(
    input,
    'Scan the code',
    html`<p>Scan this with your authenticator app, or type the key into it.</p>
${qrCode(uri)}
<p><a href="${uri}">Open in an authenticator app on this device</a></p>
<dl class="facts"><dt>Key</dt><dd><code>${secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</code></dd></dl>
<form class="stack" method="post" action="/Account/SecondFactor/Confirm">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<input type="hidden" name="secret" value="${secret}">
<div class="field"><label for="code">Code</label>
<p class="hint" id="code-hint">The six digits that the app shows now.</p>
${message}<input type="text" id="code" name="code" inputmode="numeric"
autocomplete="one-time-code" aria-required="true"${attributes}></div>
<p class="actions"><button class="button primary" type="submit">Turn on</button>${!required && cancel}</p></form>`,
  )
}

/** Last step: what stands in for a lost phone. */
export function enrolledPage(input: StepInput & { secret: Secret }): HtmlPage {
  return stepPage(
    input,
    'Two-step sign-in is on',
    html`${messageView(input.secret)}
<p>If you lose your phone, each code lets you in once. Store them somewhere else.</p>
<p class="actions"><a class="button primary" href="${input.next}">Continue</a></p>`,
  )
}

/** The recovery codes as they are shown once. */
export function recoverySecret(title: string, codes: readonly string[]): Secret {
  const facts = Object.fromEntries(codes.map((code, index) => [`Code ${index + 1}`, code]))
  return { title, facts, what: 'recovery codes', file: 'recovery-codes.txt' }
}

/** An image of ours: dark on light also in a dark theme, with the margin that readers need. */
function qrCode(text: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr-code" role="img" aria-label="QR code of the key" width="232" height="232"
viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path
fill="#000" d="${dark.join('')}"/></svg>`
}

function stepPage(input: StepInput, title: string, content: Html): HtmlPage {
  return framePage({ console: 'account' }, input, {
    title,
    content: card('step', 'Second factor', content),
  })
}
