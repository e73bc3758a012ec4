import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Event, Marketplace } from '../../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, userToken } from '../../setup/client.ts'
import { COMPILE_CACHE } from '../../setup/compile-cache.ts'
import { freePort } from '../../setup/free-port.ts'
import { clientOf } from '../../setup/marketplace-client.ts'
import { waitUntil } from '../../setup/server-process.ts'
import { signedIn, type WebClient } from '../../setup/web-client.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/price-checker/', import.meta.url))
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let market: TestMarketplace
let directory: string
let child: ChildProcess
let origin: string
let marketplace: Marketplace
let user: WebClient
let installationId: string
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
  marketplace = clientOf(market, 'price-sync')
  directory = await mkdtemp(join(tmpdir(), 'price-checker-'))
  await writeFile(join(directory, 'demo.json'), JSON.stringify(market.demo))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  let output = ''
  child = spawn(process.execPath, ['--conditions=@app-marketplace/source', 'src/main.ts'], {
    cwd: EXAMPLE,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: String(port),
      DEMO_FILE: join(directory, 'demo.json'),
      STORE_FILE: join(directory, 'store.json'),
      WEBHOOK_SECRET: SECRET,
    },
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await waitUntil(() => output.includes('Price Checker is at') || child.exitCode !== null)
  expect(output).toBe(`Price Checker is at ${origin}\n`)
  for await (const one of marketplace.installations({ appId: 'price-checker' })) {
    installationId = one.id
  }
  const sandbox = market.demo.users.find(({ partyType }) => partyType === 'None')
  if (sandbox === undefined) throw new Error('the demo has no user of the sandbox')
  user = await signedIn(market, sandbox)
})
afterAll(async () => {
  child.kill('SIGTERM')
  await market.close()
  await rm(directory, { recursive: true, force: true })
})

/** A browser that keeps the cookies of the app, and goes to the marketplace and back. */
const cookies = new Map<string, string>()
async function visit(address: string): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(address, { headers: { cookie }, redirect: 'manual' })
  for (const line of response.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
    cookies.set(name, value)
  }
  const location = response.headers.get('location')
  if (location === null) return response
  if (location.startsWith(market.url)) {
    const { pathname, search } = new URL(location)
    return visit((await user.get(`${pathname}${search}`)).location ?? '')
  }
  return visit(new URL(location, origin).href)
}

const kept = async () => JSON.parse(await readFile(join(directory, 'store.json'), 'utf8'))

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
  expect(await page.text()).toMatch(/^Products over 100: \d+\n/)
})

test('a webhook brings a new limit, and all events before it', async () => {
  const index = market.demo.users.findIndex(({ partyType }) => partyType === 'None')
  const token = await userToken(market, index)
  const path = `/v1/Account/Installations/${installationId}/UserSettings`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const changed = await call(market, 'PATCH', path, { token, body: { limit: 250 }, headers })
  expect(changed.status).toBe(200)
  expect(await send(await eventOf('installation.settings_changed'))).toBe(204)
  expect((await kept()).limits).toEqual({ [installationId]: 250 })
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
