import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import type { Author } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../setup/webhooks.ts'

let market: SharedMarketplace
let developerId: string
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let console: DeveloperConsole
let endpointId: string
let secret: string
let path: string
beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ id: developerId, developer, browser: console } = await newDeveloper(market))
  app = await appWithWebhooks(developer)
  // What happened before is not sent.
  await layOut(market, app.appId)
  ;({ id: endpointId, secret } = (await app.create()).body)
  path = `/Apps/${app.appId}/Webhooks/${endpointId}`
  for (const action of ['Unlist', 'List', 'Unlist']) {
    await developer.send('POST', `/${app.appId}/${action}`)
  }
  await layOut(market, app.appId)
})

const deliveries = () => storedDeliveries(market, endpointId)
/** The ids of the deliveries that a list shows, in its order. */
const idsIn = (text: string) =>
  [...text.matchAll(/Deliveries\/([0-9a-f-]{36})"/g)].map(([, id]) => id)

describe('the deliveries of an endpoint', () => {
  test('are listed newest first, and narrowed by the filters', async () => {
    const stored = await deliveries()
    const ids = stored.map(({ id }) => id)
    expect(idsIn((await console.get(`${path}/Deliveries`)).text)).toEqual(ids.toReversed())
    await setDelivery(market, ids[0] ?? '', { status: 'succeeded' })
    const shown = async (query: string) =>
      idsIn((await console.get(`${path}/Deliveries?${query}`)).text)
    expect(await shown('status=succeeded&type=&since=&installationId=')).toEqual([ids[0]])
    expect(await shown('type=app.listed')).toEqual([ids[1]])
    expect(await shown('since=2001-01-01T00:00')).toHaveLength(3)
    expect(await shown('since=2999-01-01T00:00')).toEqual([])
    expect(await shown('since=2999-01-01+09:30')).toEqual([])
    expect(await shown(`installationId=${randomUUID().toUpperCase()}`)).toEqual([])
  })

  test.each([
    ['status', 'lost', 'State: choose one from the list.'],
    ['type', 'x', 'Type of event: choose one from the list.'],
    ['installationId', 'x', 'Installation ID must be the ID of an installation.'],
    ['since', 'x', 'Since (UTC) must be a date and a time'],
  ])('are not listed with the filter %s=%s', async (name, value, text) => {
    const page = await console.get(`${path}/Deliveries?${name}=${value}`)
    expect([page.status, idsIn(page.text)]).toEqual([422, []])
    expect(page.text).toContain(`id="${name}-error"><bdi>${text}`)
  })

  test('go on on the next page, with the same filters', async () => {
    const other = await appWithWebhooks(developer)
    await layOut(market, other.appId)
    const { id } = (await other.create()).body
    await market.deps.pool.query(
      `INSERT INTO events (developer_id, app_id, type)
       SELECT $1, $2, 'app.listed' FROM generate_series(1, 30)`,
      [developerId, other.appId],
    )
    await layOut(market, other.appId)
    const list = `/Apps/${other.appId}/Webhooks/${id}/Deliveries`
    const first = await console.get(`${list}?type=app.listed`)
    const [, query = ''] = /rel="next" href="[^?]*\?([^"]+)"/.exec(first.text) ?? []
    expect(query).toMatch(/^type=app\.listed&amp;cursor=/)
    const second = await console.get(`${list}?${query.replaceAll('&amp;', '&')}`)
    const all = [...idsIn(first.text), ...idsIn(second.text)]
    expect([all.length, new Set(all).size]).toEqual([30, 30])
    expect(second.text).toContain(`href="/Developer${list}?type=app.listed">First page`)
  })

  test('of another developer are nowhere', async () => {
    const { browser: stranger } = await newDeveloper(market)
    const [{ id = '' } = {}] = await deliveries()
    for (const page of ['', `/${id}`, `/${randomUUID()}`]) {
      expect((await stranger.get(`${path}/Deliveries${page}`)).status).toBe(404)
    }
    expect((await stranger.send(`${path}/Deliveries/${id}/Replay`)).status).toBe(404)
    expect((await console.get(`${path}/Deliveries/${randomUUID()}`)).status).toBe(404)
  })
})

describe('a delivery', () => {
  test('shows its event and each attempt with what was answered', async () => {
    const [, { id = '', eventId = '' } = {}] = await deliveries()
    await setDelivery(market, id, {
      status: 'failed',
      attempts: [
        { outcome: 'failed', reason: 'connect_timeout' },
        { outcome: 'failed', status: 500, reason: 'status', response: '<b>down</b>' },
      ],
    })
    const { text } = await console.get(`${path}/Deliveries/${id}`)
    expect(text).toContain('No connection was made in time.')
    expect(text).toContain('HTTP 500')
    expect(text).toContain('&lt;b&gt;down&lt;/b&gt;')
    expect(text.indexOf('Attempt 2')).toBeLessThan(text.indexOf('Attempt 1:'))
    const times = [...text.matchAll(/<time[^>]*>([^<]*)</g)].map(([, time]) => time)
    expect(times.filter((time) => !/ \d\d:\d\d:\d\d UTC$/.test(time ?? ''))).toEqual([])
    expect(text).toContain(`&quot;id&quot;: &quot;${eventId}&quot;`)
  })

  test('shows what was signed: the body, and the headers of each attempt', async () => {
    const [, , { id = '', eventId = '' } = {}] = await deliveries()
    const key = 'k3y-of-the-header'
    await app.patch(endpointId, { headers: { 'x-key': key } })
    await setDelivery(market, id, { attempts: [{ outcome: 'failed', status: 500 }] })
    const { text } = await console.get(`${path}/Deliveries/${id}`)
    expect(text).not.toContain(key)
    const shown = (label: string) =>
      (new RegExp(`aria-label="${label}"[^>]*><code>([^<]*)<`).exec(text)?.[1] ?? '').replaceAll(
        '&quot;',
        '"',
      )
    const lines = shown('Request headers of attempt 1').split('\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    expect(headers).toMatchObject({
      ...{ 'webhook-id': eventId, 'x-key': '••••••', host: 'hooks.example.com' },
      'content-type': 'application/json',
    })
    expect(new Webhook(secret).verify(shown('The signed body'), headers)).toMatchObject({
      id: eventId,
    })
  })

  test('that is tried again says when, and is read again until then', async () => {
    const [, { id = '' } = {}] = await deliveries()
    const pages = [path, `${path}/Deliveries/${id}`]
    const shownWith = async (delivery: Parameters<typeof setDelivery>[2], page: string) => {
      await setDelivery(market, id, { ...delivery, attempts: [] })
      await market.deps.db.webhookDelivery.update({ where: { id }, data: { attempts: 2 } })
      return (await console.get(page)).text
    }
    for (const page of pages) {
      const inMs = (ms: number) =>
        ({ status: 'pending', dueAt: new Date(Date.now() + ms) }) as const
      const soon = await shownWith(inMs(8_000), page)
      expect(soon).toMatch(/Retrying in [5-8] s</)
      expect(soon).toMatch(/id="log" data-live/)
      expect(await shownWith(inMs(3_600_000 * 5), page)).toContain('Retrying in 5 h<')
      expect(await shownWith(inMs(-1_000), page)).toContain('Retrying now<')
      const done = await shownWith({ status: 'succeeded' }, page)
      expect(done).toContain('Delivered<')
    }
    const { text } = await console.get(pages[1] ?? '')
    expect(text).not.toContain('data-live')
  })

  test('is sent again, unless its endpoint is disabled', async () => {
    const [, { id = '' } = {}] = await deliveries()
    const page = `${path}/Deliveries/${id}`
    const answer = await console.send(`${page}/Replay`)
    expect(answer.location).toBe(`/Developer${page}`)
    expect((await deliveries()).find((one) => one.id === id)?.status).toBe('pending')
    onTestFinished(async () => {
      await app.send('POST', `/${endpointId}/Enable`)
    })
    await app.send('POST', `/${endpointId}/Disable`)
    expect((await console.get(page)).text).toContain('Enable the endpoint to send this again.')
    const refused = await console.send(`${page}/Replay`)
    expect([refused.status, refused.text.includes('Enable it first.')]).toEqual([409, true])
  })

  test('that was missed is recovered, once', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
    await console.send(`${path}/Recover`, { since })
    expect((await console.get(path)).text).toMatch(/\d deliver(y is|ies are) on the way\./)
    await console.send(`${path}/Recover`, { since })
    expect((await console.get(path)).text).toContain('has missed nothing since then.')
  })

  test('that was received is sent again when a box says so, and only then', async () => {
    const form = await console.get(`${path}/Recover`)
    expect(form.text).toMatch(/<input type="checkbox" id="all" name="all"\s+value="true"[^>]*>/)
    expect(form.text).not.toMatch(/id="all"[^>]* checked/)
    const all = await deliveries()
    for (const { id } of all) await setDelivery(market, id, { status: 'succeeded' })
    const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
    await console.send(`${path}/Recover`, { since })
    expect((await console.get(path)).text).toContain('has missed nothing since then.')
    const answer = await console.send(`${path}/Recover`, { since, all: 'true' })
    expect(answer.location).toBe(`/Developer${path}`)
    expect((await console.get(path)).text).toContain(`${all.length} deliveries are on the way.`)
    for (const { status } of await deliveries()) expect(status).toBe('pending')
    await console.send(`${path}/Recover`, { since, all: 'true' })
    expect((await console.get(path)).text).toContain('Nothing since then is left to send.')
  })

  test('is recovered from where a long recovery stopped', async () => {
    const all = await deliveries()
    for (const { id } of all) await setDelivery(market, id, { status: 'succeeded' })
    const after = String(all.at(-2)?.position)
    const page = await console.send(`${path}/Recover`, {
      ...{ since: 'x', all: 'true', after, afterOf: 'x, all' },
    })
    expect(page.status).toBe(422)
    expect(page.text).toMatch(/id="all"[^>]* checked/)
    expect(page.text).toContain(`<input type="hidden" name="after" value="${after}">`)
    expect(page.text).toContain(`Up to the event ${after}, all is on the way.`)
    const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
    const afterOf = `${since}, all`
    await console.send(`${path}/Recover`, { since, all: 'true', after, afterOf })
    expect((await console.get(path)).text).toContain('1 delivery is on the way.')
    // Another time begins anew.
    const earlier = new Date(Date.now() - 7_200_000).toISOString().slice(0, 16)
    await console.send(`${path}/Recover`, { since: earlier, all: 'true', after, afterOf })
    expect((await console.get(path)).text).toContain(
      `${all.length - 1} ${all.length === 2 ? 'delivery is' : 'deliveries are'} on the way.`,
    )
    for (const wrong of ['x', '-1', '1e3', '99999999999999999999']) {
      const shown = await console.send(`${path}/Recover`, {
        since: 'x',
        after: wrong,
        afterOf: 'x',
      })
      expect(shown.text).not.toContain('name="after"')
    }
  })
})
