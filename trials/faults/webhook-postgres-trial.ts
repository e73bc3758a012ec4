import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../test/setup/server-process.ts'
import type { Trial } from './trial.ts'
import { gapsOf, within, writeEvents } from './webhook-events.ts'
import { openLedger } from './webhook-ledger.ts'
import { startWebhookMarket } from './webhook-market.ts'

const RESTARTS = 3
const EVENTS_BETWEEN = 300
const PER_SECOND = 50
const GOES_ON_MS = 10_000
/** Longer than the lease of an attempt whose end could not be written down. */
const PATIENCE_MS = 60_000

/** Postgres ends under load, at once and with all connections, and comes back. */
export const trial: Trial = {
  title: 'webhook-postgres',
  async run() {
    const ledger = await openLedger()
    const market = await startWebhookMarket([ledger.host])
    const { deps, developerId, postgres, server } = market
    try {
      await market.endpoint(`http://${ledger.host}/ok`)
      const ids = await market.installations(10)
      const pauses: number[] = []
      for (let n = 0; n < RESTARTS; n++) {
        const load = { count: EVENTS_BETWEEN, perSecond: PER_SECOND, isPatient: true }
        const writing = writeEvents(deps, ids, load)
        await sleep((EVENTS_BETWEEN / PER_SECOND / 2) * 1000)
        const { pid } = postgres
        process.kill(pid, 'SIGINT')
        await within(PATIENCE_MS, () => postgres.pid !== pid && isAnswering(deps.pool))
        const backAtMs = performance.now()
        await writing
        const known = ledger.arrivals.size
        await writeEvents(deps, ids, { ...load, count: 10 })
        await within(PATIENCE_MS, () => ledger.arrivals.size > known)
        const first = [...ledger.arrivals.values()].find(({ atMs }) => atMs > backAtMs)
        pauses.push((first?.atMs ?? Number.POSITIVE_INFINITY) - backAtMs)
      }
      const committed = async () =>
        (
          await deps.pool.query<{ id: string }>(
            'SELECT id FROM events WHERE installation_id = ANY ($1::uuid[])',
            [ids],
          )
        ).rows.filter(({ id }) => !ledger.arrivals.has(id)).length
      await within(PATIENCE_MS, async () => (await committed()) === 0)
      const lost = await committed()
      const gaps = await gapsOf(deps, developerId)
      const doubled = [...ledger.arrivals.values()].filter(({ times }) => times > 1).length
      const isUp = server.child.exitCode === null && isAlive(server.child.pid ?? 0)
      const longest = Math.max(...pauses)
      return [
        {
          what: `Postgres restarted ${RESTARTS} times under ${PER_SECOND} events/s`,
          seen: `${lost} of ${ledger.arrivals.size} committed events lost, ${gaps} gaps, ${doubled} told twice; delivery went on after at most ${(longest / 1000).toFixed(1)} s; the process ${isUp ? 'lives' : 'died'}`,
          target: 'none lost, on within 10 s, alive',
          held: lost === 0 && gaps === 0 && longest < GOES_ON_MS && isUp,
        },
      ]
    } finally {
      await market.close()
      await ledger.shut()
    }
  },
}

async function isAnswering(pool: { query(sql: string): Promise<unknown> }): Promise<boolean> {
  return pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
}
