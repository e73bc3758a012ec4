import type { AttemptFigures } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { countText } from '../../shared/page/counts.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { Secret } from '../../shared/page/message-view.ts'
import { errorRate, eventsText, healthBadge, healthSentence } from './endpoint-words.ts'
import { webhookPath } from './webhook-paths.ts'

/**
 * The endpoints of an app.
 *
 * @param figures endpoint id -> how many of its last attempts failed
 */
export function endpointsView(
  appId: string,
  endpoints: readonly Endpoint[],
  figures: ReadonlyMap<string, AttemptFigures>,
): Html {
  return html`<section class="card flush" aria-labelledby="endpoints">
<div class="section-head"><h2 id="endpoints">Endpoints</h2>
<a class="button small" href="/Developer/Events?appId=${encodeURIComponent(appId)}">Event log</a></div>
${
  endpoints.length === 0
    ? emptyState('events', 'No endpoints yet. Add the address of your program below.')
    : html`<ul class="rows">${endpoints.map((one) => row(one, figures.get(one.id)))}</ul>`
}</section>
`
}

function row(endpoint: Endpoint, figures: AttemptFigures | undefined): Html {
  const { url, events, pendingDeliveries } = endpoint
  return html`<li class="row stacked-row">
<span class="row-text"><a class="row-name" href="${webhookPath(endpoint)}"><bdi>${url}</bdi></a>
<span class="row-note">${eventsText(events)}${
    pendingDeliveries > 0 && html` · ${countText(pendingDeliveries)} pending`
  }</span>
<span class="row-note">${healthSentence(endpoint)}</span>${
    figures !== undefined &&
    figures.attempts > 0 &&
    html`<span class="row-note">${errorRate(figures)}</span>`
  }</span>
<span class="badges">${healthBadge(endpoint)}</span></li>
`
}

/** What somebody else has saved while a form was filled in. */
export function savedMeanwhile({ url, events, ordered }: Endpoint): Html {
  return html`<div class="notice warning"><p><strong>Saved now:</strong> <bdi>${url}</bdi>;
${events.length === 0 ? 'all events' : events.join(', ')}; ${ordered ? 'order kept' : 'order not kept'}.</p></div>
`
}

/** How a new secret is shown. */
export function newSecretShown(title: string, secret: string): Secret {
  return {
    title,
    facts: { Secret: secret },
    what: 'secret',
    use: {
      text: 'Requests are signed as Standard Webhooks describes. With its library for Node.js, your program checks them so:',
      code: 'new Webhook(secret).verify(body, headers)',
    },
  }
}
