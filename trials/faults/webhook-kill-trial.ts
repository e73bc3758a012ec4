import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../test/setup/server-process.ts'
import type { Trial } from './trial.ts'
import { gapsOf, within } from './webhook-events.ts'
import { openLedger } from './webhook-ledger.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const KILLS = 10
const CHANGES_PER_SECOND = 50
const INSTALLATIONS = 10
/** From the start of a replica to its end. */
const LIFE_MS = 3_000
const DELIVERED_WITHIN_MS = 60_000

/** One of two replicas is killed again and again while the API changes installations on both. */
export const trial: Trial = {
  title: 'webhook-kill',
  async run() {
    const ledger = await openLedger()
    const market = await startWebhookMarket([ledger.host])
    try {
      await market.endpoint(`http://${ledger.host}/ok`)
      const installationIds = await market.installations(INSTALLATIONS)
      const replicas = [market.server, await market.startServer()]
      const changing = change(market, installationIds, replicas)
      for (let n = 0; n < KILLS; n++) {
        await sleep(LIFE_MS)
        const victim = replicas[n % 2] as ServerProcess
        const port = Number(new URL(victim.url).port)
        await victim.end('SIGKILL')
        replicas[n % 2] = await market.startServer({}, port)
      }
      const lastKillAtMs = performance.now()
      const made = await changing.stop()
      const facts = () => factsOf(market)
      const isDone = await within(DELIVERED_WITHIN_MS, async () => {
        const { events } = await facts()
        return events.every(({ id }) => ledger.arrivals.has(id))
      })
      const tookMs = performance.now() - lastKillAtMs
      const { changes, events } = await facts()
      const gaps = await gapsOf(market.deps, market.developerId)
      const wrong = [...ledger.arrivals.keys()].filter((id) => !events.some((one) => one.id === id))
      const doubled = [...ledger.arrivals.values()].filter(({ times }) => times > 1).length
      return [
        {
          what: `${KILLS} x kill -9 of one of two replicas under ${made.perSecond.toFixed()} changes/s`,
          seen: `${changes} committed changes, ${events.length} events, ${gaps} gaps; ${isDone ? 'all' : '**not all**'} delivered ${(tookMs / 1000).toFixed(1)} s after the last kill, the longest ${(longestOf(events, ledger.arrivals) / 1000).toFixed(1)} s after its commit; ${doubled} told twice, ${wrong.length} unknown`,
          target: 'one event for each change, no gap, each delivered within 60 s',
          held:
            changes === events.length &&
            gaps === 0 &&
            isDone &&
            wrong.length === 0 &&
            longestOf(events, ledger.arrivals) < DELIVERED_WITHIN_MS,
        },
      ]
    } finally {
      await market.close()
      await ledger.shut()
    }
  },
}

/** Suspends and resumes each installation in turn, on whichever replica is there. */
function change(market: WebhookMarket, ids: string[], replicas: ServerProcess[]) {
  const pauseMs = (ids.length / CHANGES_PER_SECOND) * 1000
  const beganAtMs = performance.now()
  let isOver = false
  let count = 0
  const work = async (id: string, index: number) => {
    for (let n = 0; !isOver; n++) {
      const nextAtMs = beganAtMs + n * pauseMs
      if (nextAtMs > performance.now()) await sleep(nextAtMs - performance.now())
      const path = `/v1/Developer/Installations/${id}`
      const [verb, body] = n % 2 === 0 ? ['Suspend', { reason: 'a trial' }] : ['Resume', undefined]
      const ask = (to: ServerProcess | undefined) =>
        market.send('POST', `${path}/${verb}`, body, to)
      // A request to a killed replica may have been committed or not: the other one is asked again,
      // and the database says what came of it.
      const isDone = await ask(replicas[index % 2])
        .catch(() => ask(replicas[(index + 1) % 2]))
        .then(
          () => true,
          () => false,
        )
      if (isDone) count += 1
    }
  }
  const all = Promise.all(ids.map(work))
  return {
    async stop() {
      isOver = true
      await all
      return { perSecond: (count / (performance.now() - beganAtMs)) * 1000 }
    },
  }
}

/**
 * The audit trail is written in the transaction of each change: it counts what was committed. What is
 * suspended already gets an entry and no event.
 */
async function factsOf({ deps, developerId }: WebhookMarket) {
  const { rows } = await deps.pool.query<{ changes: number }>(
    `SELECT count(*)::int AS changes FROM audit_events
     WHERE developer_id = $1 AND action IN ('installation.suspended', 'installation.resumed')
       AND before ->> 'status' <> after ->> 'status'`,
    [developerId],
  )
  const events = await deps.pool.query<{ id: string; at: Date }>(
    `SELECT id, at FROM events
     WHERE developer_id = $1 AND type IN ('installation.suspended', 'installation.resumed')`,
    [developerId],
  )
  return { changes: rows[0]?.changes ?? -1, events: events.rows }
}

function longestOf(
  events: readonly { id: string; at: Date }[],
  arrivals: ReadonlyMap<string, { atMs: number }>,
): number {
  const delays = events.map(({ id, at }) => {
    const arrival = arrivals.get(id)
    if (arrival === undefined) return Number.POSITIVE_INFINITY
    return performance.timeOrigin + arrival.atMs - at.getTime()
  })
  return Math.max(...delays)
}
