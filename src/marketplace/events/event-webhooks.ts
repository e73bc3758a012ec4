import { eventComponent, exampleEvent, pascalCase } from './event-schemas.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from './event-types.ts'

/** The headers of a delivery (Standard Webhooks 1.0), by the name of their component. */
const DELIVERY_HEADERS = {
  WebhookId: header(
    'webhook-id',
    'The `id` of the event: the same in every attempt, so that you can recognise a repetition.',
    { type: 'string', format: 'uuid' },
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970: refuse what is older than five minutes.',
    { type: 'integer', examples: [1_795_339_800] },
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of `{webhook-id}.{webhook-timestamp}.{body}` (HMAC-SHA256), `v1,` and base64 ' +
      'each, separated by spaces: one for each secret that is valid. One that matches is enough.',
    { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ),
}

/** What a receiver responds with, by the name of the component. */
const RECEIVER_RESPONSES = {
  EventReceived: {
    description: 'You have the event. Anything else is a failure: it is sent again.',
  },
  EventsUnwanted: { description: 'You want no more events here: the endpoint is disabled.' },
}

/**
 * What is sent to webhook endpoints, for the OpenAPI document: a path item for each type of event,
 * and the parameters and responses that they share.
 */
export const EVENT_WEBHOOKS = {
  webhooks: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { post: delivery(type) }])),
  parameters: DELIVERY_HEADERS,
  responses: RECEIVER_RESPONSES,
}

function header(name: string, description: string, schema: Record<string, unknown>) {
  return { name, in: 'header', required: true, description, schema }
}

function delivery(type: EventType) {
  const { description } = EVENT_TYPES[type]
  return {
    operationId: `receive${pascalCase(type)}`,
    tags: ['Events'],
    summary: `Receive ${type}`,
    description: `${description} The body is the event as \`GET /v1/Developer/Events\` tells it; the same event may come more than once.`,
    security: [],
    parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${eventComponent(type)}` },
          example: exampleEvent(type),
        },
      },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/EventReceived' },
      '410': { $ref: '#/components/responses/EventsUnwanted' },
    },
  }
}
