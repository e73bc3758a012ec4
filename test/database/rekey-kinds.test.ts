import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/base/secrets/secret-box.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { checkFactor } from '../../src/identity/auth/second-factor/check-factor-service.ts'
import { acceptInstallRequest } from '../../src/marketplace/installations/requests/decide-request-service.ts'
import {
  openHeaders,
  signingSecrets,
} from '../../src/marketplace/webhooks/endpoints/endpoint-secrets.ts'
import { rekeyTable } from '../../src/operation/re-encryption/rekey-pass-service.ts'
import { rekeySecrets } from '../../src/operation/re-encryption/rekey-service.ts'
import { SEALED_TABLES } from '../../src/operation/re-encryption/sealed-tables.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { call } from '../setup/client.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../setup/customer.ts'
import { enrol, nextCode } from '../setup/second-factor.ts'
import { holdRows } from '../setup/turns.ts'
import { appWithWebhooks } from '../setup/webhooks.ts'

let market: TestMarketplace
/** The key of what is stored. */
let former: string
beforeAll(async () => {
  market = await startMarketplace()
  former = market.deps.secretKey
})
// The server goes on with its own key.
afterEach(async () => {
  const { db, secretKey } = market.deps
  await rekeySecrets({ db, secrets: createSecretBox(secretKey, former) }, SYSTEM)
  former = secretKey
})
afterAll(() => market.close())

const newKey = () => randomBytes(32).toString('base64')
const storedEndpoint = (id: string) =>
  market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })

test('secrets, those before a rotation and static headers open with the new key alone', async () => {
  const app = await appWithWebhooks(await author(market))
  const headers = { authorization: 'Bearer x', 'x-tenant': '7' }
  const { id, secret: first } = (await app.create({ headers })).body
  const second = (await app.send('POST', `/${id}/RotateSecret`)).body.secret
  const plain = (await app.create()).body
  const before = await storedEndpoint(id)
  const { db, now } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ webhooks: 2 })

  const alone = createSecretBox(current)
  const after = await storedEndpoint(id)
  expect(signingSecrets(alone, after, now())).toEqual([second, first])
  expect(openHeaders(alone, after)).toEqual(headers)
  const { secret: _a, previousSecret: _b, headers: _c, ...rest } = before
  expect(after).toMatchObject(rest)
  const other = await storedEndpoint(plain.id)
  expect(signingSecrets(alone, other, now())).toEqual([plain.secret])
  expect(openHeaders(alone, other)).toEqual({})
  const entry = await db.auditEvent.findFirstOrThrow({
    where: { action: 'secrets.rekeyed', subjectId: 'webhooks' },
  })
  expect(entry.after).toEqual({ count: 2 })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ webhooks: 0 })
  former = current
})

/** Holds one endpoint. */
async function holdEndpoint() {
  const [{ id } = { id: '' }] = await market.deps.db.webhookEndpoint.findMany({ take: 1 })
  return holdRows(market, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id])
}
const webhookEntries = () =>
  market.deps.db.auditEvent.count({
    where: { action: 'secrets.rekeyed', subjectId: 'webhooks' },
  })

test('an endpoint that another transaction holds is skipped until the next pass', async () => {
  const { db } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const pass = () => rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES.webhooks)
  const written = await webhookEntries()
  const held = await holdEndpoint()
  try {
    expect(await pass()).toEqual({ done: 1, left: 1, unreadable: [] })
    expect(await pass()).toEqual({ done: 0, left: 1, unreadable: [] })
    expect(await webhookEntries()).toBe(written + 1)
  } finally {
    await held.release()
  }
  expect(await pass()).toEqual({ done: 1, left: 0, unreadable: [] })
  await rekeySecrets({ db, secrets }, SYSTEM)
  former = current
})

test('the command waits for one endpoint that another transaction holds', async () => {
  const { db } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const written = await webhookEntries()
  const held = await holdEndpoint()
  const rotation = rekeySecrets({ db, secrets }, SYSTEM)
  // The transaction of the first pass, which skips the endpoint.
  await expect
    .poll(webhookEntries)
    .toBe(written + 1)
    .finally(() => held.release())
  expect(await rotation).toMatchObject({ webhooks: 2 })
  former = current
})

async function waitingRequest() {
  const { party, user, token } = await newCustomer(market)
  const app = await listedApp(await author(market), fullDraft())
  const made = await call(market, 'POST', `/v1/Account/Parties/${party.id}/InstallRequests`, {
    token,
    body: { appId: app.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  return { userId: user.id, partyId: party.id, requestId: made.body.id as string }
}

/** Makes a row with a secret; whether that secret is right for a server with this key alone. */
type Case = ['secondFactors' | 'installRequests', string, () => Promise<UsedWith>]
type UsedWith = (deps: TestMarketplace['deps']) => Promise<boolean>

test.each<[string, ...Case]>([
  [
    'a second factor works',
    'secondFactors',
    'second_factors',
    async () => {
      const { user } = await newCustomer(market)
      const { secret } = await enrol(market, user)
      return (deps) => checkFactor(deps, user.id, nextCode(market, secret), SYSTEM)
    },
  ],
  [
    'a request is accepted',
    'installRequests',
    'install_requests',
    async () => {
      const { userId, ...asked } = await waitingRequest()
      const actor = { kind: 'user', id: userId, address: null } as const
      return async (deps) =>
        (await acceptInstallRequest(deps, { userId, actor }, asked)).status === 'accepted'
    },
  ],
])('%s with the new key alone; a locked row is done later', async (_what, kind, table, make) => {
  const { deps } = market
  const { db } = deps
  const isRight = await make()
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const held = await holdRows(market, `SELECT 1 FROM ${table} FOR UPDATE`, [])
  try {
    const pass = await rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES[kind])
    expect(pass).toEqual({ done: 0, left: 1, unreadable: [] })
  } finally {
    await held.release()
  }
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ [kind]: 1 })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ [kind]: 0 })
  expect(await isRight({ ...deps, secrets: createSecretBox(current) })).toBe(true)
  former = current
})

const lost = () => new Uint8Array(createSecretBox(newKey()).encrypt(Buffer.from('x'), 'anything'))

test.each<[string, keyof typeof SEALED_TABLES, () => Promise<string>, () => Promise<unknown>]>([
  [
    'a second factor',
    'secondFactors',
    async () => {
      const { userId } = await market.deps.db.secondFactor.findFirstOrThrow()
      await market.deps.db.secondFactor.update({ where: { userId }, data: { secret: lost() } })
      return `second factor of ${userId}`
    },
    () => market.deps.db.secondFactor.deleteMany(),
  ],
  [
    'an install request',
    'installRequests',
    async () => {
      const { requestId: id } = await waitingRequest()
      await market.deps.db.installRequest.update({ where: { id }, data: { passwords: lost() } })
      return `passwords of the install request ${id}`
    },
    () => market.deps.db.installRequest.deleteMany(),
  ],
  [
    'an endpoint',
    'webhooks',
    async () => {
      const { id } = await market.deps.db.webhookEndpoint.findFirstOrThrow()
      await market.deps.db.webhookEndpoint.update({ where: { id }, data: { secret: lost() } })
      return `webhook endpoint ${id}`
    },
    () => market.deps.db.webhookEndpoint.deleteMany(),
  ],
])(
  '%s that no key opens is named, and all others are re-encrypted',
  async (_what, kind, lose, forget) => {
    const { db } = market.deps
    const name = await lose()
    const current = newKey()
    const secrets = createSecretBox(current, former)
    const failure = rekeySecrets({ db, secrets }, SYSTEM)
    await expect(failure).rejects.toThrow(SecretBoxError)
    await expect(failure).rejects.toThrow(name)
    const { unreadable } = await rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES[kind])
    expect(unreadable).toEqual([expect.stringContaining(name)])
    expect(
      (await db.settingValue.findMany({ where: { secret: { not: null } } })).every(({ secret }) =>
        secrets.isCurrent(secret ?? Buffer.of()),
      ),
    ).toBe(true)
    const endpoints = await db.webhookEndpoint.findMany()
    expect(endpoints.filter(({ secret }) => !secrets.isCurrent(secret))).toHaveLength(
      kind === 'webhooks' ? 1 : 0,
    )
    await forget()
    former = current
  },
)
