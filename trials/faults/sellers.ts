import { request } from 'node:http'
import pg from 'pg'
import { createLogger } from '../../src/base/log/logger.ts'
import { loadConfig } from '../../src/config.ts'
import { runningDatabaseUrl } from '../../src/process/start/data-dir.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { installedTokens } from '../../test/setup/replicas.ts'
import { type ServerProcess, serverProcesses } from '../../test/setup/server-process.ts'

/** A server with Sellers of its own, each with a token that may do all with its products. */
export type SellerMarket = {
  server: ServerProcess
  tokens: string[]
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Ends the server without a chance to clean up, and starts it again on its database. */
  killAndRestart(): Promise<ServerProcess>
  close(): Promise<void>
}

const ENV = { RATE_LIMIT_PER_MINUTE: '0' }

export async function startSellers(count: number): Promise<SellerMarket> {
  const processes = serverProcesses()
  const server = await processes.start({ env: ENV })
  await server.ready()
  const { dataDir, url } = server
  const databaseUrl = async () => String(await runningDatabaseUrl(dataDir))
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: await databaseUrl() })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  return {
    server,
    tokens: await tokensOf(dataDir, url, await databaseUrl(), count),
    query,
    async killAndRestart() {
      await server.end('SIGKILL')
      const again = await processes.start({ dataDir, port: Number(new URL(url).port), env: ENV })
      await again.ready()
      return again
    },
    close: () => processes.cleanUp(),
  }
}

async function tokensOf(dataDir: string, url: string, databaseUrl: string, count: number) {
  const config = loadConfig({ DATA_DIR: dataDir, PUBLIC_URL: url, LOG_LEVEL: 'silent' })
  const database = { url: databaseUrl, close: async () => {} }
  const { deps, close } = await openRuntime(config, createLogger(config), database)
  try {
    const like = await deps.db.installation.findFirstOrThrow({
      where: { permissions: { has: 'products:write' }, partyType: 'Seller' },
    })
    return (await installedTokens({ deps }, like.id, count)).map(({ token }) => token)
  } finally {
    await close()
  }
}

/** Sends a whole file and tells the status of the answer and the seconds that it took. */
export async function importFile(
  { url }: ServerProcess,
  token: string | undefined,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; seconds: number }> {
  const beganAtMs = performance.now()
  const answer = await fetch(`${url}/v1/Products/Import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
    body,
  })
  await answer.arrayBuffer()
  return { status: answer.status, seconds: (performance.now() - beganAtMs) / 1000 }
}

/** Milliseconds that each of a row of requests took, made one after the other until it is stopped. */
export function probe({ url }: ServerProcess, token: string | undefined) {
  const times: number[] = []
  let isStopped = false
  const ask = () =>
    new Promise<void>((resolve) => {
      const beganAtMs = performance.now()
      const headers = { authorization: `Bearer ${token}` }
      const asked = request(`${url}/v1/Products?limit=1`, { headers }, (answer) => {
        answer.resume().once('close', () => {
          times.push(performance.now() - beganAtMs)
          resolve()
        })
      })
      asked.once('error', () => resolve()).end()
    })
  const done = (async () => {
    while (!isStopped) {
      await ask()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    async stop() {
      isStopped = true
      await done
      times.sort((a, b) => a - b)
      const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
      return { p50: at(0.5), p99: at(0.99), count: times.length }
    },
  }
}
