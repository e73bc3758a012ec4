import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { nextParameter } from '../data/paged.ts'
import { listEvents } from '../generated/sdk.gen.ts'
import type { Event } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import type { Given, Streams } from './command.ts'
import { requireOwnApp } from './own-app.ts'
import { askSecret } from './password.ts'
import { UsageError } from './usage-error.ts'
import { requireWebAddress } from './web-address.ts'
import { whyFailed } from './why-failed.ts'

/** How long the developer's server may take to respond. */
const FORWARD_MS = 20_000
/** No installation has this id. */
const NO_INSTALLATION = '00000000-0000-0000-0000-000000000000'

/**
 * Reads the event log and sends each event to the developer's own server, signed as the marketplace
 * signs webhooks. It needs no tunnel, and nothing becomes reachable for others.
 */
export async function listen({ options, open, ...streams }: Given): Promise<undefined> {
  const { stdout, signal } = streams
  const target = options['forward-to'] ?? ''
  requireWebAddress('--forward-to', target, 'http://localhost:4000/hook')
  const secret = await secretOf(options.secret, streams)
  const webhook = signer(secret)
  const marketplace = await open()
  const { app } = options
  const filter =
    app === undefined ? {} : { appId: (await requireOwnApp(marketplace.client, app)).id }
  const after = numberOf(options.after) ?? (await endOfLog(marketplace))
  stdout.write(`Forwarding events after ${after} to ${target}\nWebhook secret: ${secret}\n`)
  const following = { ...filter, after, ...(signal !== undefined && { signal }) }
  for await (const event of marketplace.events(following)) {
    const outcome = await forward(webhook, target, event)
    stdout.write(`${event.timestamp} ${event.position} ${event.type} -> ${outcome}\n`)
  }
}

/** The secret out of standard input for `-`, where no list of processes shows it. */
async function secretOf(given: string | undefined, streams: Omit<Streams, 'stdout'>) {
  if (given === undefined) return `whsec_${randomBytes(32).toString('base64')}`
  return given === '-' ? askSecret(streams, 'Webhook secret: ') : given
}

function signer(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch {
    throw new UsageError('--secret is whsec_ and a key in base64, as the marketplace shows it.')
  }
}

/** The position of the last event: a page that nothing passes ends there. */
async function endOfLog({ client }: Marketplace): Promise<number> {
  const query = { limit: 1, installationId: NO_INSTALLATION }
  const { response } = await listEvents({ client, query })
  return Number(nextParameter(response, 'after'))
}

async function forward(webhook: Webhook, target: string, event: Event): Promise<string> {
  const body = JSON.stringify(event)
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(event.id, now, body),
  }
  try {
    const timeout = AbortSignal.timeout(FORWARD_MS)
    const init = { method: 'POST', headers, body, redirect: 'manual', signal: timeout } as const
    const response = await fetch(target, init)
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return `no response: ${whyFailed(error)}`
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--after is the position of an event.')
  return Number(text)
}
