import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type DeveloperConsole, developerConsole, newDeveloper } from '../../setup/console.ts'
import { hiddenFields } from '../../setup/web-client.ts'
import {
  appWithWebhooks,
  layOut,
  RECEIVER,
  setDelivery,
  setHealth,
  storedDeliveries,
} from '../../setup/webhooks.ts'

const DAY_MS = 86_400_000

let market: SharedMarketplace
let own: Awaited<ReturnType<typeof newDeveloper>>
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let console: DeveloperConsole
let stranger: DeveloperConsole
let list: string
beforeAll(async () => {
  market = await sharedMarketplace()
  own = await newDeveloper(market)
  app = await appWithWebhooks(own.developer)
  list = `/Apps/${app.appId}/Webhooks`
  console = own.browser
  stranger = (await newDeveloper(market)).browser
})

/** A new endpoint of the app with the path of its page. */
async function newEndpoint(body: object = {}) {
  const { body: endpoint } = await app.create(body)
  return { id: endpoint.id as string, path: `${list}/${endpoint.id}` }
}
const stored = (id: string) => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
const remove = (id: string) => app.send('DELETE', `/${id}`)

test.each(['', '/Change', '/Secret', '/Disable', '/Delete', '/Recover', '/Deliveries'])(
  'the page %s of an endpoint names the URL in its title',
  async (action) => {
    const { id, path } = await newEndpoint()
    const [, title] = /<title>(.*) · App Mark/.exec((await console.get(path + action)).text) ?? []
    expect(title).toContain(`: ${RECEIVER}`)
    await remove(id)
  },
)

describe('the form for a new endpoint', () => {
  test('makes one whose secret shows once', async () => {
    const made = await console.client.submit(`/Developer${list}`, {
      ...hiddenFields((await console.get(list)).text),
      ...{ url: ` ${RECEIVER} `, scope: 'chosen', 'type.installation.created': 'yes' },
      ...{ ordered: 'yes', 'headerName.2': 'Authorization', 'headerValue.2': 'Bearer s3cret' },
    })
    expect(made.status).toBe(303)
    const shown = await console.client.get(made.location ?? '')
    const [, secret = ''] = /<code data-copy>(whsec_[^<]+)/.exec(shown.text) ?? []
    expect(shown.text).toContain('The endpoint was added.')
    const again = await console.client.get(made.location ?? '')
    expect([again.status, again.text.includes(secret)]).toEqual([200, false])
    expect(again.text).not.toContain('s3cret')
    const [, id = ''] = /Webhooks\/([0-9a-f-]{36})/.exec(made.location ?? '') ?? []
    expect(await stored(id)).toMatchObject({
      ...{ url: RECEIVER, eventTypes: ['installation.created'], ordered: true },
      headerNames: ['Authorization'],
    })
    await remove(id)
  })

  test.each([
    ['url', { url: '' }, 'Enter the URL of your receiver.'],
    ['url', { url: 'https://127.0.0.1/' }, 'The URL must not be an address of a private'],
    ['url', { url: 'https://hooks.example.com/a b' }, 'The URL must not contain white space'],
    ['types', { scope: 'chosen' }, 'Choose at least one type of event, or all events.'],
    ['headerName.1', { 'headerValue.1': 'x' }, 'Enter the name of the header.'],
    ['headerValue.1', { 'headerName.1': 'x' }, 'Enter the value of x.'],
    [
      'headerName.1',
      { 'headerName.1': 'Host', 'headerValue.1': 'x' },
      'You cannot set this header.',
    ],
    [
      'headerName.1',
      { 'headerName.1': '__proto__', 'headerValue.1': 'x' },
      'You cannot set this header.',
    ],
    ['headerValue.3', { 'headerName.3': 'x', 'headerValue.3': 'ü' }, 'The value of x must be'],
    [
      'headerName.2',
      { 'headerName.1': 'x', 'headerValue.1': '1', 'headerName.2': 'X', 'headerValue.2': '2' },
      'There is a header X already.',
    ],
  ])('says at %s what is wrong with %j', async (field, fields, text) => {
    const page = await console.send(list, { url: RECEIVER, scope: 'all', ...fields })
    expect(page.status).toBe(422)
    const [, message = ''] = new RegExp(`id="${field}-error"><bdi>([^<]*)`).exec(page.text) ?? []
    expect(message).toContain(text)
    expect(await market.deps.db.webhookEndpoint.count({ where: { appId: app.appId } })).toBe(0)
  })

  test('carries the value of a header along, and never shows it', async () => {
    const fields = { 'headerName.1': 'x-key', 'headerValue.1': 's3cret' }
    const page = await console.send(list, { url: 'http://x', ...fields })
    expect(page.status).toBe(422)
    expect(page.text).not.toContain('s3cret')
    const { status, location } = await console.client.submit(`/Developer${list}`, {
      ...hiddenFields(page.text),
      ...{ url: RECEIVER, 'headerName.1': 'x-key', 'headerValue.1': '' },
    })
    expect(status).toBe(303)
    const [, id = ''] = /Webhooks\/([0-9a-f-]{36})/.exec(location ?? '') ?? []
    expect(await stored(id)).toMatchObject({ headerNames: ['x-key'] })
    await remove(id)
  })

  test('says when the app has as many as it may have', async () => {
    const made = await Promise.all(Array.from({ length: 16 }, () => newEndpoint()))
    const page = await console.send(list, { url: RECEIVER })
    expect([page.status, page.text.includes('at most 16 webhook endpoints')]).toEqual([409, true])
    expect(page.text).toContain(`value="${RECEIVER}"`)
    for (const { id } of made) await remove(id)
  })

  test('is kept through a sign-in when the session ended', async () => {
    const lapsed = await developerConsole(market, own.person)
    const form = hiddenFields((await lapsed.get(list)).text)
    await market.deps.db.session.deleteMany({ where: { userId: own.person.id } })
    const answer = await lapsed.client.submit(`/Developer${list}`, { ...form, url: RECEIVER })
    expect(answer.location).toMatch(/^\/login\?next=/)
    const next = new URL(answer.location ?? '', market.url).searchParams.get('next') ?? ''
    await lapsed.client.login(own.person, next)
    const page = await lapsed.client.get(next)
    expect(page.text).toContain(`value="${RECEIVER}"`)
    expect(page.text).toContain('You were signed out before this was saved.')
    expect(await market.deps.db.webhookEndpoint.count({ where: { appId: app.appId } })).toBe(0)
    console = await developerConsole(market, own.person)
  })
})

describe('an endpoint', () => {
  test.each([
    [{}, 'Nothing has been sent yet.'],
    [{ lastSuccessAt: new Date('2026-11-20T09:30:00Z') }, 'Last delivery: <time'],
    [{ failingSince: new Date(Date.now() - DAY_MS) }, 'unless it answers.'],
  ])('that fares as %j says so', async (facts, words) => {
    const { id, path } = await newEndpoint()
    await setHealth(market, id, facts)
    for (const page of [await console.get(path), await console.get(list)]) {
      expect(page.text).toContain(words)
    }
    expect((await console.get(path)).text).not.toContain('of the five days')
    await remove(id)
  })

  test.each([
    [2.6, '50% of the five days'],
    [3.6, '70% of the five days'],
    [4.6, '90% of the five days'],
  ])('that fails for %d days warns', async (days, words) => {
    const { id, path } = await newEndpoint()
    await setHealth(market, id, { failingSince: new Date(Date.now() - days * DAY_MS) })
    expect((await console.get(path)).text).toContain(words)
    await remove(id)
  })

  test('is changed but for what the form does not show', async () => {
    const { id, path } = await newEndpoint({
      events: ['webhook.test', 'app.listed'],
      headers: { 'x-one': '1', 'x-two': '2' },
    })
    const form = hiddenFields((await console.get(`${path}/Change`)).text)
    const fields = { url: `${RECEIVER}/2`, scope: 'chosen', 'type.app.unlisted': 'yes' }
    const headers = { 'remove.kept.x-one': 'yes', 'headerName.1': 'x-three', 'headerValue.1': '3' }
    const saved = await console.send(`${path}/Change`, { ...form, ...fields, ...headers })
    expect(saved.location).toBe(`/Developer${path}`)
    expect(await stored(id)).toMatchObject({
      ...{ url: `${RECEIVER}/2`, eventTypes: ['app.unlisted', 'webhook.test'] },
      headerNames: ['x-two', 'x-three'],
    })
    await remove(id)
  })

  test('that somebody else has changed is not overwritten unseen', async () => {
    const { id, path } = await newEndpoint()
    const form = hiddenFields((await console.get(`${path}/Change`)).text)
    await app.patch(id, { ordered: true })
    const fields = { url: `${RECEIVER}/mine`, scope: 'all' }
    const refused = await console.client.post(`/Developer${path}/Change`, { ...form, ...fields })
    expect(refused.status).toBe(412)
    expect(refused.text).toContain('Saved now:')
    expect(refused.text).toContain(`value="${RECEIVER}/mine"`)
    const again = hiddenFields(refused.text)
    const saved = await console.client.submit(`/Developer${path}/Change`, { ...again, ...fields })
    expect(saved.status).toBe(303)
    expect(await stored(id)).toMatchObject({ url: `${RECEIVER}/mine`, ordered: false })
    await remove(id)
  })

  test('gets a new secret that shows once, and says how long the former one signs', async () => {
    const { id, path } = await newEndpoint()
    const shown = await console.send(`${path}/Secret`)
    expect(shown.text).toMatch(/<code data-copy>whsec_/)
    const later = await console.get(path)
    expect(later.text).not.toContain('whsec_')
    expect(later.text).toContain('The former secret signs as well until')
    await remove(id)
  })

  test('is disabled, refuses a test, is enabled and tested', async () => {
    const { id, path } = await newEndpoint()
    expect((await console.send(`${path}/Disable`)).location).toBe(`/Developer${path}`)
    expect((await stored(id)).disabledReason).toBe('developer')
    const page = await console.get(path)
    expect(page.text).toContain('you disabled it.')
    const refused = await console.send(`${path}/Test`)
    expect([refused.status, refused.text.includes('Enable it first.')]).toEqual([409, true])
    await console.send(`${path}/Enable`)
    expect((await stored(id)).disabledAt).toBeNull()
    expect((await console.send(`${path}/Test`)).location).toBe(`/Developer${path}`)
    const where = { endpointId: id, type: 'webhook.test' }
    expect(await market.deps.db.event.count({ where })).toBe(1)
    await remove(id)
  })

  test('is read again while a test is on its way, and then shows how its attempts went', async () => {
    const { id, path } = await newEndpoint({ events: ['webhook.test'] })
    expect((await console.get(path)).text).not.toContain('data-live')
    await console.send(`${path}/Test`)
    expect((await console.get(path)).text).toContain('id="log" data-live')
    await layOut(market, app.appId)
    const [{ id: deliveryId = '' } = {}] = await storedDeliveries(market, id)
    await setDelivery(market, deliveryId, {
      status: 'succeeded',
      attempts: [{ outcome: 'failed', status: 500 }, { outcome: 'succeeded' }],
    })
    const { text } = await console.get(path)
    expect(text).not.toContain('data-live')
    expect(text).toContain('data-says="webhook.test: Delivered"')
    expect(text).toContain('Last 2 attempts, newest on the right: 1 delivered, 1 failed')
    expect(text).toContain('1 of the last 2 attempts failed · 50%')
    expect((await console.get(list)).text).toContain('1 of the last 2 attempts failed · 50%')
    expect(text).toContain('<dd>50%</dd>')
    expect(text).toContain('<dd>12 ms</dd>')
    await remove(id)
  })

  test('is deleted; a second click finds it done', async () => {
    const { path } = await newEndpoint()
    expect((await console.get(`${path}/Delete`)).text).toContain('You cannot undo this.')
    const clicks = [
      ...(await Promise.all([console.send(`${path}/Delete`), console.send(`${path}/Delete`)])),
      await console.send(`${path}/Delete`),
    ]
    for (const { location } of clicks) expect(location).toBe(`/Developer${list}`)
    expect((await console.get(path)).status).toBe(404)
    expect((await stranger.send(`${path}/Delete`)).status).toBe(404)
  })

  test.each([
    ['', 'Enter a date and a time'],
    ['yesterday', 'Enter a date and a time'],
    ['0000-01-01T00:00', 'Enter a date and a time'],
    ['2001-01-01T00:00', 'The time must lie within the last 30 days'],
    ['9999-12-31T23:59', 'The time must not lie in the future.'],
  ])('is not recovered since %j', async (since, text) => {
    const { id, path } = await newEndpoint()
    const page = await console.send(`${path}/Recover`, { since })
    expect(page.status).toBe(422)
    expect(page.text).toContain(`id="since-error"><bdi>${text}`)
    expect(page.text).toContain(`value="${since}"`)
    await remove(id)
  })

  test('of another developer is nowhere', async () => {
    const { id, path } = await newEndpoint()
    const pages = ['', '/Change', '/Secret', '/Disable', '/Delete', '/Recover', '/Deliveries']
    for (const page of pages) expect((await stranger.get(path + page)).status).toBe(404)
    const posts = ['Change', 'Secret', 'Test', 'Enable', 'Disable', 'Delete', 'Recover']
    for (const action of posts) {
      const fields = { url: RECEIVER, since: '2026-11-22T00:00' }
      expect((await stranger.send(`${path}/${action}`, fields)).status).toBe(404)
    }
    expect((await stranger.get(list)).status).toBe(404)
    expect((await stored(id)).revision).toBe(1)
    await remove(id)
  })
})
