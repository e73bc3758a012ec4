import { Webhook } from 'standardwebhooks'
import { MarketplaceError } from '../errors.ts'
import type { Event } from '../generated/types.gen.ts'

/** The headers of a request as `fetch`, Node or Fastify provide them. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const NO_EVENT = 'The signature is right, but the body is no event.'

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) over the unparsed body with any of the
 * secrets, and that it is at most five minutes old. The message of the error says what is wrong: the
 * headers, the clock, the secret, or a body that something has parsed and written again.
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
  const webhooks = [secrets].flat().map((secret) => new Webhook(secret))
  const text = textOf(rawBody)
  const signed = Object.fromEntries(NAMES.map((name) => [name, headerOf(headers, name)]))
  let cause: unknown
  for (const webhook of webhooks) {
    try {
      return eventOf(webhook.verify(text, signed))
    } catch (failure) {
      if (failure instanceof MarketplaceError) throw failure
      cause = failure
    }
  }
  throw refused(whyRefused(text, signed, webhooks), cause)
}

/** What a receiver has to look at, of headers that no secret verified. */
function whyRefused(
  text: string,
  signed: Record<string, string>,
  webhooks: readonly Webhook[],
): string {
  const missing = NAMES.filter((name) => signed[name] === '')
  if (missing.length > 0) {
    return `The request has no usable header ${missing.join(', ')}: it is not from the marketplace, or a proxy drops it.`
  }
  const sentAt = new Date(Number(signed['webhook-timestamp']) * 1000)
  if (Number.isNaN(sentAt.getTime())) return 'The header webhook-timestamp is not a time.'
  const fits = (body: string) => webhooks.some((webhook) => isSigned(webhook, body, sentAt, signed))
  const written = writtenAgain(text)
  if (fits(text)) {
    if (written === undefined) return NO_EVENT
    const seconds = Math.round((Date.now() - sentAt.getTime()) / 1000)
    const apart = seconds < 0 ? `${-seconds} s ahead of` : `${seconds} s behind`
    return `The signature is right, but the webhook was sent at ${sentAt.toISOString()}, ${apart} the clock of this machine, and 5 minutes are allowed: set the clock, or ignore a request that was sent again.`
  }
  if (written !== undefined && fits(written)) {
    return 'Something has parsed the body and written it again, with other spaces than were signed: verify the bytes as they arrived.'
  }
  return 'No secret fits the signature: use the secret of this endpoint, and the bytes of the body as they arrived.'
}

function isSigned(
  webhook: Webhook,
  body: string,
  sentAt: Date,
  signed: Record<string, string>,
): boolean {
  const own = webhook.sign(signed['webhook-id'] ?? '', sentAt, body)
  return (signed['webhook-signature'] ?? '').split(' ').includes(own)
}

/** A body of JSON as the marketplace writes it, or undefined. */
function writtenAgain(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
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
  if (!isWhole) throw refused(NO_EVENT, undefined)
  return body as Event
}

function refused(message: string, cause: unknown): MarketplaceError {
  return new MarketplaceError({ code: 'invalid_webhook', message, cause })
}
