import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWebhook, testWebhook } from '../../client/src/generated/index.ts'
import {
  createInbox,
  type Event,
  type InboxOptions,
  MarketplaceError,
  verifyWebhook,
} from '../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { clientOf } from '../setup/marketplace-client.ts'
import { type Receiver, startReceiver } from '../setup/webhook-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

const eventAt = (position: number) =>
  ({ id: `event-${position}`, type: 'app.listed', position, data: { appId: 'a' } }) as Event

/** A webhook as the marketplace sends it. */
function signed(body: string, secret = SECRET, at = new Date()) {
  return {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('event-1', at, body),
  }
}

describe('a webhook', () => {
  test('that something has parsed already says so', () => {
    const parsed = { id: 'event-1' } as unknown as string
    expect(() => verifyWebhook(parsed, signed('{}'), SECRET)).toThrow('has parsed it already')
  })

  test('cannot be checked without a secret, such as a variable that is not set', () => {
    const unset = undefined as unknown as string
    expect(() => verifyWebhook('{}', signed('{}'), unset)).toThrow('Expected secret to be')
  })

  const body = JSON.stringify(eventAt(1))

  test('is an event when one of the secrets fits', () => {
    expect(verifyWebhook(body, signed(body), SECRET)).toEqual(eventAt(1))
    expect(verifyWebhook(Buffer.from(body), signed(body), [OTHER, SECRET])).toEqual(eventAt(1))
    expect(verifyWebhook(body, new Headers(signed(body)), SECRET)).toEqual(eventAt(1))
  })

  const old = new Date(Date.now() - 6 * 60_000)
  const ahead = new Date(Date.now() + 6 * 60_000)
  const pretty = JSON.stringify(eventAt(1), null, 2)
  test.each([
    ['signed with another secret', body, signed(body, OTHER), 'No secret fits the signature'],
    ['with another body', body.replace('event-1', 'event-2'), signed(body), 'No secret fits'],
    ['that was written again', pretty, signed(body), 'parsed the body and written it again'],
    ['older than five minutes', body, signed(body, SECRET, old), /36\d s behind the clock/],
    ['from the future', body, signed(body, SECRET, ahead), /3[56]\d s ahead of the clock/],
    ['without headers', body, {}, 'no usable header webhook-id, webhook-timestamp, webhook-sig'],
    [
      'with a header that came twice',
      body,
      { ...signed(body), 'webhook-id': ['a', 'b'] },
      'no usable header webhook-id:',
    ],
    [
      'with no time',
      body,
      { ...signed(body), 'webhook-timestamp': 'now' },
      'webhook-timestamp is not a time',
    ],
    ['that is no JSON', 'x', signed('x'), 'but the body is no event'],
    ['that is no event', '{"type":1}', signed('{"type":1}'), 'but the body is no event'],
    ['that is null', 'null', signed('null'), 'but the body is no event'],
    ['that is not UTF-8', Buffer.from([0xff]), signed('x'), 'is not UTF-8'],
  ])('%s is refused with its reason', (_, text, headers, reason) => {
    const verify = () => verifyWebhook(text, headers, SECRET)
    expect(verify).toThrow(expect.objectContaining({ code: 'invalid_webhook' }))
    expect(verify).toThrow(reason)
  })
})

/** An inbox on a log with events at these positions, and what it has done. */
function newInbox(log: number[], options: Partial<InboxOptions> = {}) {
  const done: number[] = []
  const asked: (number | undefined)[] = []
  const inbox = createInbox({
    marketplace: {
      async *events({ after = 0 }) {
        asked.push(after)
        for (const position of log.filter((one) => one > after)) yield eventAt(position)
      },
    },
    position: async () => done.at(-1),
    handle: async ({ position }) => void done.push(position),
    ...options,
  })
  return { inbox, done, asked }
}

describe('an inbox', () => {
  test('does the next event without asking', async () => {
    const { inbox, done, asked } = newInbox([])
    await inbox.receive(eventAt(1))
    await inbox.receive(eventAt(2))
    expect({ done, asked }).toEqual({ done: [1, 2], asked: [] })
  })

  test('skips what it has done', async () => {
    const { inbox, done, asked } = newInbox([])
    await inbox.receive(eventAt(1))
    await inbox.receive(eventAt(1))
    expect({ done, asked }).toEqual({ done: [1], asked: [] })
  })

  test('fills a gap from the log before the event', async () => {
    const { inbox, done } = newInbox([1, 2, 3, 4, 5])
    await inbox.receive(eventAt(4))
    expect(done).toEqual([1, 2, 3, 4])
  })

  test('does many that come at once in any order once each, in the order of the log', async () => {
    const log = Array.from({ length: 100 }, (_, index) => index + 1)
    const { inbox, done, asked } = newInbox(log)
    await Promise.all(log.toReversed().map((position) => inbox.receive(eventAt(position))))
    expect(done).toEqual(log)
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  test('repeats an event whose work failed', async () => {
    const fails = new Set([2])
    const done: number[] = []
    const { inbox } = newInbox([1, 2, 3], {
      position: async () => done.at(-1),
      async handle({ position }) {
        if (fails.delete(position)) throw new Error('no disk')
        done.push(position)
      },
    })
    await expect(inbox.receive(eventAt(3))).rejects.toThrow('no disk')
    await inbox.receive(eventAt(3))
    expect(done).toEqual([1, 2, 3])
  })

  test('catches up with the whole log', async () => {
    const { inbox, done } = newInbox([1, 2, 5])
    await inbox.catchUp()
    expect(done).toEqual([1, 2, 5])
  })
})

describe('with a marketplace', () => {
  let market: TestMarketplace
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    market = await startMarketplace({
      background: {},
      config: { webhookAllowedPrivateHosts: new Set([receiver.host]) },
    })
  })
  afterAll(async () => {
    await market.close()
    await receiver.close()
  })

  test('a sent webhook is verified, and the events before it come from the log', async () => {
    const marketplace = clientOf(market, 'price-sync')
    const { client } = marketplace
    const path = { appId: 'price-sync' }
    const { data: endpoint } = await createWebhook({ client, path, body: { url: receiver.url } })
    await testWebhook({ client, path: { ...path, endpointId: endpoint.id } })
    await receiver.until(1)
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    const event = verifyWebhook(body, headers, endpoint.secret)
    expect(event.type).toBe('webhook.test')

    const done: Event[] = []
    const inbox = createInbox({
      marketplace,
      appId: 'price-sync',
      position: async () => done.at(-1)?.position,
      handle: async (one) => void done.push(one),
    })
    await inbox.receive(event)
    expect(done.at(-1)).toEqual(event)
    expect(done.map(({ type }) => type)).toContain('installation.created')
  })

  describe('whose log ends before the position that an inbox keeps', () => {
    const BEYOND = 9_999_999

    /** An inbox that comes from another log, and goes on from where `onLost` puts it. */
    function strayInbox(options: Partial<InboxOptions> = {}) {
      const kept = { position: BEYOND }
      const done: number[] = []
      const lost: unknown[] = []
      const inbox = createInbox({
        marketplace: clientOf(market, 'price-sync'),
        position: async () => kept.position,
        async handle({ position }) {
          done.push(position)
          kept.position = position
        },
        async onLost(one) {
          lost.push(one)
          kept.position = one.oldestPosition - 1
        },
        ...options,
      })
      return { inbox, done, lost }
    }

    const wholeLog = () =>
      Array.fromAsync(clientOf(market, 'price-sync').events({ after: 0, follow: false }))

    test('the inbox says so, and begins at the beginning', async () => {
      const { inbox, done, lost } = strayInbox()
      await inbox.catchUp()
      expect(lost).toEqual([{ after: BEYOND, oldestPosition: 1 }])
      expect(done).toEqual((await wholeLog()).map(({ position }) => position))
    })

    test('a webhook below the kept position brings the inbox back; sent again it is skipped', async () => {
      const [first, second, third] = await wholeLog()
      if (!first || !second || !third) throw new Error('the demo has too few events')
      const { inbox, done, lost } = strayInbox()
      await inbox.receive(second)
      expect(done).toEqual([1, 2])
      await inbox.receive(first)
      await inbox.receive(second)
      await inbox.receive(third)
      expect(done).toEqual([1, 2, 3])
      expect(lost).toHaveLength(1)
    })

    test('an app without onLost begins at the beginning, too', async () => {
      const done: number[] = []
      const { inbox } = strayInbox({
        position: async () => done.at(-1) ?? BEYOND,
        handle: async ({ position }) => void done.push(position),
      })
      const [, second] = await wholeLog()
      if (!second) throw new Error('the demo has too few events')
      await inbox.receive(second)
      expect(done).toEqual([1, 2])
    })

    test('where the first events are no longer kept, the inbox begins with the oldest', async () => {
      const whole = await wholeLog()
      const forgotten = 2
      await market.deps.pool.query(
        `UPDATE event_logs SET forgotten = $1 WHERE developer_id = (
           SELECT developer_id FROM apps WHERE id = 'price-sync')`,
        [forgotten],
      )
      const { inbox, done, lost } = strayInbox()
      await inbox.catchUp()
      expect(done).toEqual(whole.slice(forgotten).map(({ position }) => position))
      expect(lost).toEqual([{ after: BEYOND, oldestPosition: forgotten + 1 }])
    })

    test.each(['invalid_cursor', 'cursor_expired'])(
      'work that fails with %s itself loses nothing',
      async (code) => {
        const failure = new MarketplaceError({ code, message: 'of another list' })
        const { inbox, lost } = strayInbox({
          position: async () => 2,
          handle: () => Promise.reject(failure),
        })
        await expect(inbox.catchUp()).rejects.toBe(failure)
        expect(lost).toEqual([])
      },
    )
  })

  test('an inbox that was started again skips an old webhook', async () => {
    const marketplace = clientOf(market, 'price-sync')
    const last = (await Array.fromAsync(marketplace.events({ follow: false }))).at(-1)
    if (!last) throw new Error('the demo has no events')
    const done: Event[] = []
    const inbox = createInbox({
      marketplace,
      position: async () => last.position,
      handle: async (one) => void done.push(one),
      onLost: () => Promise.reject(new Error('nothing was lost')),
    })
    await inbox.receive(last)
    expect(done).toEqual([])
  })
})
