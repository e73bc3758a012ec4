import { type ReceiverApp, receiverAddress } from '../../marketplace/apps/receiver-address.ts'
import { permissionList } from '../../web/shared/app-parts/permission-view.ts'
import { card, fact } from '../../web/shared/page/blocks.ts'
import { jsonMarkup, shellMarkup } from '../../web/shared/page/code-colours.ts'
import { codeBox, formatJson } from '../../web/shared/page/code-view.ts'
import { type Html, html } from '../../web/shared/page/html.ts'
import { type HtmlPage, type PageShell, page } from '../../web/shared/page/html-page.ts'
import { when } from '../../web/shared/status/history-view.ts'
import { type Received, type ReceiverCall, shownClaims } from './receiver-shown.ts'

type ReceiverShell = PageShell & {
  appId: string
  baseUrl: string
  /** The app, when this page is its return address. */
  own: ReceiverApp | undefined
}
type ReceiverPageInput = ReceiverShell & {
  received: Received
  calls: readonly ReceiverCall[]
}

/** A longer response is shown in part. */
const SHOWN_MAX_LENGTH = 4_000

/** The page with a token: what the token says and what it opens. */
export function receiverPage(input: ReceiverPageInput): HtmlPage {
  const { received, calls, appId } = input
  const read = shownClaims(received.token)
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>You opened <code>${appId}</code></h1><p class="lead">
This page stands for the app. A real app is at an address of its own and shows its pages there.</p></div>
<h2>For developers: your app has a token</h2>
<div class="columns">
<div class="column">
${whatHappened(input)}
${calls.map((one) => callCard(one, input.baseUrl))}</div>
<div class="column">
${
  read === undefined
    ? card(
        'claims',
        'Claims',
        html`<p>This is not a token of the marketplace, so it cannot be read.</p>`,
      )
    : html`${card(
        'permissions',
        'Permissions',
        permissionList(read.permissions.map((id) => ({ id, purpose: null }))),
      )}
${card(
  'claims',
  'Claims',
  html`<p class="muted">
What the token contains. Treat a token as opaque, or check its signature first with the keys at
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

function whatHappened(input: ReceiverPageInput): Html {
  const { received } = input
  return card(
    'happened',
    'What happened',
    html`<ol class="bullets">${
      received.clientId === undefined ? stepsOfToken(input) : stepsOfCode(input, received.clientId)
    }
<li>The app called the API with the token. The calls are below, with their responses.</li></ol>
<details><summary>Make the same calls yourself</summary>
<p class="muted">Anyone who has the token can use it until it expires. Keep it out of logs and chats.</p>
${codeBox('Shell', 'The token', html`TOKEN='${received.token}'`)}</details>
<p>For a new token:</p>
${waysIn(input)}`,
  )
}

function stepsOfToken({ received, appId, baseUrl }: ReceiverPageInput): Html {
  const query = received.state === undefined ? '?token=…' : `?token=…&state=${received.state}`
  return html`
<li>The marketplace sent the browser to the app’s <code>authReturnUrl</code>:<br>
<code>${receiverAddress(baseUrl, appId)}${query}</code></li>
<li>The app took the token out of the address at once and answered with a redirect to an address without it. So
the token stays out of the history, out of bookmarks and out of what other sites see.</li>`
}

function stepsOfCode({ appId, baseUrl }: ReceiverPageInput, clientId: string): Html {
  return html`
<li>The app made two random values, <code>state</code> and a code verifier, and kept them in the browser. It sent the
browser to the marketplace with the SHA-256 of the verifier:<br>
<code>/Apps/Authenticate/${appId}?response_type=code&amp;client_id=${clientId}&amp;state=…&amp;code_challenge=…</code></li>
<li>The marketplace sent the browser back to the app’s <code>authReturnUrl</code>:<br>
<code>${receiverAddress(baseUrl, appId)}?code=…&amp;state=…&amp;iss=…</code></li>
<li>The app compared <code>state</code> and <code>iss</code>, and exchanged the code with the verifier at
<code>/oauth/token</code>. No token was in any address.</li>`
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

/** Formats JSON, except a body that is much too long to be shown. */
function prettyJson(body: string): string {
  if (body.length > 4 * SHOWN_MAX_LENGTH) return body
  try {
    return formatJson(JSON.parse(body))
  } catch {
    return body
  }
}

/** The page before a token has come, or after it was forgotten. */
export function emptyReceiverPage(input: ReceiverShell): HtmlPage {
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>No token yet</h1><p class="lead">
This page stands for <code>${input.appId}</code>. It shows the token that the marketplace gives to an app, for 15 minutes.
</p></div>
${card(
  'open',
  'Get a token',
  html`<p>Open the app as a user of an account that has it installed.</p>
${waysIn(input)}`,
)}`,
  )
}

type RefusedInput = ReceiverShell & {
  reason: string
  /** The response to the exchange of the code. */
  response?: { status: number; body: string }
}

/** The page when the marketplace sent no token. */
export function refusedReceiverPage(input: RefusedInput): HtmlPage {
  const { appId, reason, response } = input
  return receiverFrame(
    input,
    html`<div class="page-head"><h1>No token came</h1><p class="lead">
This page stands for <code>${appId}</code>. A real app says here what its users can do next.</p></div>
${card(
  'refused',
  'What happened',
  html`<p><bdi>${reason}</bdi></p>
${response && codeBox(`Response ${response.status}`, 'Response: POST /oauth/token', answerMarkup(response.body))}
<p><a href="/docs/code-mode#when-nobody-comes">What each error means</a></p>
${waysIn(input)}`,
)}`,
  )
}

/** The links with which a user opens the app: with a token in the address, or with a code. */
function waysIn({ appId, own }: ReceiverShell): Html {
  const id = encodeURIComponent(appId)
  const withCode = html`<a class="button${own?.takesCodesOnly && ' primary'}"
href="/Demo/Receiver/${id}/Start">Open with a code</a>`
  const withToken = html`<a class="button primary" href="/Apps/Authenticate/${id}">Open ${appId}</a>`
  return html`<p class="actions">${own?.takesCodesOnly !== true && withToken}
${own !== undefined && withCode}</p>`
}

function receiverFrame(input: ReceiverShell, body: Html): HtmlPage {
  return page({ ...input, title: 'Demo receiver', body })
}
