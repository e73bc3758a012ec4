import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { runCli } from '../setup/cli.ts'
import { withDatabase } from '../setup/database.ts'

const compose = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8')
/** The text of each service. */
const services = Object.fromEntries(
  [...compose.matchAll(/^ {2}(postgres|marketplace):\n((?: {4}.*\n|\n)+)/gm)].map(
    ([, name, text]) => [name, text],
  ),
)

const PASSWORD = "p@ss/w:r?d#%41&'= \\é"
const ROLE = 'compose_trial'
const admin = new pg.Client({ connectionString: inject('serverUrl') })
await admin.connect()
afterAll(async () => {
  await admin.query(`DROP DATABASE IF EXISTS ${ROLE} WITH (FORCE)`)
  await admin.query(`DROP ROLE IF EXISTS ${ROLE}`)
  await admin.end()
})

test.each(['postgres', 'marketplace'])('%s can do no more than it needs', (name) => {
  const text = services[name] ?? ''
  for (const line of [
    'read_only: true',
    'cap_drop: [ALL]',
    'security_opt: ["no-new-privileges:true"]',
  ]) {
    expect(text).toContain(`    ${line}\n`)
  }
  expect(text).toMatch(/^ {4}mem_limit: \S+$/m)
  expect(text).toMatch(/^ {4}pids_limit: \d+$/m)
})

test('the server has a role of its own, and no password in the address', () => {
  expect(services.marketplace).toContain('postgresql://marketplace@postgres:5432/marketplace\n')
  expect(services.marketplace).not.toContain('POSTGRES_PASSWORD')
  expect(compose).toContain('CREATE DATABASE marketplace OWNER marketplace;')
})

test('a role that only owns its database is enough, whatever its password is made of', async () => {
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${pg.escapeLiteral(PASSWORD)}`)
  await admin.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`)
  const url = withDatabase(inject('serverUrl'), ROLE).replace(/\/\/[^@]*@/, `//${ROLE}@`)
  const env = {
    DATABASE_URL: url,
    PGPASSWORD: PASSWORD,
    SECRET_KEY: Buffer.from('a key of exactly thirty-two byte').toString('base64'),
  }
  const migrated = await runCli('/nowhere', ['migrate'], { env })
  expect(migrated).toEqual({ code: 0, stdout: '{\n  "migrated": true\n}\n', stderr: '' })
  const wrong = await runCli('/nowhere', ['user', 'list'], { env: { ...env, PGPASSWORD: 'x' } })
  expect(wrong.code).toBe(1)
})
