import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { appWithWebhooks, RECEIVER, setHealth } from '../../../setup/webhooks.ts'

let market: SharedMarketplace
let developer: Author
let customer: Customer
let operator: OperatorCalls
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
  operator = await operatorCalls(market)
})

const FAILING_SINCE = new Date('2026-11-20T00:00:00Z')

describe('the record of an app', () => {
  test('shows its endpoints to its developer, oldest first, wherever it is answered', async () => {
    const app = await appWithWebhooks(developer)
    expect((await developer.read(app.appId)).body.webhooks).toEqual([])
    const first = (await app.create({ events: ['app.listed'] })).body
    const second = (await app.create()).body
    await setHealth(market, first.id, { failingSince: FAILING_SINCE })
    await app.send('POST', `/${second.id}/Disable`)
    const webhooks = [
      {
        ...{ id: first.id, url: RECEIVER, events: ['app.listed'] },
        ...{ status: 'enabled', health: 'failing' },
      },
      { id: second.id, url: RECEIVER, events: [], status: 'disabled', health: 'untried' },
    ]
    expect((await developer.read(app.appId)).body.webhooks).toEqual(webhooks)
    expect((await developer.unlist(app.appId)).body.webhooks).toEqual(webhooks)
    expect((await developer.list(app.appId)).body.webhooks).toEqual(webhooks)
    const { body } = await developer.send('GET', '')
    const listed = body.find(({ id }: { id: string }) => id === app.appId)
    expect(listed.webhooks).toEqual(webhooks)
  })

  test('shows only its developer where events are sent', async () => {
    const app = await appWithWebhooks(developer)
    await app.create()
    for (const path of [`/v1/Apps/${app.appId}`, '/v1/Apps']) {
      const { text, status } = await call(market, 'GET', path)
      expect(status).toBe(200)
      expect(text).not.toContain('webhooks')
      expect(text).not.toContain(RECEIVER)
    }
    const page = await fetch(`${market.url}/Apps/${app.appId}`)
    expect(await page.text()).not.toContain(RECEIVER)
  })
})

describe('an account and the operator', () => {
  const states = async (appId: string, installationId: string) => {
    const read = await customer.read(installationId)
    const list = await customer.list(`?appId=${appId}`)
    const app = await operator('GET', `Apps/${appId}`)
    const apps = await operator('GET', `Apps?q=${appId}`)
    const texts = [read, list, app, apps].map(({ text }) => text).join()
    expect(texts).not.toContain(RECEIVER)
    const seen = [read.body, list.body[0], app.body].map(({ webhooks }) => webhooks)
    const inList = apps.body.find(({ id }: { id: string }) => id === appId)
    seen.push(inList.webhooks)
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
    return seen[0]
  }

  test('see whether the endpoints of an app work, and since when not, but no URLs', async () => {
    const app = await appWithWebhooks(developer)
    const { body } = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
    expect(body.webhooks).toEqual({ status: 'none', since: null })
    const see = () => states(app.appId, body.id)
    expect(await see()).toEqual({ status: 'none', since: null })
    const { id } = (await app.create()).body
    expect(await see()).toEqual({ status: 'healthy', since: null })
    await setHealth(market, id, { failingSince: FAILING_SINCE })
    expect(await see()).toEqual({ status: 'failing', since: FAILING_SINCE.toISOString() })
    const disabled = await app.send('POST', `/${id}/Disable`)
    expect(await see()).toEqual({ status: 'disabled', since: disabled.body.disabledAt })
    await app.send('DELETE', `/${id}`)
    expect(await see()).toEqual({ status: 'none', since: null })
  })
})
