import { setTimeout as sleep } from 'node:timers/promises'
import { openCount, stoppedReader } from '../../test/setup/clients-that-stop.ts'
import { rssMib } from '../../test/setup/process-figures.ts'
import { probe, type SellerMarket, startSellers } from './sellers.ts'
import type { Finding, Trial } from './trial.ts'

const SELLERS = 5
const EXPORTS = 4
/** Far more than what sockets take in before anybody reads. */
const ROWS = 6_000
const CLOSED_SECONDS_MAX = 60
const CODINGS = ['identity', 'gzip', 'br']

export const trial: Trial = {
  title: 'Readers that stop reading an export',
  async run() {
    const market = await startSellers(SELLERS + 1)
    try {
      await market.query(
        `INSERT INTO products (party_id, brand, part_number, in_stock, body, revision, updated_at)
         SELECT p.id, 'B', n, 1, '"shortDescription":"' || (SELECT string_agg(md5(random()::text || n || g), '') FROM generate_series(1, 120) AS g) || '"}', 1, now()
         FROM (SELECT id FROM parties ORDER BY id DESC LIMIT ${SELLERS + 1}) AS p, generate_series(1, ${ROWS}) AS n`,
      )
      return await stopReading(market)
    } finally {
      await market.close()
    }
  },
}

async function stopReading({ server, tokens }: SellerMarket): Promise<Finding[]> {
  const [other, ...stopped] = tokens
  const rssBefore = rssMib([server.child.pid ?? 0])
  const probed = probe(server, other)
  const readers = await Promise.all(
    stopped.flatMap((token) =>
      Array.from({ length: EXPORTS }, (_, n) => stoppedReader(server.url, exportRequest(token, n))),
    ),
  )
  const beganAtMs = performance.now()
  const fifth = await fetch(`${server.url}/v1/Products`, {
    headers: { accept: 'application/x-ndjson', authorization: `Bearer ${stopped[0]}` },
  })
  await fifth.arrayBuffer()
  let mostRss = rssBefore
  while (openCount(readers) > 0 && performance.now() - beganAtMs < 90_000) {
    mostRss = Math.max(mostRss, rssMib([server.child.pid ?? 0]))
    await sleep(250)
  }
  const seconds = (performance.now() - beganAtMs) / 1000
  const { p50, p99 } = await probed.stop()
  const open = openCount(readers)
  for (const { socket } of readers) socket.destroy()
  return [
    {
      what: `${readers.length} exports of ${SELLERS} installations, in all codings, that nobody reads on`,
      seen: `${readers.length - open} closed after ${seconds.toFixed(0)} s; ${Math.round(mostRss - rssBefore)} MiB more; others p50 ${p50} ms, p99 ${p99} ms`,
      target: `all closed within ${CLOSED_SECONDS_MAX} s`,
      held: open === 0 && seconds <= CLOSED_SECONDS_MAX,
    },
    {
      what: 'a fifth export of one of them',
      seen: `${fifth.status}, Retry-After ${fifth.headers.get('retry-after')}`,
      target: '429',
      held: fifth.status === 429,
    },
  ]
}

function exportRequest(token: string, n: number): string {
  return `GET /v1/Products HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\naccept: application/x-ndjson\r\naccept-encoding: ${CODINGS[n % CODINGS.length]}\r\n\r\n`
}
