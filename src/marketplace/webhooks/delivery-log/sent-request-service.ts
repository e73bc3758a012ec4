import { SecretBoxError } from '../../../base/secrets/secret-box.ts'
import type { Deps } from '../../../deps.ts'
import { eventJson } from '../../events/event-record.ts'
import { signatureHeader } from '../attempts/signature.ts'
import { signingSecrets } from '../endpoints/endpoint-secrets.ts'
import { httpHeaders } from '../sending/send-attempt.ts'
import type { DeliveryWithAttempts, SentHeaders, SentRequests } from './delivery.ts'
import type { DeliverySubject } from './read-deliveries-service.ts'

/**
 * Makes the requests of a delivery again from what is stored: the body is the same, the signatures are
 * those of the secret that signs now, the URL and the names of static headers are those of now.
 *
 * @param delivery of the subject, as its developer may read it
 * @returns undefined once its event is no longer kept
 */
export async function readSentRequests(
  { db, secrets, config }: Pick<Deps, 'db' | 'secrets' | 'config'>,
  { developerId, endpointId }: Pick<DeliverySubject, 'developerId' | 'endpointId'>,
  { eventId, attempts }: Pick<DeliveryWithAttempts, 'eventId' | 'attempts'>,
): Promise<SentRequests | undefined> {
  const [event, endpoint] = await Promise.all([
    db.event.findFirst({ where: { id: eventId, developerId, position: { not: null } } }),
    db.webhookEndpoint.findFirst({ where: { id: endpointId, developerId } }),
  ])
  if (event === null || endpoint === null) return undefined
  const body = eventJson(event, config.publicUrl)
  const bytes = Buffer.from(body)
  const headersOf = (at: Date): SentHeaders => {
    const timestamp = Math.floor(at.getTime() / 1000)
    const signed = { id: eventId, timestamp, body: bytes }
    return {
      ...Object.fromEntries(endpoint.headerNames.map((name) => [name, null])),
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      ...signatureOf(() => ({ ...signed, secrets: signingSecrets(secrets, endpoint, at) })),
      ...httpHeaders(new URL(endpoint.url), bytes),
    }
  }
  return { body, headers: new Map(attempts.map(({ number, at }) => [number, headersOf(at)])) }
}

/** Without the key of its secret, an attempt has no signature to show. */
function signatureOf(signed: () => Parameters<typeof signatureHeader>[0]) {
  try {
    return { 'webhook-signature': signatureHeader(signed()) }
  } catch (error) {
    if (error instanceof SecretBoxError) return {}
    throw error
  }
}
