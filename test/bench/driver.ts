import { createRequire } from 'node:module'

/** One load, in words that can be sent to another process. */
export type Load = {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  method?: string
  body?: string
  /** Paths, of which each connection draws its own order; or what to send, in turn. */
  paths?: string[]
  requests?: { method: string; path: string; body?: string; headers?: Record<string, string> }[]
  /** One token per connection, in turn. */
  tokens?: string[]
  /** Statuses below 300 are good; these too. */
  alsoGood?: number[]
}

export type Measurement = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  errors: number
  bytesPerRequest: number
}

type Client = {
  setHeaders(headers: Record<string, string>): void
  setRequests(requests: object[]): void
}
type Result = {
  duration: number
  requests: { total: number }
  latency: { p50: number; p99: number }
  throughput: { total: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}
// autocannon has no types.
const autocannon = createRequire(import.meta.url)('autocannon') as (o: object) => Promise<Result>

const DRAWS = 2000

async function drive(load: Load): Promise<Measurement> {
  const { url, connections, seconds, headers = {}, method = 'GET', body, alsoGood = [] } = load
  let made = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(load.requests && { requests: load.requests }),
    setupClient(client: Client) {
      const token = load.tokens?.[made % load.tokens.length]
      made += 1
      const own = { ...headers, ...(token && { authorization: `Bearer ${token}` }) }
      if (load.paths) client.setRequests(drawn(load.paths, own))
      else if (load.requests) {
        client.setRequests(
          rotated(load.requests, made * 7).map((r) => ({
            ...r,
            headers: { ...own, ...r.headers },
          })),
        )
      } else client.setHeaders(own)
    },
  })
  const isGood = (status: string) => Number(status) < 300 || alsoGood.includes(Number(status))
  const bad = Object.entries(result.statusCodeStats)
    .filter(([status]) => !isGood(status))
    .reduce((sum, [, { count }]) => sum + count, 0)
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + bad,
    bytesPerRequest: Math.round(result.throughput.total / Math.max(1, result.requests.total)),
  }
}

function drawn(paths: readonly string[], headers: Record<string, string>) {
  return Array.from({ length: Math.min(DRAWS, paths.length) }, () => ({
    method: 'GET',
    path: paths[Math.floor(Math.random() * paths.length)],
    headers,
  }))
}

function rotated<Entry>(entries: readonly Entry[], by: number): Entry[] {
  const start = by % entries.length
  return [...entries.slice(start), ...entries.slice(0, start)]
}

process.on('message', async (load: Load) => {
  process.send?.(await drive(load))
})
