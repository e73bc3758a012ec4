import { readFileSync } from 'node:fs'
import type { ServerProcess } from '../../test/setup/server-process.ts'
import { milliseconds } from './probe.ts'
import type { Trial } from './trial.ts'
import { compare, within, writeEvents } from './webhook-events.ts'
import { type Ledger, openLedger } from './webhook-ledger.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const WAITING = Number(process.env.TRIAL_WAITING ?? 100_000)
const EVENTS = 300
const PER_SECOND = 20
const MEMORY_MIB = 50
/** Twice as long plus this is what others' deliveries may take: a p99 of 300 is three of them. */
const SLACK_MS = 500
const PATIENCE_MS = 600_000

/** A receiver of another developer is dead while very many deliveries wait for it, and comes back. */
export const trial: Trial = {
  title: 'webhook-dead',
  async run() {
    const [healthy, dead] = [await openLedger(), await openLedger()]
    const market = await startWebhookMarket([healthy.host, dead.host])
    try {
      await dead.shut()
      await market.endpoint(`http://${healthy.host}/ok`)
      const appId = await market.other.newApp('dead-app')
      const endpointId = await market.other.endpoint(`http://${dead.host}/ok`, appId)
      const ids = await market.installations(10)
      const send = () => healthyEvents(market, healthy, ids)
      await send()
      const before = { p99: await send(), mib: memoryOf(market.server) }
      const since = new Date().toISOString()
      await market.deps.pool.query(
        `INSERT INTO events (developer_id, app_id, type)
         SELECT $1, $2, 'app.listed' FROM generate_series(1, $3::int)`,
        [market.other.developerId, appId, WAITING],
      )
      const numbering = await send()
      const where = { endpointId }
      await within(PATIENCE_MS, async () => (await count(market, where)) >= WAITING)
      const after = await send()
      const more = memoryOf(market.server) - before.mib
      await dead.open()
      const beganAtMs = performance.now()
      await market.other.send(
        'POST',
        `/v1/Developer/Apps/${appId}/Webhooks/${endpointId}/Recover`,
        { since },
      )
      const answeredMs = performance.now() - beganAtMs
      const during = await send()
      const isDrained = await within(PATIENCE_MS, () => dead.arrivals.size >= WAITING)
      const seconds = (performance.now() - beganAtMs) / 1000
      const doubled = [...dead.arrivals.values()].filter(({ times }) => times > 1).length
      const most = Math.max(numbering, after)
      return [
        {
          what: `${WAITING} deliveries wait for a dead receiver`,
          seen: `memory of the server ${more >= 0 ? '+' : ''}${more} MiB; p99 of others ${milliseconds(before.p99)} before, ${milliseconds(numbering)} while they were numbered, ${milliseconds(after)} while they waited`,
          target: `under ${MEMORY_MIB} MiB, others unmoved`,
          held: more < MEMORY_MIB && most < 2 * before.p99 + SLACK_MS,
        },
        {
          what: 'it is back, and recover is asked for',
          seen: `answered after ${milliseconds(answeredMs)}; ${dead.arrivals.size} received after ${seconds.toFixed()} s (${(dead.arrivals.size / seconds).toFixed()}/s), ${doubled} doubled; p99 of others ${milliseconds(during)} meanwhile`,
          target: 'all received, none twice',
          held: isDrained && doubled === 0,
        },
      ]
    } finally {
      await market.close()
      await healthy.shut()
    }
  },
}

/** Writes some events for the healthy receiver; 99 of 100 arrive within so many milliseconds. */
async function healthyEvents({ deps }: WebhookMarket, ledger: Ledger, ids: string[]) {
  ledger.arrivals.clear()
  const { committed } = await writeEvents(deps, ids, { count: EVENTS, perSecond: PER_SECOND })
  await within(PATIENCE_MS, () => ledger.arrivals.size >= EVENTS)
  return compare(committed, ledger).p99
}

function count({ deps }: WebhookMarket, where: { endpointId: string }): Promise<number> {
  return deps.db.webhookDelivery.count({ where })
}

/** Resident memory of a process in MiB. */
function memoryOf({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
