import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import { type ServerProcess, serverProcesses, waitUntil } from '../setup/server-process.ts'
import { startUpload } from '../setup/upload.ts'

const processes = serverProcesses(await fastestDirectory())
let database: Awaited<ReturnType<typeof createDemoDatabase>>
beforeAll(async () => {
  database = await createDemoDatabase()
})
afterAll(async () => {
  await processes.cleanUp()
  await database.drop()
})

async function startServer(): Promise<ServerProcess> {
  const server = await processes.start({
    env: {
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      PUBLIC_URL: 'http://127.0.0.1',
      SHUTDOWN_GRACE_SECONDS: '4',
      DRAIN_SECONDS: '0.1',
    },
  })
  await server.ready()
  return server
}

/** A token of an app that may import. */
async function importToken(server: ServerProcess): Promise<string> {
  const { demo } = database
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const signedIn = await call(server, 'POST', '/v1/Auth', {
    body: { clientId: developer?.clientId, password: developer?.password },
  })
  const { body } = await call(server, 'POST', '/v1/Developer/Token', {
    token: signedIn.body.token,
    body: { installationId: installation?.id },
  })
  return body.token
}

/** What servers counted in memory and wrote at their end. */
async function recorded(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT coalesce(sum(count), 0)::int AS count FROM audit_counts WHERE action = 'developer.signed_in'
     UNION ALL SELECT coalesce(sum(tokens), 0)::int FROM hourly_figures`,
  )
  return rows.map(({ count }) => count)
}

const HEADER = 'brand,partNumber,inStock\n'
const headers = { 'content-type': 'text/csv' }

test.each([
  ['whose file is still coming', false],
  ['that waits in Postgres', true],
])(
  'SIGTERM ends an import %s: the account can import again at once, and counts are kept',
  async (_state, isSent) => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    const [signIns = 0, tokens = 0] = await recorded(holder)
    const server = await startServer()
    const token = await importToken(server)
    await holder.query('BEGIN; SELECT FROM parties FOR NO KEY UPDATE')
    const id = randomUUID()
    const upload = startUpload(server, { token }, id)
    // An import that changes nothing does not wait.
    const row = `B,${id},1\n`
    upload.write(HEADER)
    if (isSent) upload.end(row)
    const record = async (from: ServerProcess) =>
      (await call(from, 'GET', `/v1/Products/Imports/${id}`, { token })).body
    await waitUntil(async () => (await record(server)).status === 'running')
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(await upload.status).toBe(503)
    await holder.query('ROLLBACK')
    expect(await recorded(holder)).toEqual([signIns + 1, tokens + 2])
    await holder.end()

    const next = await startServer()
    expect(await record(next)).toMatchObject({
      status: 'failed',
      problem: { code: 'unavailable' },
      finishedAt: expect.any(String),
    })
    const again = { token, headers, body: HEADER + row }
    expect((await call(next, 'POST', '/v1/Products/Import', again)).status).toBe(200)
    await next.end()
  },
)
