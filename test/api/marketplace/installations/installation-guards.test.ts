import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../../../src/base/secrets/secret-box.ts'
import {
  secretContext,
  settingValuesOf,
} from '../../../../src/marketplace/installations/settings/stored-settings.ts'
import { installationRecordOf } from '../../../../src/marketplace/installations/stored-installation-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { GOOD_SETTINGS } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type InstalledVersionOne, installedVersionOne } from '../../../setup/versions.ts'

let market: TestMarketplace
let one: InstalledVersionOne
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const installAnew = async () => {
  one = await installedVersionOne(market)
}
const installOutdated = async () => {
  await installAnew()
  await one.publish('2')
}
const rowOf = () => market.deps.db.installation.findUniqueOrThrow({ where: { id: one.id } })
const sql = (text: string, values: unknown[] = []) => market.deps.pool.query(text, values)

describe('the database itself', () => {
  beforeEach(installAnew)

  test.each([
    ["installed_version = '2'"],
    ["permissions = '{products:write}'"],
    ["permissions = '{products:read}'"],
    ["permissions = '{}'"],
    ["permissions = '{settings:read,products:read}'"],
    ['permissions = permissions || permissions'],
    ["installed_version = '2', permissions = '{products:read,settings:read}'"],
    ["party_id = (SELECT max(id) FROM parties p WHERE p.id <> party_id AND p.type = 'Seller')"],
    ["party_type = 'Buyer'"],
    ["app_id = 'stock-watch'"],
    [
      "app_id = 'stock-watch', installed_version = '1.0.0', purchase_option_id = 'standard', permissions = '{products:read,profile:read}'",
    ],
    ['developer_id = (SELECT id FROM developers WHERE id <> developer_id LIMIT 1)'],
    ['id = gen_random_uuid()'],
    ["install_date = '2020-01-01'"],
    ["purchase_option_id = 'none'"],
    ['live = NULL'],
    ["status = 'suspended'"],
    ["status = 'uninstalled'"],
    ["suspended_by = 'nobody'"],
  ])('refuses UPDATE installations SET %s', async (assignment) => {
    await one.publish('2')
    const before = await rowOf()
    await expect(
      sql(`UPDATE installations SET ${assignment} WHERE id = $1`, [one.id]),
    ).rejects.toThrow()
    expect(await rowOf()).toEqual(before)
  })

  test('takes in an upgrade only the permissions of the new version, of this installation', async () => {
    await one.publish('2', { permissions: [{ id: 'products:read', purpose: 'Reads.' }] })
    const upgrade = async (upgrading: string, permissions: string) => {
      const client = await market.deps.pool.connect()
      try {
        await client.query('BEGIN')
        await client.query(`SELECT set_config('app_marketplace.upgrading', $1, true)`, [upgrading])
        await client.query(
          `UPDATE installations SET installed_version = '2', permissions = $2 WHERE id = $1`,
          [one.id, permissions],
        )
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    }
    await expect(upgrade(one.id, '{products:read,settings:read}')).rejects.toThrow('permissions')
    await expect(upgrade(one.id, '{products:write}')).rejects.toThrow('permissions')
    await expect(upgrade(randomUUID(), '{products:read}')).rejects.toThrow('only in an upgrade')
    await expect(upgrade('', '{products:read}')).rejects.toThrow('only in an upgrade')
    await upgrade(one.id, '{products:read}')
  })

  test('lets the licence to upgrade end with its transaction', async () => {
    await one.publish('2', { acknowledgements: [] })
    expect((await one.seller.upgrade(one.id, { version: '2' })).status).toBe(200)
    await one.publish('3', { acknowledgements: [] })
    // Every connection of the pool, the one of the upgrade among them.
    const attempts = await Promise.allSettled(
      Array.from({ length: 16 }, () =>
        sql(`UPDATE installations SET installed_version = '3' WHERE id = $1`, [one.id]),
      ),
    )
    expect(attempts.every(({ status }) => status === 'rejected')).toBe(true)
  })

  test('refuses a new installation with permissions that its version does not have', async () => {
    const { rows } = await sql('SELECT * FROM installations WHERE id = $1', [one.id])
    const insert = (permissions: string[]) =>
      sql(
        `INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id, installed_version, permissions, live, status, uninstalled_at)
         SELECT app_id, developer_id, party_id, party_type, purchase_option_id, installed_version, $2, NULL, 'uninstalled', now()
         FROM installations WHERE id = $1`,
        [one.id, permissions],
      )
    await expect(insert(['products:write'])).rejects.toThrow('permissions')
    await expect(insert([...rows[0].permissions, 'products:write'])).rejects.toThrow('permissions')
    await expect(insert([])).rejects.toThrow('permissions')
  })

  test('never changes or revives what was uninstalled', async () => {
    await one.seller.uninstall(one.id)
    const before = await rowOf()
    for (const assignment of [
      "status = 'active', live = true, uninstalled_at = NULL",
      "purchase_option_id = 'free'",
      'token_generation = 5',
    ]) {
      await expect(
        sql(`UPDATE installations SET ${assignment} WHERE id = $1`, [one.id]),
      ).rejects.toThrow('never changes')
    }
    expect(await rowOf()).toEqual(before)
  })

  test('refuses a second live installation of an app by a party', async () => {
    await expect(
      sql(
        `INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id, installed_version, permissions)
         SELECT app_id, developer_id, party_id, party_type, purchase_option_id, installed_version, permissions
         FROM installations WHERE id = $1`,
        [one.id],
      ),
    ).rejects.toThrow('installations_app_id_party_id_live_key')
  })

  test('keeps the audit trail: UPDATE, DELETE and TRUNCATE are refused', async () => {
    for (const text of [
      "UPDATE audit_events SET actor_id = 'x'",
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
    ]) {
      await expect(sql(text)).rejects.toThrow('not allowed')
    }
  })
})

describe('a password', () => {
  beforeEach(installAnew)

  const secretOf = async (key = 'secret') => {
    const { secret } = await market.deps.db.settingValue.findFirstOrThrow({
      where: { installationId: one.id, key },
    })
    return secret as Uint8Array
  }

  test('has another ciphertext each time', async () => {
    await one.seller.patch(one.id, { secret: 'same', pin: 'same' })
    const first = Buffer.from(await secretOf())
    expect(first.equals(await secretOf('pin'))).toBe(false)
    await one.seller.patch(one.id, { secret: 'same' })
    expect(first.equals(await secretOf())).toBe(false)
  })

  test('opens in its own row only: not under another key, scope or installation', async () => {
    const { secrets } = market.deps
    const secret = await secretOf()
    const open = (id: string, scope: 'user' | 'admin', key: string) =>
      settingValuesOf(secrets, id, [{ scope, key, value: null, secret }])
    expect(open(one.id, 'user', 'secret').userSettings).toEqual({ secret: 's3cret-one' })
    expect(() => open(one.id, 'user', 'pin')).toThrow(SecretBoxError)
    expect(() => open(one.id, 'admin', 'secret')).toThrow(SecretBoxError)
    expect(() => open(randomUUID(), 'user', 'secret')).toThrow(SecretBoxError)
  })

  test('copied to another row in the database is never shown', async () => {
    await one.seller.patch(one.id, { pin: '1234' })
    const other = await installedVersionOne(market)
    for (const [id, key] of [
      [one.id, 'pin'],
      [other.id, 'secret'],
    ]) {
      await sql('UPDATE setting_values SET secret = $3 WHERE installation_id = $1 AND key = $2', [
        ...[id, key, Buffer.from(await secretOf())],
      ])
    }
    for (const { calls, id } of [one, other]) {
      const answer = await calls.read(id)
      expectProblem(answer, 'internal_error')
      expect(answer.text).not.toContain('s3cret-one')
      expect((await calls.read(id, '?secrets=omit')).status).toBe(200)
    }
  })

  test('with any bit changed does not open', async () => {
    const { secrets } = market.deps
    const context = secretContext(one.id, 'user', 'secret')
    const secret = Buffer.from(await secretOf())
    for (let index = 0; index < secret.length; index += 1) {
      const changed = Buffer.from(secret)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => secrets.decrypt(changed, context)).toThrow(SecretBoxError)
    }
    expect(() => secrets.decrypt(secret.subarray(0, -1), context)).toThrow(SecretBoxError)
    expect(() => secrets.decrypt(Buffer.alloc(0), context)).toThrow(SecretBoxError)
  })

  test('is read with SECRET_KEY_PREVIOUS after a rotation, and not without it', async () => {
    const { secretKey } = market.deps
    const next = randomBytes(32).toString('base64')
    const rotated = createSecretBox(next, secretKey)
    const row = await market.deps.db.installation.findUniqueOrThrow({
      where: { id: one.id },
      include: { app: true, party: true, settings: true },
    })
    const shown = installationRecordOf({ secrets: rotated }, row, 'show')
    expect(shown.userSettings.secret).toBe('s3cret-one')
    const secret = await secretOf()
    expect(rotated.isCurrent(secret)).toBe(false)
    expect(() => installationRecordOf({ secrets: createSecretBox(next) }, row, 'show')).toThrow(
      'SECRET_KEY_PREVIOUS',
    )
    const context = secretContext(one.id, 'user', 'secret')
    const again = rotated.encrypt(rotated.decrypt(secret, context), context)
    expect(createSecretBox(next).decrypt(again, context).toString()).toBe('s3cret-one')
  })
})

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** What no request may set, in the API's spelling and in the database's. */
const PROTECTED: Record<string, unknown> = {
  id: ID,
  developerId: ID,
  developer_id: ID,
  party: { connect: { id: 1 } },
  partyType: 'None',
  party_type: 'None',
  partyName: 'Mine',
  appName: 'Mine',
  installedVersion: '0.0.1',
  installed_version: '0.0.1',
  permissions: ['products:write'],
  status: 'uninstalled',
  live: false,
  suspendedAt: null,
  suspendedBy: 'developer',
  suspendedReason: 'x',
  uninstalledAt: '2020-01-01T00:00:00Z',
  tokenGeneration: 0,
  token_generation: 0,
  revision: 999,
  installDate: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
  adminSettings: { adminText: 'mine' },
  settings: { adminText: 'mine' },
  acceptances: [],
  actorId: ID,
  price: 0,
  quote: { monthlyCost: 0 },
}

/** Everything that a request could have changed. */
async function state() {
  const { deps } = market
  const [installations, settings, acceptances] = await Promise.all([
    deps.db.installation.findMany({ orderBy: { id: 'asc' } }),
    deps.db.settingValue.findMany({ orderBy: [{ installationId: 'asc' }, { key: 'asc' }] }),
    deps.db.acceptance.findMany({ orderBy: { id: 'asc' } }),
  ])
  return JSON.stringify({ installations, settings, acceptances }, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

type Field = readonly [string, unknown]
const BODIES: Record<string, (field: Field) => Promise<{ status: number }>> = {
  'POST Installations': ([name, value]) =>
    one.seller.install({ appId: 'stock-watch', purchaseOptionId: 'standard', [name]: value }),
  'PATCH UserSettings': ([name, value]) => one.seller.patch(one.id, { text: 'x', [name]: value }),
  'POST PurchaseOption': ([name, value]) =>
    one.seller.send('POST', `/${one.id}/PurchaseOption`, {
      ...{ purchaseOptionId: 'free', [name]: value },
    }),
  'POST Upgrade': ([name, value]) => one.seller.upgrade(one.id, { version: '2', [name]: value }),
  'PATCH AdminSettings': ([name, value]) =>
    one.calls.patch(one.id, { adminText: 'x', [name]: value }),
  'POST Suspend': ([name, value]) =>
    one.calls.send('POST', `/${one.id}/Suspend`, { reason: 'x', [name]: value }),
  'POST Sandbox': ([name, value]) =>
    call(market, 'POST', `/v1/Developer/Apps/${one.app.id}/Sandbox`, {
      token: one.developer.token,
      body: { [name]: value },
    }),
}

describe.each(Object.keys(BODIES))('%s', (name) => {
  beforeAll(installOutdated)
  const send = BODIES[name] as (typeof BODIES)[string]

  test.each(Object.keys(PROTECTED))('refuses %s and changes nothing', async (field) => {
    const before = await state()
    const answer = await send([field, PROTECTED[field]])
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer as never)).toContain(`/${field}`)
    expect(await state()).toBe(before)
  })

  test('refuses all of them at once, each with its pointer', async () => {
    const before = await state()
    const entries = Object.entries(PROTECTED)
    const answers = await Promise.all(entries.map((entry) => send(entry)))
    expect(answers.every(({ status }) => status === 400 || status === 422)).toBe(true)
    expect(await state()).toBe(before)
  })
})

describe('fields that belong to another endpoint', () => {
  beforeAll(installOutdated)

  test.each<[string, () => Promise<{ status: number }>, string]>([
    ['appId in a change', () => one.seller.upgrade(one.id, { version: '2', appId: 'x' }), '/appId'],
    [
      'partyId in a change',
      () => one.seller.upgrade(one.id, { version: '2', partyId: 1 }),
      '/partyId',
    ],
    ['partyId in a patch', () => one.seller.patch(one.id, { partyId: 1 }), '/partyId'],
    [
      'userSettings in a suspension',
      () => BODIES['POST Suspend']?.(['userSettings', {}]) as never,
      '/userSettings',
    ],
    [
      'purchaseOptionId in a patch',
      () => one.seller.patch(one.id, { purchaseOptionId: 'free' }),
      '/purchaseOptionId',
    ],
  ])('are refused: %s', async (_, send, pointer) => {
    const before = await state()
    const answer = await send()
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer as never)).toEqual([pointer])
    expect(await state()).toBe(before)
  })

  test('in the body of a resume or a delete are never looked at', async () => {
    const body = { ...PROTECTED, userSettings: GOOD_SETTINGS }
    const before = await state()
    const answer = await one.calls.send('POST', `/${one.id}/Resume`, body)
    expect([200, 400, 422]).toContain(answer.status)
    expect(await state()).toBe(before)
  })
})
