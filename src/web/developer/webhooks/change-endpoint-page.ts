import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { type ConsoleInput, developerPage, formActions } from '../console-frame.ts'
import { endpointFields } from './endpoint-fields.ts'
import { shownEndpoint } from './endpoint-form.ts'
import { webhookPath } from './webhook-paths.ts'

type ChangeEndpointPageInput = ConsoleInput & {
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
  return developerPage(input, {
    title: 'Change the endpoint',
    about: endpoint.url,
    section: 'own-apps',
    layout: 'form',
    back: { href: path, label: 'the endpoint' },
    head: html`<div class="page-head"><h1>Change the endpoint</h1><p class="lead">
Waiting deliveries are sent as you set it here. A new URL starts with a clean record.</p></div>`,
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
