import { randomBytes } from 'node:crypto'
import { call } from './client.ts'
import { mintedToken } from './probes.ts'
import { readDemoFile, type ServerProcess, serverProcesses } from './server-process.ts'
import { type Replication, startReplication } from './streaming-replica.ts'

const BRAND = 'Replica'
const PART_NUMBER = 'R-1'
const PATH = `/v1/Products?partNumber=${PART_NUMBER}`

/** A server that reads from a streaming replica, and one product that is written and read. */
export type ReplicatedMarket = {
  replication: Replication
  write(inStock: number): Promise<void>
  /** What a page says of the product. */
  stockShown(): Promise<number | undefined>
  /** What an export says of it. */
  stockExported(): Promise<number | undefined>
  close(): Promise<void>
}

/** No page is kept in memory: each is read from Postgres. */
export async function startReplicatedMarket(): Promise<ReplicatedMarket> {
  const processes = serverProcesses()
  const replication = await startReplication()
  const server = await processes.start({
    env: {
      DATABASE_URL: replication.primary.connectionString,
      DATABASE_READ_URL: replication.replicaUrl,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DEMO: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      PAGE_CACHE_BYTES: '0',
    },
  })
  await server.ready()
  const token = await productsToken(server)
  return {
    replication,
    async write(inStock) {
      const body = { brand: BRAND, partNumber: PART_NUMBER, inStock }
      const { status } = await call(server, 'POST', '/v1/Products', { token, body })
      if (status !== 200 && status !== 201) throw new Error(`a write was answered ${status}`)
    },
    async stockShown() {
      const { status, body } = await call(server, 'GET', PATH, { token })
      if (status !== 200) throw new Error(`a page was answered ${status}`)
      return body[0]?.inStock
    },
    async stockExported() {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' }
      const answer = await fetch(server.url + PATH, { headers })
      if (!answer.ok) throw new Error(`an export was answered ${answer.status}`)
      const [line = ''] = (await answer.text()).trim().split('\n')
      return line === '' ? undefined : JSON.parse(line).inStock
    },
    async close() {
      await processes.cleanUp()
      await replication.close()
    },
  }
}

async function productsToken(server: ServerProcess): Promise<string> {
  const demo = readDemoFile(server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  return mintedToken(server, '/v1/Developer/Token', body, developer)
}
