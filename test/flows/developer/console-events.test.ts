import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { type DeveloperConsole, developerConsole } from '../../setup/console.ts'
import { switchOften, twoInstallations } from '../../setup/deliveries.ts'
import { layOut } from '../../setup/webhooks.ts'

let market: TestMarketplace
let console: DeveloperConsole
let installationId: string
beforeAll(async () => {
  market = await startMarketplace()
  console = await developerConsole(market)
  installationId = twoInstallations(market)[0]
  await switchOften(market, installationId, 24)
  await layOut(market, 'price-sync')
})
afterAll(() => market.close())

/** The positions of the events that a page shows, in its order. */
const positionsIn = (text: string) =>
  [...text.matchAll(/The event at position (\d+) as JSON/g)].map(([, position]) => Number(position))
const newest = async () => {
  const { developerId } = await market.deps.db.app.findUniqueOrThrow({
    where: { id: 'price-sync' },
  })
  return market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })
}

describe('the event log', () => {
  test('is listed newest first, page by page, without a gap', async () => {
    const head = Number((await newest()).position)
    const first = await console.get('/Events')
    const [, query = ''] = /rel="next" href="[^?]*\?([^"]+)"/.exec(first.text) ?? []
    const second = await console.get(`/Events?${query}`)
    expect([...positionsIn(first.text), ...positionsIn(second.text)]).toEqual(
      Array.from({ length: head }, (_, index) => head - index),
    )
  })

  test('is narrowed by app, type and installation', async () => {
    const typesIn = async (query: string) => {
      const { text } = await console.get(`/Events?${query}`)
      return [...new Set([...text.matchAll(/<summary>([a-z_.]+) /g)].map(([, type]) => type))]
    }
    expect(await typesIn('type=app.listed')).toEqual(['app.listed'])
    const of = `installationId=${installationId}`
    expect(await typesIn(`${of}&type=installation.created`)).toEqual(['installation.created'])
    expect(await typesIn(`${of}&appId=stock-watch`)).toEqual([])
    expect(await typesIn('appId=stock-watch')).toContain('app.listed')
    // A deleted app stays the choice.
    const { text } = await console.get('/Events?appId=gone-app')
    expect(text).toContain('<option value="gone-app" selected>gone-app</option>')
  })

  test.each([
    ['appId', '%22', 'App must be the ID of an app.'],
    ['type', 'x', 'Type: choose one from the list.'],
    ['installationId', 'x', 'Installation ID must be the ID of an installation.'],
  ])('is not listed with the filter %s=%s', async (name, value, text) => {
    const page = await console.get(`/Events?${name}=${value}`)
    expect([page.status, positionsIn(page.text)]).toEqual([422, []])
    expect(page.text).toContain(`id="${name}-error"><bdi>${text}`)
  })

  test('says what it holds, and how far its consumers are behind', async () => {
    const { position, developerId } = await newest()
    const token = await developerToken(market)
    await call(market, 'PUT', '/v1/Developer/EventConsumers/erp', {
      token,
      body: { position: Number(position) - 2 },
    })
    const page = await console.get('/Events')
    expect(page.text).toContain(`<dt>Newest position</dt><dd>${position}</dd>`)
    expect(page.text).toContain('<dt>Oldest kept</dt><dd>1</dd>')
    expect(page.text).toMatch(/<code>erp<\/code> <span class="badge badge-warn">2 behind/)
    const where = { developerId }
    await market.deps.db.eventLog.update({ where, data: { forgotten: position } })
    expect((await console.get('/Events')).text).toContain('<dt>Oldest kept</dt><dd>None</dd>')
    await market.deps.db.eventLog.update({ where, data: { forgotten: 0n } })
  })

  test('lets a consumer be removed, after a last word, once', async () => {
    const { position } = await newest()
    const token = await developerToken(market)
    const consumers = '/v1/Developer/EventConsumers'
    const body = { position: Number(position) - 1 }
    await call(market, 'PUT', `${consumers}/old.one`, { token, body })
    const path = '/Events/Consumers/old.one/Remove'
    expect((await console.get('/Events')).text).toContain(`href="/Developer${path}"`)
    const asked = await console.get(path)
    expect(asked.text).toContain(
      `The position of <code>old.one</code>, ${body.position}, is forgotten`,
    )
    for (const _click of [1, 2]) {
      const done = await console.send(path)
      expect([done.status, done.location]).toEqual([303, '/Developer/Events'])
    }
    const left = (await call(market, 'GET', consumers, { token })).body
    expect(left.map(({ name }: { name: string }) => name)).not.toContain('old.one')
    expect((await console.get(path)).status).toBe(404)
  })

  test('is each developer’s own', async () => {
    const stranger = await developerConsole(market, 1)
    const page = await stranger.get(`/Events?installationId=${installationId}`)
    expect(positionsIn(page.text)).toEqual([])
    expect((await stranger.get('/Events')).text).not.toContain('price-sync')
  })

  test('is reached from the pages of an app, of an installation and of all installations', async () => {
    const links = [
      ['/Apps/price-sync', '/Developer/Events?appId=price-sync'],
      [`/Installations/${installationId}`, `/Developer/Events?installationId=${installationId}`],
      ['/Installations', '/Developer/Events'],
    ]
    for (const [page = '', href] of links) {
      expect((await console.get(page)).text).toContain(`href="${href}"`)
    }
  })
})
