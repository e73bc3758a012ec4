import { readFile, writeFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deleteWebhook,
  installAppInSandbox,
  listWebhooks,
} from '../../../client/src/generated/index.ts'
import type { Event, Marketplace } from '../../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, userToken } from '../../setup/client.ts'
import { freePort } from '../../setup/free-port.ts'
import { clientOf } from '../../setup/marketplace-client.ts'
import {
  type PriceChecker,
  startPriceChecker,
  type Visit,
  visitor,
} from '../../setup/price-checker.ts'
import { waitUntil } from '../../setup/server-process.ts'
import { signedIn } from '../../setup/web-client.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let market: TestMarketplace
let example: PriceChecker
let origin: string
let marketplace: Marketplace
let visit: Visit
let installationId: string
beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([`127.0.0.1:${port}`]) },
    background: {},
  })
  marketplace = clientOf(market, 'price-sync')
  example = await startPriceChecker(market, {
    WEBHOOK_SECRET: SECRET,
    WEBHOOK_URL: `${origin}/hook`,
    PORT: String(port),
  })
  for await (const one of marketplace.installations({ appId: 'price-checker' })) {
    installationId = one.id
  }
  const sandbox = market.demo.users.find(({ partyType }) => partyType === 'None')
  if (sandbox === undefined) throw new Error('the demo has no user of the sandbox')
  visit = visitor(market, await signedIn(market, sandbox))
})
afterAll(async () => {
  await example?.stop()
  await market.close()
})

const kept = async () => JSON.parse(await readFile(example.storeFile, 'utf8'))

async function changeLimit(limit: number): Promise<void> {
  const index = market.demo.users.findIndex(({ partyType }) => partyType === 'None')
  const token = await userToken(market, index)
  const path = `/v1/Account/Installations/${installationId}/UserSettings`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const changed = await call(market, 'PATCH', path, { token, body: { limit }, headers })
  expect(changed.status).toBe(200)
}

/** The newest event of the log, which may still get its position. */
async function eventOf(type: Event['type']): Promise<Event> {
  const find = async () => {
    const query = { appId: 'price-checker', follow: false }
    const events = await Array.fromAsync(marketplace.events(query))
    return events.findLast((event) => event.type === type)
  }
  await waitUntil(async () => (await find()) !== undefined)
  const found = await find()
  if (found === undefined) throw new Error(`there is no ${type}`)
  return found
}

async function send(event: Event, secret = SECRET): Promise<number> {
  const body = JSON.stringify(event)
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, now, body),
  }
  return (await fetch(`${origin}/hook`, { method: 'POST', headers, body })).status
}

test('a user who opens the app sees the products over the limit of the account', async () => {
  await eventOf('installation.created')
  const page = await visit(origin)
  expect(page.status).toBe(200)
  expect(await page.text()).toMatch(/<h1>Products over 100: \d+<\/h1>/)
})

test('a webhook brings a new limit, and all events before it', async () => {
  await changeLimit(250)
  expect(await send(await eventOf('installation.settings_changed'))).toBe(204)
  expect((await kept()).limits).toEqual({ [installationId]: 250 })
})

test('the app has subscribed to webhooks: the marketplace sends it what happens', async () => {
  const path = { appId: 'price-checker' }
  const { data: endpoints } = await listWebhooks({ client: marketplace.client, path })
  expect(endpoints.map(({ url }) => url)).toEqual([`${origin}/hook`])
  await changeLimit(300)
  await waitUntil(async () => (await kept()).limits[installationId] === 300)
})

test('an endpoint that the marketplace no longer has is made again at the next start', async () => {
  const { client } = marketplace
  const path = { appId: 'price-checker' }
  const { data: former } = await listWebhooks({ client, path })
  for (const { id } of former) await deleteWebhook({ client, path: { ...path, endpointId: id } })
  const again = await startPriceChecker(market, {
    WEBHOOK_URL: `${origin}/hook`,
    STORE_FILE: example.storeFile,
  })
  await again.stop()
  const { data: endpoints } = await listWebhooks({ client, path })
  expect(endpoints.map(({ url }) => url)).toEqual([`${origin}/hook`])
})

test('the app recovers when what it keeps comes from another marketplace', async () => {
  const former = { ...(await kept()), position: 9_999_999, limits: { gone: 5 } }
  await writeFile(example.storeFile, JSON.stringify(former))
  const page = await visit(origin)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<h1>Products over 300:')
  const { position, limits } = await kept()
  expect(limits).toEqual({ [installationId]: 300 })
  expect(position).toBeLessThan(former.position)
})

test('a webhook of somebody else is refused', async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  expect(await send(await eventOf('installation.created'), other)).toBe(401)
})

test('what is kept of an installation goes with it', async () => {
  await marketplace.client.delete({ url: `/v1/Developer/Installations/${installationId}` })
  expect(await send(await eventOf('installation.deleted'))).toBe(204)
  expect((await kept()).limits).toEqual({})
})

test('who opens the app after an uninstall reads so, and next time is sent to the marketplace', async () => {
  const page = await visit(origin)
  expect({ status: page.status, text: await page.text() }).toEqual({
    status: 410,
    text: 'The app was uninstalled.\n',
  })
  const { client } = marketplace
  await installAppInSandbox({
    client,
    path: { appId: 'price-checker' },
    body: { userSettings: { limit: 400 } },
  })
  expect((await visit(origin)).status).toBe(200)
})
