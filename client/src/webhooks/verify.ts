import { Webhook } from 'standardwebhooks'
import { MarketplaceError } from '../errors.ts'
import type { Event } from '../generated/types.gen.ts'

/** The headers of a request as `fetch`, Node or Fastify provide them. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) over the unparsed body with any of the
 * secrets, and that it is at most five minutes old.
 *
 * @param rawBody the bytes or the text of the body, before anything has parsed it
 * @param secrets one, or during a rotation the new and the old one
 * @returns the event
 * @throws MarketplaceError invalid_webhook: respond with 401
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Event {
  const list = [secrets].flat()
  const text = textOf(rawBody)
  const signed = Object.fromEntries(NAMES.map((name) => [name, headerOf(headers, name)]))
  let cause: unknown
  for (const secret of list) {
    const webhook = new Webhook(secret)
    try {
      return eventOf(webhook.verify(text, signed))
    } catch (failure) {
      cause = failure
    }
  }
  throw refused('The signature, the timestamp or the body of the webhook is wrong.', cause)
}

function textOf(rawBody: string | Uint8Array): string {
  if (typeof rawBody === 'string') return rawBody
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody)
  } catch (cause) {
    throw refused(
      'The body of the webhook is not UTF-8, or something has parsed it already.',
      cause,
    )
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

function eventOf(body: unknown): Event {
  const { id, type, position, data } = (body ?? {}) as Partial<Event>
  const isWhole =
    typeof id === 'string' &&
    typeof type === 'string' &&
    Number.isSafeInteger(position) &&
    typeof data === 'object' &&
    data !== null
  if (!isWhole) throw new Error('The body is no event.')
  return body as Event
}

function refused(message: string, cause: unknown): MarketplaceError {
  return new MarketplaceError({ code: 'invalid_webhook', message, cause })
}
