import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { ownAppPath } from '../console-frame.ts'
import { endpointFields } from './endpoint-fields.ts'
import { shownEndpoint } from './endpoint-form.ts'
import { eventsText, healthBadge, healthSentence } from './endpoint-words.ts'
import { webhookPath, webhooksPath } from './webhook-paths.ts'

type EndpointsPageInput = Visit & {
  app: { id: string; name: string }
  endpoints: readonly Endpoint[]
  typed?: FormFields | undefined
}

/** Where the events of an app are sent, and the form for one more place. */
export function endpointsPage(input: EndpointsPageInput): HtmlPage {
  const { app, endpoints, csrfToken, problems = [], typed } = input
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Webhooks of ${app.name}`,
    layout: 'form',
    back: { href: ownAppPath(app.id), label: app.name },
    heading: html`Webhooks`,
    lead: html`The marketplace tells your program what happens to <bdi>${app.name}</bdi>: it sends each event to these endpoints.
<a href="/docs/receive-events">How to receive events</a>`,
    content: html`<section class="card flush" aria-labelledby="endpoints"><div class="section-head">
<h2 id="endpoints">Endpoints</h2><a class="button small"
href="/Developer/Events?appId=${encodeURIComponent(app.id)}">Event log</a></div>
${
  endpoints.length === 0
    ? html`<div class="empty"><p class="empty-title">No endpoints yet</p><p>Add the address of your program below.</p></div>`
    : html`<ul class="rows">${endpoints.map(row)}</ul>`
}</section>
<form class="card" method="post" action="${webhooksPath(app.id)}">
${csrfField(csrfToken)}
<h2>New endpoint</h2><div class="stack">
${endpointFields({ shown: shownEndpoint(typed), problems, typed })}</div>
<p class="actions"><button class="button primary" type="submit">Add endpoint</button></p></form>`,
  })
}

function row(endpoint: Endpoint): Html {
  const { url, events, pendingDeliveries } = endpoint
  return html`<li class="row stacked-row"><span class="row-text"><a
class="row-name" href="${webhookPath(endpoint)}"><bdi>${url}</bdi></a><span
class="row-note">${eventsText(events)}${
    pendingDeliveries > 0 && html` · ${waitingText(pendingDeliveries)}`
  }</span><span class="row-note">${healthSentence(endpoint)}</span></span><span
class="badges">${healthBadge(endpoint)}</span></li>
`
}

/** How much waits for an endpoint, in words. */
function waitingText(count: number): string {
  return count > 10_000 ? 'more than 10,000 waiting' : `${count.toLocaleString('en')} waiting`
}
