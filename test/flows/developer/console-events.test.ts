import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import type { Author } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import { developerCalls, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { layOut } from '../../setup/webhooks.ts'

let market: SharedMarketplace
let developerId: string
let developer: Author
let console: DeveloperConsole
let appId: string
/** Nobody has it. */
let otherId: string
let installationId: string
beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ id: developerId, developer, browser: console } = await newDeveloper(market))
  appId = (await listedApp(developer, fullDraft())).id
  otherId = (await listedApp(developer, fullDraft())).id
  const { install } = await newCustomer(market)
  installationId = (await install({ appId, purchaseOptionId: 'free' })).body.id
  const { suspend, resume } = developerCalls(market, developer.token)
  for (let times = 0; times < 12; times += 1) {
    await suspend(installationId)
    await resume(installationId)
  }
  await layOut(market, appId)
})

/** The positions of the events that a page shows, in its order. */
const positionsIn = (text: string) =>
  [...text.matchAll(/The event at position (\d+) as JSON/g)].map(([, position]) => Number(position))
const newest = () => market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })

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
    expect(await typesIn(`${of}&appId=${otherId}`)).toEqual([])
    expect(await typesIn(`appId=${otherId}`)).toContain('app.listed')
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
    const { position } = await newest()
    const { token } = developer
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
    const { token } = developer
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
    const { browser: stranger } = await newDeveloper(market)
    const page = await stranger.get(`/Events?installationId=${installationId}`)
    expect(positionsIn(page.text)).toEqual([])
    expect((await stranger.get('/Events')).text).not.toContain(appId)
  })

  test('is reached from the pages of an app, of an installation and of all installations', async () => {
    const links = [
      [`/Apps/${appId}`, `/Developer/Events?appId=${appId}`],
      [`/Installations/${installationId}`, `/Developer/Events?installationId=${installationId}`],
      ['/Installations', '/Developer/Events'],
    ]
    for (const [page = '', href] of links) {
      expect((await console.get(page)).text).toContain(`href="${href}"`)
    }
  })
})
