import { setTimeout as sleep } from 'node:timers/promises'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { mintedToken, type Probe, probe } from '../../test/setup/probes.ts'
import { descriptorCount, rssMib } from '../../test/setup/process-figures.ts'
import { readDemoFile, type ServerProcess } from '../../test/setup/server-process.ts'
import { drive, isWrkThere } from '../bench/driver.ts'
import { median } from '../bench/table.ts'
import { importFile } from './sellers.ts'
import type { Finding, Trial } from './trial.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const MINUTES = Number(process.env.MEMORY_TRIAL_MINUTES ?? 30)
const RSS_MIB_MAX = 400
/** How much more the last quarter may have than the second: what a collector leaves one time and not another. */
const GROWTH_MIB_MAX = 20
const MORE_MAX = 10
const CONNECTIONS = 64
const WRK_SECONDS = 5
const SAMPLE_MS = 1_000
const ROWS = 20_000
const IMPORT_ROWS = 2_000

type Sample = { rss: number; descriptors: number; connections: number }
type Tokens = Record<'developer' | 'installation', string>

/** Everything at once for long: pages, mints, writes, sign-ins, exports and imports. */
export const trial: Trial = {
  title: 'memory',
  async run() {
    if (!(await isWrkThere())) throw new Error('wrk is missing: apt-get install wrk')
    const market = await startWebhookMarket([])
    try {
      // As `npm start` does.
      const server = await market.startServer(ALLOCATOR_VARIABLES, undefined, NODE_FLAGS)
      return await mixedLoad(market, server)
    } finally {
      await market.close()
    }
  },
}

async function mixedLoad(market: WebhookMarket, server: ServerProcess): Promise<Finding[]> {
  const untilMs = performance.now() + MINUTES * 60_000
  const isOver = () => performance.now() >= untilMs
  const demo = readDemoFile(market.server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const tokens = async (): Promise<Tokens> => {
    const developer = await mintedToken(server, '/v1/Auth', credentials)
    const body = { installationId: installation?.id }
    return {
      developer,
      installation: await mintedToken(server, '/v1/Developer/Token', body, developer),
    }
  }
  await importFile(server, (await tokens()).installation, productsFile(ROWS))
  const mint: Probe = { path: '/v1/Developer/Token', body: { installationId: installation?.id } }
  const statuses = new Map<string, number>()
  const samples: Sample[] = []
  await Promise.all([
    sampled(market, server, samples, isOver),
    pages(server, tokens, isOver),
    again(isOver, async () => {
      const { developer, installation: token } = await tokens()
      for (let n = 0; n < 50 && !isOver(); n++) {
        const product = { brand: 'Memory', partNumber: `p${n % 500}`, inStock: n }
        const requests: Probe[] = [
          { ...mint, token: developer },
          { path: '/v1/Products', token, body: product },
          { path: '/v1/Developer/Installations', token: developer },
          { path: '/v1/Auth', body: { clientId: 'nobody', password: 'wrong' } },
          { path: '/v1/Apps' },
        ]
        for (const request of requests) {
          const { status } = await probe(server, request)
          const kind = `${Math.floor(status / 100)}xx`
          statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
        }
      }
    }),
    again(isOver, async () => {
      const { installation: token } = await tokens()
      const headers = { accept: 'application/x-ndjson', authorization: `Bearer ${token}` }
      const answer = await fetch(`${server.url}/v1/Products`, { headers })
      for await (const _ of answer.body ?? []) if (isOver()) break
      await importFile(server, token, productsFile(IMPORT_ROWS))
    }),
  ])
  const told = [...statuses].map(([kind, count]) => `${count} x ${kind}`)
  return found(samples, told.join(', '))
}

/** Without end, in turns: a page from memory, and random ones that are not. */
async function pages(server: ServerProcess, tokens: () => Promise<Tokens>, isOver: () => boolean) {
  const cursors: string[] = ['/v1/Products?limit=100']
  await again(isOver, async () => {
    const { installation } = await tokens()
    const load = { connections: CONNECTIONS, seconds: WRK_SECONDS, tokens: [installation] }
    await drive({ ...load, url: `${server.url}/v1/Products?limit=100` })
    if (cursors.length === 1) cursors.push(...(await allPages(server, installation)))
    await drive({ ...load, url: server.url, paths: cursors })
  })
}

/** The addresses of all pages of a small size, by following the links. */
async function allPages({ url }: ServerProcess, token: string): Promise<string[]> {
  const found: string[] = []
  let next: string | undefined = '/v1/Products?limit=40'
  while (next !== undefined && found.length < 1_000) {
    const headers = { authorization: `Bearer ${token}` }
    const answer: Response = await fetch(url + next, { headers })
    await answer.arrayBuffer()
    found.push(next)
    next = /<https?:\/\/[^/]+([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

async function again(isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!isOver()) await work()
}

function productsFile(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `Brand ${n % 50},P${n},${n % 100}`)
  return `brand,partNumber,inStock\n${lines.join('\n')}\n`
}

async function sampled(
  { deps }: WebhookMarket,
  { child }: ServerProcess,
  samples: Sample[],
  isOver: () => boolean,
) {
  const pid = child.pid ?? 0
  while (!isOver()) {
    const { rows } = await deps.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()',
    )
    samples.push({
      rss: rssMib([pid]),
      descriptors: descriptorCount(pid),
      connections: rows[0]?.count ?? 0,
    })
    await sleep(SAMPLE_MS)
  }
}

/** The first quarter warms up; the second is compared with the last. */
function found(samples: readonly Sample[], requests: string): Finding[] {
  const quarter = Math.floor(samples.length / 4)
  const of = (what: keyof Sample) => {
    const values = samples.map((sample) => sample[what])
    return {
      early: median(values.slice(quarter, 2 * quarter)),
      late: median(values.slice(-quarter)),
      most: Math.max(...values),
    }
  }
  const rss = of('rss')
  const finding = (name: string, what: keyof Sample): Finding => {
    const { early, late, most } = of(what)
    return {
      what: `${name} meanwhile`,
      seen: `median ${early} in the second quarter, ${late} in the last; at most ${most}`,
      target: `at most ${MORE_MAX} more in the last quarter`,
      held: late - early <= MORE_MAX,
    }
  }
  return [
    {
      what: `${MINUTES} minutes of pages from memory and from Postgres on ${CONNECTIONS} connections, mints, writes, sign-ins, lists, exports and imports (${requests})`,
      seen: `resident memory: median ${Math.round(rss.early)} MiB in the second quarter, ${Math.round(rss.late)} in the last; at most ${Math.round(rss.most)}`,
      target: `at most ${RSS_MIB_MAX} MiB, at most ${GROWTH_MIB_MAX} more in the last quarter`,
      held: rss.most <= RSS_MIB_MAX && rss.late - rss.early <= GROWTH_MIB_MAX,
    },
    finding('open descriptors', 'descriptors'),
    finding('connections to Postgres', 'connections'),
  ]
}
