import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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
afterAll(async () => {
  await allowConnections(true)
  await admin.end()
  await market.close()
})

const database = () => new URL(market.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)
const allowConnections = (allowed: boolean) =>
  admin.query(`ALTER DATABASE ${database()} ALLOW_CONNECTIONS ${allowed}`)
const terminateAll = () =>
  admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    database(),
  ])
/** The lines of one text, as the reason or the number of failures that they give. */
const linesOf = (text: string, work?: string) =>
  expectEvents(written).filter(({ msg, work: of }) => msg === text && of === work)
const PARTS = ['numbering of events', 'sweep']
const AWAY = 'work in the background failed'
const BACK = 'work in the background goes on'

test('each part of the work in the background logs an outage once for each reason, and its end once', async () => {
  await allowConnections(false)
  await terminateAll()
  for (const part of PARTS) {
    await expect.poll(() => linesOf(AWAY, part).length).toBeGreaterThan(0)
  }
  await expect.poll(() => linesOf('the job queue is away; trying again').length).toBeGreaterThan(0)
  await allowConnections(true)
  for (const part of PARTS) await expect.poll(() => linesOf(BACK, part)).toHaveLength(1)
  await expect.poll(() => linesOf('the job queue is back'), { timeout: 20_000 }).toHaveLength(1)
  for (const lines of [
    ...PARTS.map((part) => linesOf(AWAY, part)),
    linesOf('the job queue is away; trying again'),
  ]) {
    const reasons = lines.map(({ err }) => {
      const { code, message } = err as { code?: string; message: string }
      return `${code}: ${message}`
    })
    expect(new Set(reasons).size).toBe(reasons.length)
  }
}, 60_000)
