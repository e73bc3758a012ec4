import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLogger } from '../../src/base/log/logger.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { loadConfig } from '../../src/config.ts'
import type { Deps } from '../../src/deps.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { openSession } from '../../src/identity/auth/user-session-service.ts'
import { AppDefinition } from '../../src/marketplace/apps/definition.ts'
import { createApp } from '../../src/marketplace/apps/publish-service.ts'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { draft } from '../../test/setup/apps.ts'
import { stopAtEnd } from './run-end.ts'

const APP_ID = 'bench'
const USERS = 50

/** What the benchmark works on; the database is thrown away at the end of the run. */
export type Dataset = {
  databaseUrl: string
  secretKey: string
  developer: { id: string; clientId: string; password: string }
  appId: string
  /** The Seller that owns all products, its first product, and its installation. */
  partyId: number
  firstProductId: number
  installationId: string
  /** Some of the others. */
  installationIds: string[]
  /** Cookies of sessions, each of another user of the Seller. */
  sessionCookies: string[]
  productCount: number
}

/** Generates products of one Seller and installations of one app, with SQL. */
export async function createDataset(
  productCount: number,
  installationCount: number,
): Promise<Dataset> {
  const dataDir = await mkdtemp(join(tmpdir(), 'app-marketplace-bench-'))
  const settings = { max_connections: '60', maintenance_work_mem: '256MB', max_wal_size: '4GB' }
  const starting = startEmbeddedPostgres({ dataDir, settings })
  stopAtEnd(async () => {
    await starting.then((postgres) => postgres.stop()).catch(() => {})
    await rm(dataDir, { recursive: true, force: true })
  })
  const postgres = await starting
  const databaseUrl = postgres.connectionString
  const secretKey = randomBytes(32).toString('base64')
  const config = loadConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, LOG_LEVEL: 'warn' })
  const database = { url: databaseUrl, close: async () => {} }
  const { deps, close } = await openRuntime(config, createLogger(config), database)
  const developer = await createDeveloper(deps, { name: 'Bench' })
  const party = await createParty(deps, { name: 'Bench Seller', type: 'Seller' })
  const definition = draft(APP_ID, {
    permissions: ['products:read', 'products:write'].map((id) => ({ id, purpose: 'Bench.' })),
    authReturnUrl: 'https://app.example/auth',
    settings: { free: { note: { type: 'text', name: 'Note' } } },
  })
  const author = { developerId: developer.id, actor: SYSTEM }
  await createApp(deps, author, AppDefinition.parse(definition))
  const sessionCookies: string[] = []
  for (let user = 0; user < USERS; user++) {
    sessionCookies.push(await signIn(deps, party.id, `user${user}@bench.example`))
  }
  await close()

  const client = new pg.Client({ connectionString: postgres.superuserConnectionString })
  await client.connect()
  await client.query('SET synchronous_commit = off')
  await withoutIndexes(client, 'products', () => addProducts(client, party.id, productCount))
  await addInstallations(client, developer.id, party.id, installationCount)
  await client.query('VACUUM ANALYZE')
  const { rows: own } = await client.query<{ first: number; id: string }>(
    `SELECT (SELECT min(id)::float8 FROM products WHERE party_id = $1) AS first, id
     FROM installations WHERE party_id = $1`,
    [party.id],
  )
  const { rows: others } = await client.query<{ id: string }>(
    'SELECT id FROM installations WHERE party_id <> $1 LIMIT 1000',
    [party.id],
  )
  await client.query('CHECKPOINT')
  await client.end()
  return {
    databaseUrl,
    secretKey,
    developer,
    appId: APP_ID,
    partyId: party.id,
    firstProductId: Number(own[0]?.first),
    installationId: String(own[0]?.id),
    installationIds: others.map(({ id }) => id),
    sessionCookies,
    productCount,
  }
}

/** The session of a user of a party, as a browser has it. */
async function signIn(deps: Deps, partyId: number, email: string): Promise<string> {
  const user = await createUser(deps, { email, name: 'Bench', partyIds: [partyId] })
  const { id, tokenGeneration } = await deps.db.user.findUniqueOrThrow({ where: { id: user.id } })
  const device = { browser: '', network: '' }
  return String(await openSession(deps, { id, tokenGeneration, device }, undefined))
}

/** Fills a table faster: its indexes are made afterwards. */
async function withoutIndexes(
  client: pg.Client,
  table: string,
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS definition
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
     WHERE x.indrelid = $1::regclass AND NOT x.indisprimary`,
    [table],
  )
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`)
  await fill()
  for (const { definition } of rows) await client.query(definition)
}

/** Records of about 200 bytes, as the demo's are. */
async function addProducts(client: pg.Client, partyId: number, count: number): Promise<void> {
  await client.query(
    `WITH raised AS (
       UPDATE parties SET catalogue_revision = catalogue_revision + 1 WHERE id = $1
     ), made AS (
       SELECT 'Brand ' || n % 500 AS brand, 'PN-' || n AS part_number, (n % 1000)::int AS in_stock,
         'Comfort grip design number ' || n || '; adjustable taper control' AS description,
         (n % 90000) / 100.0 AS msrp, lpad((n % 1000000000000)::text, 12, '0') AS upc
       FROM generate_series(1, $2::int) AS n
     )
     INSERT INTO products (party_id, brand, part_number, in_stock, short_description, msrp, upc,
       body, revision, updated_at)
     SELECT $1, brand, part_number, in_stock, description, msrp, upc,
       '"brand":"' || brand || '","partNumber":"' || part_number || '","inStock":' || in_stock ||
       ',"shortDescription":"' || description || '","msrp":' || trim_scale(msrp) ||
       ',"mapPrice":null,"upc":"' || upc || '"}', 1, now()
     FROM made`,
    [partyId, count],
  )
}

async function addInstallations(
  client: pg.Client,
  developerId: string,
  partyId: number,
  count: number,
): Promise<void> {
  await client.query(
    `INSERT INTO parties (name, type)
     SELECT 'Seller ' || n, 'Seller' FROM generate_series(2, $1::int) AS n`,
    [count],
  )
  await client.query(
    `INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
       installed_version, permissions, install_date, updated_at)
     SELECT a.id, $1, p.id, p.type, 'free', a.version,
       ARRAY['products:read', 'products:write'], now() - p.id * interval '1 second', now()
     FROM apps a, parties p WHERE a.id = $2 AND p.type = 'Seller' AND p.id >= $3`,
    [developerId, APP_ID, partyId],
  )
  await client.query(
    `INSERT INTO setting_values (installation_id, scope, key, value, updated_at)
     SELECT i.id, 'user', 'note', to_jsonb('Note of ' || i.party_id), now()
     FROM installations i`,
  )
}
