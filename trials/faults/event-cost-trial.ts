import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { buildApp } from '../../src/app.ts'
import type { Deps } from '../../src/deps.ts'
import { mintedToken } from '../../test/setup/probes.ts'
import { readDemoFile } from '../../test/setup/server-process.ts'
import type { Installs } from './install-client.ts'
import { processorSecondsBelow } from './processor-time.ts'
import type { Finding, Trial } from './trial.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

/** Each has as many turns with the event as without it. */
const ROUNDS = Number(process.env.TRIAL_ROUNDS ?? 20)
const INSTALLS = 20
const WARM_UP_ROUNDS = 2
const SHARE_MAX = 0.15

type Turn = { medianMs: number; processorMs: number }

/** Installs over HTTP, with the event and without it in turns, on the same server. */
export const trial: Trial = {
  title: 'event-cost',
  async run() {
    const market = await startWebhookMarket([])
    const client = fork(new URL('./install-client.ts', import.meta.url))
    try {
      const installs = await installer(market, client)
      const pairs: { with: Turn; without: Turn }[] = []
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        // Neither is always the one that comes second.
        const first = await installs.turn(round % 2 === 0)
        const second = await installs.turn(round % 2 !== 0)
        const [withEvent, without] = round % 2 === 0 ? [first, second] : [second, first]
        if (round >= WARM_UP_ROUNDS) pairs.push({ with: withEvent, without })
      }
      await installs.close()
      return [findingOf(pairs)]
    } finally {
      client.kill()
      await market.close()
    }
  },
}

function findingOf(pairs: readonly { with: Turn; without: Turn }[]): Finding {
  const sum = (which: 'with' | 'without') =>
    pairs.reduce((all, pair) => all + pair[which].processorMs, 0) / (pairs.length * INSTALLS)
  const processor = sum('with') / sum('without') - 1
  const time = median(pairs.map((pair) => pair.with.medianMs / pair.without.medianMs)) - 1
  const ms = (which: 'with' | 'without') => median(pairs.map((pair) => pair[which].medianMs))
  return {
    what: `${pairs.length} x ${INSTALLS} installs over HTTP with the event, and as many without it`,
    seen: `processor time of server and Postgres ${sum('with').toFixed(1)} ms against ${sum('without').toFixed(1)} (${percent(processor)}); time ${ms('with').toFixed(1)} ms against ${ms('without').toFixed(1)} (median of the rounds ${percent(time)})`,
    target: `at most ${percent(SHARE_MAX)} each`,
    held: processor <= SHARE_MAX && time <= SHARE_MAX,
  }
}

/**
 * Makes what installs in turns, each install for a party of its own, on a server in this process. The
 * app asks for nothing: what comes on top of the event is as little as it can be.
 */
async function installer(market: WebhookMarket, client: ChildProcess) {
  const { deps, server, postgres } = market
  const appId = await market.newApp('event-cost')
  await market.send('POST', `/v1/Developer/Apps/${appId}/List`)
  const user = readDemoFile(server.dataDir).users.find(({ partyType }) => partyType === 'Seller')
  const token = await mintedToken(server, '/v1/Account/Auth', user)
  await server.end()
  const app = await buildApp({ deps, version: 'trial', readiness: async () => undefined })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const partyIds = await sellersOf(deps, String(user?.email))
  const events = switchOf(deps)
  const processorMs = () => {
    const { user: own, system } = process.cpuUsage()
    return (own + system) / 1000 + processorSecondsBelow(postgres.pid) * 1000
  }
  return {
    async turn(areWritten: boolean): Promise<Turn> {
      events.areWritten = areWritten
      const bodies = partyIds
        .splice(0, INSTALLS)
        .map((partyId) => ({ appId, partyId, purchaseOptionId: 'free' }))
      const before = processorMs()
      client.send({ url, token, bodies } satisfies Installs)
      const [times] = (await once(client, 'message')) as [number[]]
      const written = await deps.db.event.count({
        where: { appId, type: 'installation.created' },
      })
      events.expected += areWritten ? INSTALLS : 0
      if (written !== events.expected) throw new Error(`there are ${written} events`)
      return { medianMs: median(times), processorMs: processorMs() - before }
    },
    close: () => app.close(),
  }
}

/** Makes Sellers of one user, as many as there are installs. */
async function sellersOf({ pool }: Deps, email: string): Promise<number[]> {
  const { rows } = await pool.query<{ party_id: number }>(
    `WITH made AS (
       INSERT INTO parties (name, type)
       SELECT 'Seller ' || n, 'Seller' FROM generate_series(1, $2::int) AS n RETURNING id
     )
     INSERT INTO memberships (user_id, party_id)
     SELECT users.id, made.id FROM users, made WHERE email = $1 RETURNING party_id`,
    [email, 2 * (WARM_UP_ROUNDS + ROUNDS) * INSTALLS],
  )
  return rows.map(({ party_id }) => party_id)
}

/** Answers the statement that writes an event in place of Postgres, while it is switched off. */
function switchOf({ pool }: Deps) {
  const events = { areWritten: true, expected: 0 }
  const known = new WeakSet<object>()
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const { text = '' } = args[0] as { text?: string }
      return !events.areWritten && /INSERT INTO events\b/.test(text)
        ? Promise.resolve({ rows: [], fields: [], rowCount: 1, command: 'INSERT' })
        : query(...args)
    }) as typeof client.query
  })
  return events
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function percent(share: number): string {
  return `${share < 0 ? '' : '+'}${(share * 100).toFixed(0)} %`
}
