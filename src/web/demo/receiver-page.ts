import { permissionList } from '../shared/app-parts/permission-view.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { codeBox, formatJson, jsonMarkup, shellMarkup } from '../shared/page/code-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type PageShell, page } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'
import { claimsOf, type Received, type ReceiverCall } from './receiver-shown.ts'

type ReceiverShell = PageShell & { appId: string; baseUrl: string }
type ReceiverPageInput = ReceiverShell & {
  received: Received
  calls: readonly ReceiverCall[]
  /** The return address of the app. */
  address: string
}

/** An answer that is longer is shown in part. */
const SHOWN_MAX_LENGTH = 4_000

/** What an app can do at its return address: the token, what it says, and what it opens. */
export function receiverPage(input: ReceiverPageInput): string {
  const { received, calls, appId } = input
  const read = claimsOf(received.token)
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>Your app has a token</h1><p class="lead">
This page stands for <code>${appId}</code>. A real app is at an address of its own and does the same.</p></div>
<div class="columns">
<div class="column">
${whatHappened(input)}
${calls.map((one) => callCard(one, input.baseUrl))}</div>
<div class="column">
${
  read === undefined
    ? card('claims', 'Claims', html`<p>This is no token of the marketplace: it cannot be read.</p>`)
    : html`${card(
        'permissions',
        'Permissions',
        permissionList(read.permissions.map((id) => ({ id, purpose: null }))),
      )}
${card(
  'claims',
  'Claims',
  html`<p class="muted">
What the token says of itself. Treat a token as opaque, or check its signature first with the keys at
<a href="/.well-known/jwks.json">/.well-known/jwks.json</a>.</p>
<dl class="facts">${read.claims.map(({ name, value, meaning }) =>
    fact(name, [
      html`<code>${value}</code>`,
      html`<br><span class="fine">${meaning}${
        name === 'exp' && read.expiresAt !== undefined && html` That is ${when(read.expiresAt)}.`
      }</span>`,
    ]),
  )}</dl>`,
)}`
}</div></div>`,
  )
}

function whatHappened({ received, address, appId }: ReceiverPageInput): Html {
  const query = received.state === undefined ? '?token=…' : `?token=…&state=${received.state}`
  return card(
    'happened',
    'What happened',
    html`<ol class="bullets">
<li>The marketplace sent the browser to the app’s <code>authReturnUrl</code>:<br><code>${address}${query}</code></li>
<li>The app took the token out of the address at once and answered with a redirect to an address without it. So
the token is not in the history, in bookmarks or in what other sites are told.</li>
<li>The app called the API with the token. The calls are below, with their responses of just now.</li></ol>
<details><summary>Make the same calls yourself</summary>
<p class="muted">Whoever has the token can do what it may do, until it runs out. Keep it out of logs and chats.</p>
${codeBox('Shell', 'The token', html`TOKEN='${received.token}'`)}</details>
<p><a href="/Apps/Authenticate/${encodeURIComponent(appId)}">Open the app again</a> for a new token.</p>`,
  )
}

function callCard({ id, title, path, status, body }: ReceiverCall, baseUrl: string): Html {
  const command = `curl "${baseUrl}${path}" -H "authorization: Bearer $TOKEN"`
  return card(
    id,
    title,
    html`${codeBox('Shell', `Request: ${title}`, shellMarkup(command))}
${codeBox(`Response ${status}`, `Response: ${title}`, answerMarkup(body))}`,
  )
}

function answerMarkup(body: string): Html {
  const text = prettyJson(body)
  const isCut = text.length > SHOWN_MAX_LENGTH
  return html`${jsonMarkup(text.slice(0, SHOWN_MAX_LENGTH).toWellFormed())}${isCut && '\n…'}`
}

/** What is much too long to be shown is not spread out first. */
function prettyJson(body: string): string {
  if (body.length > 4 * SHOWN_MAX_LENGTH) return body
  try {
    return formatJson(JSON.parse(body))
  } catch {
    return body
  }
}

/** The same before a token has come, or after it was forgotten. */
export function emptyReceiverPage(input: ReceiverShell): string {
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>No token yet</h1><p class="lead">
This page stands for <code>${input.appId}</code>. It shows the token that the marketplace sends to an app, for 15 minutes.
</p></div>
${card(
  'open',
  'Get a token',
  html`<p>Open the app as a user of an account that has it installed.</p><p>
<a class="button primary" href="/Apps/Authenticate/${encodeURIComponent(input.appId)}">Open ${bdi(input.appId)}</a></p>`,
)}`,
  )
}

/** The same for a code, which this page cannot exchange. */
export function codeReceiverPage(input: ReceiverShell): string {
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>A code has come</h1><p class="lead">
This page stands for <code>${input.appId}</code>. The marketplace sent a code in place of a token.</p></div>
${card(
  'code',
  'Who can use it',
  html`<p>Only the server that began the sign-in can exchange the code for a token, within 60 seconds. This page did not
begin it, so the code ends here.</p><p><a href="/docs/code-mode">How an app takes a code</a> ·
<a href="/docs/build-an-app">An example app that does</a></p>`,
)}`,
  )
}

function receiverFrame(input: ReceiverShell, body: Html): string {
  return page({ ...input, title: 'Demo receiver', stylesheets: ['code.css'], body })
}
