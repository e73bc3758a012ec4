import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { formActions } from '../console-frame.ts'
import { endpointFields } from './endpoint-fields.ts'
import { shownEndpoint } from './endpoint-form.ts'
import { webhookPath } from './webhook-paths.ts'

type ChangeEndpointPageInput = Visit & {
  endpoint: Endpoint
  revision: number
  typed?: FormFields | undefined
  /** Whether somebody else has changed the endpoint since the form was opened. */
  isOutdated?: boolean
}

/** The form that changes a webhook endpoint. */
export function changeEndpointPage(input: ChangeEndpointPageInput): HtmlPage {
  const { endpoint, revision, typed, problems = [], csrfToken, isOutdated = false } = input
  const { url, events, ordered, headerNames } = endpoint
  const path = webhookPath(endpoint)
  // A visitor who has seen what somebody else has changed may overwrite it.
  const known = isOutdated ? undefined : typed?.get('revision')
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: 'Change the endpoint',
    about: endpoint.url,
    layout: 'form',
    back: { href: path, label: 'Endpoint' },
    lead: 'Waiting deliveries are sent as you set it here. A new URL starts with a clean record.',
    content: html`${
      isOutdated &&
      html`<div class="notice warning"><p><strong>Saved now:</strong> <bdi>${url}</bdi>;
${events.length === 0 ? 'all events' : events.join(', ')}; ${ordered ? 'order kept' : 'order not kept'}.</p></div>`
    }
<form class="card" method="post" action="${path}/Change">
${csrfField(csrfToken)}<input type="hidden" name="revision" value="${known ?? revision}"><div class="stack">
${endpointFields({ shown: shownEndpoint(typed, endpoint), problems, typed, headerNames })}</div>
${formActions('Save', path, 'primary')}</form>`,
  })
}
