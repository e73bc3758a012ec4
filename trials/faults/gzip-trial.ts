import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { importFile, probe, type SellerMarket, startSellers } from './sellers.ts'
import type { Finding, Trial } from './trial.ts'

const HEADER = 'brand,partNumber,inStock\n'
const BOMB_BYTES = 100_000_000
const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

const bomb = (unit: string, head = '') =>
  gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(BOMB_BYTES, unit)]))
const members = (unit: string) => {
  const member = gzipSync(Buffer.alloc(1_000_000, unit))
  return Buffer.concat(Array(100).fill(member))
}

/** What costs most for its bytes, of the files that were tried. */
const FILES: [what: string, type: string, make: () => Buffer][] = [
  ['line ends in CSV', CSV, () => bomb('\n', HEADER)],
  ['line ends in NDJSON', NDJSON, () => bomb('\n')],
  ['line ends in NDJSON, in 100 members', NDJSON, () => members('\n')],
  ['lines of a space', NDJSON, () => bomb(' \n')],
  ['rows with one cell', CSV, () => bomb('x\n', HEADER)],
  ['stray quotes', CSV, () => bomb('x",1,1\n', HEADER)],
  ['quotes in a cell', CSV, () => bomb('"', `${HEADER}"`)],
  ['cells', CSV, () => bomb(',', HEADER)],
  ['columns', CSV, () => bomb('brand,')],
  ['the same good row', CSV, () => bomb('B,1,1\n', HEADER)],
  ['one enormous line', NDJSON, () => bomb('[')],
  ['JSON in 500,000 brackets', NDJSON, () => bomb(`${'['.repeat(500_000)}\n`)],
]
const CPU_SECONDS_MAX = 5
/** Others wait for so much longer than before. */
const P99_MORE_MS = 100

export const trial: Trial = {
  title: 'Gzip that is dear',
  async run() {
    const market = await startSellers(2)
    try {
      const quiet = probe(market.server, market.tokens[1])
      await sleep(3_000)
      const { p99 } = await quiet.stop()
      const findings: Finding[] = []
      for (const file of FILES) findings.push(await tryFile(market, file, p99 + P99_MORE_MS))
      return findings
    } finally {
      await market.close()
    }
  },
}

async function tryFile(
  { server, tokens }: SellerMarket,
  [what, type, make]: (typeof FILES)[number],
  p99Max: number,
): Promise<Finding> {
  const [token, other] = tokens
  const file = make()
  const before = cpuSeconds(server.child.pid)
  const probed = probe(server, other)
  const headers = { 'content-type': type, 'content-encoding': 'gzip' }
  const { status, seconds } = await importFile(server, token, file, headers)
  const { p50, p99 } = await probed.stop()
  const cpu = cpuSeconds(server.child.pid) - before
  return {
    what: `${Math.round(file.length / 1024)} KiB of gzip: ${what}`,
    seen: `${status} after ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU; others p50 ${p50} ms, p99 ${p99} ms`,
    target: `refused, ${CPU_SECONDS_MAX} s of CPU, p99 ${p99Max} ms`,
    held: status >= 400 && status < 500 && cpu < CPU_SECONDS_MAX && p99 < p99Max,
  }
}

/** CPU time of a process; 100 ticks a second, as Linux counts for users. */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
