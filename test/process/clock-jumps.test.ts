import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { type FakeClock, fakeClockLibrary, startFakeClock } from '../setup/fake-clock.ts'
import { mintedToken } from '../setup/probes.ts'
import { type ServerProcess, serverProcesses } from '../setup/server-process.ts'
import { type Receiver, startReceiver } from '../setup/webhook-receiver.ts'

const APP_ID = 'price-sync'
/** Longer than any of the tokens lives. */
const OFFSETS = ['+6h', '+0', '-6h', '+0']
/** Told of at each time, one after the other: the sweep looks for retries meanwhile. */
const EVENTS = 3
/** Of one delivery at each time: one that became due by the jump, and the next of the schedule. */
const ATTEMPTS_MAX = 2

const library = fakeClockLibrary()
const NAME = 'tokens follow their `exp`, and webhooks their schedule, when the clock jumps by hours'
const WHY_SKIPPED = ' (libfaketime is missing: apt-get install libfaketime)'

let database: Awaited<ReturnType<typeof createDemoDatabase>>
let clock: FakeClock
let healthy: Receiver
let failing: Receiver
let server: ServerProcess
const processes = serverProcesses()
beforeAll(async () => {
  if (library === undefined) return
  database = await createDemoDatabase()
  clock = await startFakeClock(library)
  ;[healthy, failing] = await Promise.all([startReceiver(), startReceiver()])
  failing.answerWith((response) => response.writeHead(500).end())
  server = await processes.start({
    env: {
      ...clock.env,
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: `${healthy.host},${failing.host}`,
    },
  })
  await server.ready()
})
afterAll(async () => {
  if (library === undefined) return
  await processes.cleanUp()
  await Promise.all([clock.close(), healthy.close(), failing.close()])
  await database.drop()
})

const installationId = () =>
  database.demo.installations.find(({ appId }) => appId === APP_ID)?.id ?? ''
const signedIn = () =>
  mintedToken(
    server,
    '/v1/Auth',
    database.demo.developers.find(({ apps }) => apps.includes(APP_ID)),
  )
const profileStatus = async (token: string) =>
  (await call(server, 'GET', '/v1/User/Profile', { token })).status

/** Changes that both receivers are told of; resolves when the one that takes them has them all. */
async function tell(developer: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const known = healthy.received.length
    const { status } = await call(
      server,
      'PATCH',
      `/v1/Developer/Installations/${installationId()}/AdminSettings`,
      { token: developer, body: { routing: `route ${known + n}` } },
    )
    expect(status).toBe(200)
    await healthy.until(known + 1)
  }
}

test.skipIf(library === undefined)(library ? NAME : NAME + WHY_SKIPPED, async () => {
  const token = await signedIn()
  for (const { url } of [healthy, failing]) {
    const path = `/v1/Developer/Apps/${APP_ID}/Webhooks`
    expect((await call(server, 'POST', path, { token, body: { url } })).status).toBe(201)
  }
  const tokens = new Map<string, string>()
  let deliveries = 0
  for (const offset of ['+0', ...OFFSETS]) {
    await clock.set(offset)
    const developer = await signedIn()
    const before = failing.received.length
    const body = { installationId: installationId() }
    const own = await mintedToken(server, '/v1/Developer/Token', body, developer)
    expect(await profileStatus(own)).toBe(200)
    for (const [at, former] of tokens) {
      const status = await profileStatus(former)
      expect({ offset, at, status }).toEqual({ offset, at, status: at === offset ? 200 : 401 })
    }
    tokens.set(offset, own)
    await tell(developer, EVENTS)
    deliveries += EVENTS
    expect(failing.received.length - before).toBeLessThanOrEqual(ATTEMPTS_MAX * deliveries)
    expect((await call(server, 'GET', '/readyz')).status).toBe(200)
  }
  expect(failing.received.length).toBeGreaterThan(0)
  expect(server.stdout()).not.toContain('"level":60')
  expect(await server.end()).toEqual({ code: 0, signal: null })
})
