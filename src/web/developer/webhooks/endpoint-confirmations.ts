import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import type { Visit } from '../../kit/frame.ts'
import { questionPage } from '../../kit/question-page.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { webhookPath } from './webhook-paths.ts'

type EndpointConfirmationInput = Visit & { endpoint: Endpoint }

const ofEndpoint = (endpoint: Endpoint, action: string) =>
  ({
    about: endpoint.url,
    back: { href: webhookPath(endpoint), label: endpoint.url },
    action: `${webhookPath(endpoint)}/${action}`,
  }) as const

/** Asks for the last word before an endpoint gets a new secret. */
export function rotateSecretPage(input: EndpointConfirmationInput): HtmlPage {
  return questionPage({ console: 'developer', section: 'own-apps' }, input, {
    ...ofEndpoint(input.endpoint, 'Secret'),
    title: 'Rotate the secret',
    button: 'Rotate the secret',
    consequences: [
      html`You see the new secret once. Give it to your program within 24 hours.`,
      html`For 24 hours each request has two signatures, one with the new secret and one with the old. Your program
accepts it with either.`,
      html`After that only the new secret signs.`,
      input.endpoint.secretRotatesUntil !== null &&
        html`The secret before the last rotation still signs. It ends immediately.`,
    ].filter((one) => one !== false),
  })
}

/** Asks for the last word before an endpoint is disabled. */
export function disableEndpointPage(input: EndpointConfirmationInput): HtmlPage {
  return questionPage({ console: 'developer', section: 'own-apps' }, input, {
    ...ofEndpoint(input.endpoint, 'Disable'),
    title: 'Disable the endpoint',
    button: 'Disable',
    consequences: [
      html`Nothing is sent to it until you enable it again.`,
      html`Deliveries that wait end as failed.`,
      html`No event is lost: after you enable it, you can recover what it has missed in up to 30 days.`,
    ],
  })
}

/** Asks for the last word before an endpoint is deleted. */
export function deleteEndpointPage(input: EndpointConfirmationInput): HtmlPage {
  return questionPage({ console: 'developer', section: 'own-apps' }, input, {
    ...ofEndpoint(input.endpoint, 'Delete'),
    title: 'Delete the endpoint',
    button: 'Delete',
    consequences: [
      html`Nothing is sent there any more, not even what waits.`,
      html`Its deliveries are deleted. The events stay in your event log.`,
      html`You cannot undo this. You can add the URL again as a new endpoint.`,
    ],
  })
}
