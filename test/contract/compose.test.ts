import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig, VARIABLES } from '../../src/config.ts'
import type { Manifest } from '../setup/chart.ts'
import { runCli } from '../setup/cli.ts'
import { withDatabase } from '../setup/database.ts'

const ROOT = new URL('../../', import.meta.url)
const document: Manifest = parse(readFileSync(new URL('compose.yaml', ROOT), 'utf8'), {
  merge: true,
})
const { services } = document
const servers = ['one', 'two']

const PASSWORD = "p@ss/w:r?d#%41&'= \\é"
const SECRET_KEY = Buffer.from('a key of exactly thirty-two byte').toString('base64')
const ROLE = 'compose_trial'
const admin = new pg.Client({ connectionString: inject('serverUrl') })
await admin.connect()
afterAll(async () => {
  await admin.query(`DROP DATABASE IF EXISTS ${ROLE} WITH (FORCE)`)
  await admin.query(`DROP ROLE IF EXISTS ${ROLE}`)
  await admin.end()
})

test.each(['postgres', 'haproxy', ...servers])('%s can do no more than it needs', (name) => {
  expect(services[name]).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: expect.any(String),
    pids_limit: expect.any(Number),
  })
})

test.each(servers)(
  'the server %s has a role of its own, and no password in the address',
  (name) => {
    const { environment } = services[name]
    expect(environment.DATABASE_URL).toBe('postgresql://marketplace@postgres:5432/marketplace')
    expect(environment).not.toHaveProperty('POSTGRES_PASSWORD')
    const { configs } = services.postgres
    expect(configs[0].target).toBe('/docker-entrypoint-initdb.d/marketplace-role.sql')
    expect(document.configs[configs[0].source].file).toBe('./ops/marketplace-role.sql')
  },
)

test.each(servers)('the server %s takes its variables, and believes HAProxy alone', (name) => {
  const { environment } = services[name]
  const given = Object.fromEntries(
    Object.entries<string>(environment).map(([variable, text]) => [
      variable,
      text.replace(/^\$\{SECRET_KEY.*\}$/, SECRET_KEY).replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]),
  )
  const unknown = Object.keys(given).filter((variable) => !Object.hasOwn(VARIABLES, variable))
  expect(unknown).toEqual(['PGPASSWORD'])
  expect(loadConfig(given)).toMatchObject({ demo: false, publicUrl: 'http://127.0.0.1:3000' })
  expect(given.TRUST_PROXY).toBe(document.networks.default.ipam.config[0].subnet)
  expect(Number.parseInt(services[name].stop_grace_period, 10)).toBeGreaterThan(
    loadConfig(given).shutdownGraceSeconds,
  )
})

test('configs and secrets are files: Compose cannot write others into a read-only container', () => {
  for (const one of Object.values<Manifest>({ ...document.configs, ...document.secrets })) {
    expect(Object.keys(one)).toEqual(['file'])
    expect(existsSync(new URL(one.file, ROOT))).toBe(true)
  }
})

test('the database counts as healthy once it is reached over TCP, and a server once it is ready', () => {
  expect(services.postgres.healthcheck.test.join(' ')).toContain('pg_isready -h 127.0.0.1')
  for (const name of servers) {
    expect(services[name].healthcheck.test.join(' ')).toContain('/readyz')
    expect(services[name].image).toMatch(/^app-marketplace:\$\{RELEASE:-\w+\}$/)
  }
})

test('HAProxy alone is reached from outside, and knows every server', () => {
  const haproxy = readFileSync(new URL('../../ops/haproxy.cfg', import.meta.url), 'utf8')
  const known = [...haproxy.matchAll(/^ {4}server (\w+) (\w+):3000$/gm)].map(([, , host]) => host)
  expect(known).toEqual(servers)
  expect(services.haproxy.depends_on).toEqual(servers)
  const open = Object.keys(services).filter((name) => services[name].ports !== undefined)
  expect(open).toEqual(['haproxy'])
})

test('a role that only owns its database is enough, whatever its password is made of', async () => {
  const sql = readFileSync(new URL('ops/marketplace-role.sql', ROOT), 'utf8')
    .replace(/^\\getenv password MARKETPLACE_PASSWORD$/m, '')
    .replace(":'password'", pg.escapeLiteral(PASSWORD).trim())
    .replaceAll('marketplace', ROLE)
  for (const statement of sql.split(';')) await admin.query(statement)
  const url = withDatabase(inject('serverUrl'), ROLE).replace(/\/\/[^@]*@/, `//${ROLE}@`)
  const env = {
    DATABASE_URL: url,
    PGPASSWORD: PASSWORD,
    SECRET_KEY,
  }
  const migrated = await runCli('/nowhere', ['migrate'], { env })
  expect(migrated).toEqual({ code: 0, stdout: '{\n  "migrated": true\n}\n', stderr: '' })
  const wrong = await runCli('/nowhere', ['user', 'list'], { env: { ...env, PGPASSWORD: 'x' } })
  expect(wrong.code).toBe(1)
})
