import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/base/secrets/secret-box.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { openKeyRing } from '../../src/identity/tokens/keys-service.ts'
import { secretContext } from '../../src/marketplace/installations/settings/stored-settings.ts'
import { rekeyTable } from '../../src/operation/re-encryption/rekey-pass-service.ts'
import { rekeySecrets } from '../../src/operation/re-encryption/rekey-service.ts'
import { SEALED_TABLES } from '../../src/operation/re-encryption/sealed-tables.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation } from '../setup/client.ts'
import { auditCount } from '../setup/operator.ts'
import { waitUntil } from '../setup/server-process.ts'
import { holdRows } from '../setup/turns.ts'

let market: TestMarketplace
let former: string
beforeAll(async () => {
  market = await startMarketplace()
  former = market.deps.secretKey
})
afterAll(() => market.close())

const newKey = () => randomBytes(32).toString('base64')
const secretRows = () =>
  market.deps.db.settingValue.findMany({
    where: { secret: { not: null } },
    orderBy: [{ installationId: 'asc' }, { scope: 'asc' }, { key: 'asc' }],
  })

test('all secrets open with the new key alone, a second run does nothing, and nothing else changes', async () => {
  const { db } = market.deps
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const formerBox = createSecretBox(former)
  await db.settingValue.createMany({
    data: Array.from({ length: 450 }, (_, index) => ({
      installationId: id,
      scope: index % 2 === 0 ? ('user' as const) : ('admin' as const),
      key: `key${index}`,
      secret: new Uint8Array(
        formerBox.encrypt(
          Buffer.from(`value ${index}`),
          secretContext(id, index % 2 === 0 ? 'user' : 'admin', `key${index}`),
        ),
      ),
    })),
  })
  const before = await secretRows()
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const rekeyed = {
    settings: 452,
    signingKeys: 1,
    webhooks: 0,
    secondFactors: 0,
    installRequests: 0,
  }
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toEqual(rekeyed)

  const alone = createSecretBox(current)
  const after = await secretRows()
  const open = (box: typeof alone, row: (typeof after)[number]) =>
    box
      .decrypt(
        row.secret ?? new Uint8Array(),
        secretContext(row.installationId, row.scope, row.key),
      )
      .toString()
  expect(after.map((row) => open(alone, row))).toEqual(before.map((row) => open(formerBox, row)))
  expect(after.map(({ updatedAt }) => updatedAt)).toEqual(before.map(({ updatedAt }) => updatedAt))
  const ring = await openKeyRing({ db, secrets: alone, now: () => new Date() })
  expect((await ring.jwks()).keys).toHaveLength(1)

  const entries = await db.auditEvent.findMany({ where: { action: 'secrets.rekeyed' } })
  const countOf = (subjectId: string) =>
    entries
      .filter((entry) => entry.subjectId === subjectId)
      .reduce((sum, { after: fields }) => sum + (fields as { count: number }).count, 0)
  expect([countOf('settings'), countOf('signing-keys')]).toEqual([452, 1])
  const written = await auditCount(market)
  const nothing = { settings: 0, signingKeys: 0, webhooks: 0, secondFactors: 0, installRequests: 0 }
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toEqual(nothing)
  expect(await auditCount(market)).toBe(written)
  former = current
})

test('two rotations at once, beside changes by servers, lose no value', async () => {
  const { db } = market.deps
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const change = async (index: number) => {
    const context = secretContext(id, 'user', `key${index}`)
    const secret = new Uint8Array(secrets.encrypt(Buffer.from(`changed ${index}`), context))
    const where = {
      installationId_scope_key: { installationId: id, scope: 'user' as const, key: `key${index}` },
    }
    await db.settingValue.update({ where, data: { secret } })
  }
  const changed = Array.from({ length: 40 }, (_, index) => index * 10)
  const [one, other] = await Promise.all([
    rekeySecrets({ db, secrets }, SYSTEM),
    rekeySecrets({ db, secrets }, SYSTEM),
    ...changed.map(change),
  ])
  expect(one.signingKeys + other.signingKeys).toBe(1)
  expect(one.settings + other.settings).toBeLessThanOrEqual(452)
  const alone = createSecretBox(current)
  for (const { installationId, scope, key, secret } of await secretRows()) {
    const context = secretContext(installationId, scope, key)
    const value = alone.decrypt(secret ?? new Uint8Array(), context).toString()
    const index = Number(/^key(\d+)$/.exec(key)?.[1] ?? Number.NaN)
    if (Number.isNaN(index)) continue
    expect(value).toBe(changed.includes(index) ? `changed ${index}` : `value ${index}`)
  }
  former = current
})

test('a value of an installation that another transaction holds is left for the next pass', async () => {
  const { db } = market.deps
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const held = await holdRows(market, 'SELECT 1 FROM installations WHERE id = $1 FOR UPDATE', [id])
  try {
    const pass = await rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES.settings)
    expect(pass.left).toBe((await secretRows()).filter((row) => row.installationId === id).length)
  } finally {
    await held.release()
  }
  await rekeySecrets({ db, secrets }, SYSTEM)
  former = current
})

test('a value that another transaction changes is waited for, not overwritten', async () => {
  const { db } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const context = secretContext(id, 'admin', 'key7')
  const changed = createSecretBox(former).encrypt(Buffer.from('changed meanwhile'), context)
  const held = await holdRows(
    market,
    "UPDATE setting_values SET secret = $2 WHERE installation_id = $1 AND key = 'key7'",
    [id, changed],
  )
  const isReEncrypted = ({ secret }: { secret: Uint8Array | null }) =>
    secrets.isCurrent(secret ?? Buffer.of())
  let isDone = false
  const rotation = rekeySecrets({ db, secrets }, SYSTEM).finally(() => {
    isDone = true
  })
  try {
    // The whole installation is held: all others are re-encrypted meanwhile.
    await waitUntil(async () =>
      (await secretRows()).every((row) => row.installationId === id || isReEncrypted(row)),
    )
    expect(isDone).toBe(false)
  } finally {
    await held.release()
  }
  expect(await rotation).toMatchObject({ settings: 452 })
  const rows = await secretRows()
  expect(rows.every(isReEncrypted)).toBe(true)
  const secret = rows.find(({ key }) => key === 'key7')?.secret ?? Buffer.of()
  expect(createSecretBox(current).decrypt(secret, context).toString()).toBe('changed meanwhile')
  former = current
})

test('what no key opens is named, and all others are re-encrypted', async () => {
  const { db } = market.deps
  const rows = await secretRows()
  const [row] = rows
  if (row === undefined) throw new Error('no secret')
  const { installationId, scope, key } = row
  const lost = createSecretBox(newKey())
  await db.settingValue.update({
    where: { installationId_scope_key: { installationId, scope, key } },
    data: { secret: new Uint8Array(lost.encrypt(Buffer.from('x'), 'anything')) },
  })
  // The signing key is not this test's: only what the rotation reads counts.
  await db.signingKey.deleteMany()
  const secrets = createSecretBox(newKey(), newKey())
  const failure = rekeySecrets({ db, secrets }, SYSTEM)
  await expect(failure).rejects.toThrow(SecretBoxError)
  await expect(failure).rejects.toThrow(`${rows.length} secrets were encrypted with neither`)
  await expect(failure).rejects.toThrow(`${scope} setting ${key} of ${installationId}`)
})
