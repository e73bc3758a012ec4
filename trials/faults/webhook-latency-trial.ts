import { milliseconds } from './probe.ts'
import type { Finding, Trial } from './trial.ts'
import { compare, gapsOf, within, writeEvents } from './webhook-events.ts'
import { openLedger } from './webhook-ledger.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const EVENTS = Number(process.env.TRIAL_EVENTS ?? 10_000)
const PER_SECOND = 200
const P99_MS = 1_000
const HANGING_APPS = 4
const HANGING_ENDPOINTS = 50
/** What waits for each app of hanging endpoints. */
const HANGING_EVENTS = 200
const PATIENCE_MS = 60_000

/** A healthy receiver alone, and beside 50 endpoints of the same developer that never answer. */
export const trial: Trial = {
  title: 'webhook-latency',
  async run() {
    const ledger = await openLedger()
    const market = await startWebhookMarket([ledger.host])
    try {
      await market.endpoint(`http://${ledger.host}/ok`)
      const installationIds = await market.installations(20)
      const send = (what: string, p99Ms: number) =>
        sent(market, { ledger, installationIds, what, p99Ms })
      const alone = await send('to one healthy receiver', P99_MS)
      await hang(market, ledger.host)
      await within(PATIENCE_MS, () => ledger.hanging() >= HANGING_ENDPOINTS)
      const beside = await send(`beside ${HANGING_ENDPOINTS} hanging endpoints`, 2 * P99_MS)
      return [alone, beside]
    } finally {
      await market.close()
      await ledger.shut()
    }
  },
}

type Sending = {
  ledger: Awaited<ReturnType<typeof openLedger>>
  installationIds: string[]
  what: string
  p99Ms: number
}

async function sent(market: WebhookMarket, { ledger, installationIds, what, p99Ms }: Sending) {
  const { deps, developerId } = market
  ledger.arrivals.clear()
  const { committed, perSecond } = await writeEvents(deps, installationIds, {
    count: EVENTS,
    perSecond: PER_SECOND,
  })
  await within(PATIENCE_MS, () => ledger.arrivals.size >= EVENTS)
  const { lost, doubled, p50, p99, longest } = compare(committed, ledger)
  const gaps = await gapsOf(deps, developerId)
  return {
    what: `${EVENTS} events ${what}`,
    seen: `${lost} lost, ${doubled} doubled, ${gaps} gaps at ${perSecond.toFixed()}/s; from commit to arrival median ${milliseconds(p50)}, p99 ${milliseconds(p99)}, longest ${milliseconds(longest)}`,
    target: `none lost, doubled or out of number; p99 under ${p99Ms / 1000} s`,
    held: lost === 0 && doubled === 0 && gaps === 0 && p99 < p99Ms,
  } satisfies Finding
}

/** Makes apps whose endpoints never answer, and events that wait for them. */
async function hang(market: WebhookMarket, host: string): Promise<void> {
  const { deps, developerId } = market
  const apps: string[] = []
  for (let n = 0; n < HANGING_APPS; n++) apps.push(await market.newApp(`hanging-${n}`))
  for (let n = 0; n < HANGING_ENDPOINTS; n++) {
    await market.endpoint(`http://${host}/hang/${n}`, apps[n % HANGING_APPS])
  }
  await deps.pool.query(
    `INSERT INTO events (developer_id, app_id, type)
     SELECT $1, app, 'app.listed' FROM unnest($2::text[]) app, generate_series(1, $3::int)`,
    [developerId, apps, HANGING_EVENTS],
  )
}
