import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { createDeliverer } from '../../src/marketplace/webhooks/delivery/deliverer-worker.ts'
import { createAgents } from '../../src/marketplace/webhooks/sending/agents.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { expectEvents } from '../setup/logged.ts'

let market: TestMarketplace
let admin: pg.Client
const written: string[] = []
beforeAll(async () => {
  market = await startMarketplace({
    config: { logLevel: 'info' },
    log: (line) => written.push(line),
    background: {},
  })
  admin = new pg.Client({ connectionString: inject('serverUrl') })
  await admin.connect()
})
afterEach(() => allowConnections(true))
afterAll(async () => {
  await admin.end()
  await market.close()
})

const database = () => new URL(market.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)
const allowConnections = async (allowed: boolean) => {
  await admin.query(`ALTER DATABASE ${database()} ALLOW_CONNECTIONS ${allowed}`)
}
/** Ends all connections, and waits until they are gone. */
const terminateAll = () =>
  admin.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [
    database(),
  ])
/** The lines of one text. */
const linesOf = (text: string) => expectEvents(written).filter(({ msg }) => msg === text)
const expectNoReasonTwice = (lines: ReturnType<typeof linesOf>) => {
  const reasons = lines.map(({ err }) => {
    const { code, message } = err as { code?: string; message: string }
    return `${code}: ${message}`
  })
  expect(new Set(reasons).size).toBe(reasons.length)
}
const isPoolQuiet = () => {
  const { waitingCount, totalCount, idleCount } = market.deps.pool
  return waitingCount === 0 && totalCount === idleCount
}
const AWAY = 'work in the background failed'
const BACK = 'work in the background goes on'

test('the loop and the jobs log an outage once for each reason, and its end once', async () => {
  await allowConnections(false)
  await terminateAll()
  await expect.poll(() => linesOf(AWAY).length).toBeGreaterThan(0)
  await expect.poll(() => linesOf('the job queue is away; trying again').length).toBeGreaterThan(0)
  await allowConnections(true)
  await expect.poll(() => linesOf(BACK)).toHaveLength(1)
  await expect.poll(() => linesOf('the job queue is back')).toHaveLength(1)
  expectNoReasonTwice(linesOf(AWAY))
  expectNoReasonTwice(linesOf('the job queue is away; trying again'))
})

test('an outage that ends many turns of webhook endpoints is logged once for each reason', async () => {
  const deliverer = createDeliverer({
    ...market.deps,
    agents: createAgents(),
    allowedHosts: new Set(),
    random: () => 0,
  })
  const away = () => linesOf('no webhooks are sent while the database is away')
  const sendTo = () => deliverer.sendTo(Array.from({ length: 50 }, () => randomUUID()))
  await allowConnections(false)
  await terminateAll()
  sendTo()
  await expect.poll(() => away().length).toBeGreaterThan(0)
  // A refusal that came after the first success would be the next outage.
  await expect.poll(isPoolQuiet).toBe(true)
  await allowConnections(true)
  const back = async () => {
    sendTo()
    return linesOf('webhooks are sent again').length
  }
  await expect.poll(back).toBeGreaterThan(0)
  await deliverer.stop(0)
  expectNoReasonTwice(away())
  expect(expectEvents(written).map(({ msg }) => msg)).not.toContain(
    'the sending to a webhook endpoint failed',
  )
})
