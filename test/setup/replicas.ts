import { randomUUID } from 'node:crypto'
import { createLogger } from '../../src/base/log/logger.ts'
import { loadConfig } from '../../src/config.ts'
import type { Deps } from '../../src/deps.ts'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../src/marketplace/installations/mint-token-service.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { createDemoDatabase } from './database.ts'
import { type ServerProcess, serverProcesses } from './server-process.ts'
import { credentialOf } from './token-maker.ts'

/** Two real servers on one database, and the services in this process beside them. */
export type Replicas = {
  one: ServerProcess
  two: ServerProcess
  deps: Deps
  demo: Demo
  /** What a further process on the same database needs. */
  env: Record<string, string>
  close(): Promise<void>
}

export async function startReplicas(): Promise<Replicas> {
  const database = await createDemoDatabase()
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    PUBLIC_URL: 'http://marketplace.example',
    RATE_LIMIT_PER_MINUTE: '0',
    DATABASE_POOL_SIZE: '8',
  }
  const config = loadConfig({ ...env, LOG_LEVEL: 'silent' })
  const { deps, close } = await openRuntime(config, createLogger(config), {
    url: database.url,
    close: async () => {},
  })
  const processes = serverProcesses()
  const one = await processes.start({ env })
  const two = await processes.start({ env })
  await Promise.all([one.ready(), two.ready()])
  return {
    one,
    two,
    deps,
    demo: { ...database.demo, baseUrl: config.publicUrl },
    env,
    async close() {
      await processes.cleanUp()
      await close()
      await database.drop()
    },
  }
}

/** Somebody with a token, and what takes it away. */
export type Victim = { token: string; installationId: string }

/** As many parties with an app as are asked for, straight in the database, with a token each. */
export async function installedTokens(
  { deps }: Pick<Replicas, 'deps'>,
  like: string,
  count: number,
): Promise<Victim[]> {
  const { rows } = await deps.pool.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO parties (name, type) SELECT 'Party ' || n, 'Seller'
       FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
       installed_version, permissions)
     SELECT i.app_id, i.developer_id, made.id, 'Seller', i.purchase_option_id,
       i.installed_version, i.permissions
     FROM installations i, made WHERE i.id = $1 RETURNING id`,
    [like, count],
  )
  const installations = await deps.db.installation.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
  })
  return Promise.all(
    installations.map(async (row) => {
      const claims = tokenClaims(row, row.permissions, await credentialOf(deps.db, row))
      const issued = await issueToken(deps, claims, 3600)
      return { token: issued.token, installationId: row.id }
    }),
  )
}

/** As many tokens of one installation. */
export async function tokensOf(
  { deps }: Pick<Replicas, 'deps'>,
  installationId: string,
  count: number,
): Promise<Victim[]> {
  const row = await deps.db.installation.findUniqueOrThrow({ where: { id: installationId } })
  const claims = tokenClaims(row, row.permissions, await credentialOf(deps.db, row))
  return Promise.all(
    Array.from({ length: count }, async () => {
      const issued = await issueToken(deps, claims, 3600)
      return { token: issued.token, installationId }
    }),
  )
}

/** As many developers with one credential and a token each. */
export async function developerTokens(
  { deps }: Pick<Replicas, 'deps'>,
  count: number,
): Promise<{ token: string; developerId: string; credentialId: string }[]> {
  const { rows } = await deps.pool.query<{ id: string; developer_id: string; client_id: string }>(
    `WITH sandbox AS (
       INSERT INTO parties (name, type) SELECT 'Sandbox ' || n, 'None'
       FROM generate_series(1, $2) n RETURNING id),
     developer AS (
       INSERT INTO developers (name, sandbox_party_id)
       SELECT 'Developer ' || id, id FROM sandbox RETURNING id)
     INSERT INTO developer_credentials (developer_id, client_id, password_hash, slot)
     SELECT id, $1 || id, 'no hash', 1 FROM developer RETURNING id, developer_id, client_id`,
    [`${randomUUID()}-`, count],
  )
  return Promise.all(
    rows.map(async ({ id, developer_id: sub, client_id }) => {
      const claims = { aud: 'developer' as const, sub, cid: id, client_id }
      return {
        token: (await issueToken(deps, claims, 3600)).token,
        developerId: sub,
        credentialId: id,
      }
    }),
  )
}
