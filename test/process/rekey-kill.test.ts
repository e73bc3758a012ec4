import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox } from '../../src/base/secrets/secret-box.ts'
import { secretContext } from '../../src/marketplace/installations/settings/stored-settings.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { NO_DIRECTORY } from '../setup/backups.ts'
import { runCli } from '../setup/cli.ts'
import { demoInstallation } from '../setup/client.ts'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'
import { waitUntil } from '../setup/server-process.ts'

const CLI = fileURLToPath(new URL('../../src/process/cli/main.ts', import.meta.url))
/** More than two transactions of the command. */
const SETTINGS = 450

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('a change of SECRET_KEY that is killed goes on where it was: each secret once', async () => {
  const { db, pool, secretKey: former } = market.deps
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const formerBox = createSecretBox(former)
  const encrypted = (key: string) =>
    new Uint8Array(
      formerBox.encrypt(Buffer.from(`value of ${key}`), secretContext(id, 'user', key)),
    )
  const keys = Array.from({ length: SETTINGS }, (_, index) => `key${index}`)
  await db.settingValue.createMany({
    data: keys.map((key) => ({
      ...{ installationId: id, scope: 'user' as const, key, secret: encrypted(key) },
    })),
  })
  const current = randomBytes(32).toString('base64')
  const env = {
    DATABASE_URL: market.databaseUrl,
    SECRET_KEY: current,
    SECRET_KEY_PREVIOUS: former,
  }
  const renewed = async () => {
    const entries = await db.auditEvent.findMany({
      where: { action: 'secrets.rekeyed', subjectId: 'settings' },
    })
    return entries.reduce((sum, { after }) => sum + (after as { count: number }).count, 0)
  }

  // It comes back for the one that somebody holds until it is killed.
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM setting_values WHERE key = $1 FOR UPDATE', ['key7'])
  const child = spawn(process.execPath, [CLI, 'secrets', 'rotate'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  await waitUntil(async () => (await renewed()) > 0)
  child.kill('SIGKILL')
  expect(await exited).toBe('SIGKILL')
  await holder.query('ROLLBACK')
  holder.release()

  const { code, stdout } = await runCli(NO_DIRECTORY, ['secrets', 'rotate'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).settings).toBeGreaterThan(0)

  const alone = createSecretBox(current)
  const rows = await db.settingValue.findMany({ where: { secret: { not: null } } })
  // What was written in a transaction is in the audit trail, and nothing was done twice.
  expect(await renewed()).toBe(rows.length)
  for (const { installationId, scope, key, secret } of rows) {
    const context = secretContext(installationId, scope, key)
    const value = alone.decrypt(secret ?? new Uint8Array(), context).toString()
    if (keys.includes(key)) expect(value).toBe(`value of ${key}`)
  }
})
