import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/base/secrets/secret-box.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import {
  openHeaders,
  signingSecrets,
} from '../../src/marketplace/webhooks/endpoints/endpoint-secrets.ts'
import { rekeyTable } from '../../src/operation/re-encryption/rekey-pass-service.ts'
import { rekeySecrets } from '../../src/operation/re-encryption/rekey-service.ts'
import { SEALED_TABLES } from '../../src/operation/re-encryption/sealed-tables.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author } from '../setup/apps.ts'
import { holdRows } from '../setup/turns.ts'
import { appWithWebhooks } from '../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
let former: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  former = market.deps.secretKey
})
afterAll(() => market.close())

const newKey = () => randomBytes(32).toString('base64')
const stored = (id: string) => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })

test('secrets, those before a rotation and static headers open with the new key alone', async () => {
  const app = await appWithWebhooks(developer)
  const headers = { authorization: 'Bearer x', 'x-tenant': '7' }
  const { id, secret: first } = (await app.create({ headers })).body
  const second = (await app.send('POST', `/${id}/RotateSecret`)).body.secret
  const plain = (await app.create()).body
  const before = await stored(id)
  const { db, now } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ webhooks: 2 })

  const alone = createSecretBox(current)
  const after = await stored(id)
  expect(signingSecrets(alone, after, now())).toEqual([second, first])
  expect(openHeaders(alone, after)).toEqual(headers)
  const { secret: _a, previousSecret: _b, headers: _c, ...rest } = before
  expect(after).toMatchObject(rest)
  const other = await stored(plain.id)
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
const entries = () =>
  market.deps.db.auditEvent.count({
    where: { action: 'secrets.rekeyed', subjectId: 'webhooks' },
  })

test('an endpoint that another transaction holds is skipped until the next pass', async () => {
  const { db } = market.deps
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const pass = () => rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES.webhooks)
  const written = await entries()
  const held = await holdEndpoint()
  try {
    expect(await pass()).toEqual({ done: 1, left: 1, unreadable: [] })
    expect(await pass()).toEqual({ done: 0, left: 1, unreadable: [] })
    expect(await entries()).toBe(written + 1)
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
  const written = await entries()
  const held = await holdEndpoint()
  const rotation = rekeySecrets({ db, secrets }, SYSTEM)
  // The transaction of the first pass, which skips the endpoint.
  await expect
    .poll(entries)
    .toBe(written + 1)
    .finally(() => held.release())
  expect(await rotation).toMatchObject({ webhooks: 2 })
  former = current
})

test('an endpoint that no key opens is named, and all others are re-encrypted', async () => {
  const { db } = market.deps
  const [lost] = await db.webhookEndpoint.findMany({ take: 1 })
  const id = lost?.id ?? ''
  const secret = new Uint8Array(createSecretBox(newKey()).encrypt(Buffer.from('x'), 'anything'))
  await db.webhookEndpoint.update({ where: { id }, data: { secret } })
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const failure = rekeySecrets({ db, secrets }, SYSTEM)
  await expect(failure).rejects.toThrow(SecretBoxError)
  await expect(failure).rejects.toThrow(`webhook endpoint ${id}`)
  const others = await db.webhookEndpoint.findMany({ where: { id: { not: id } } })
  expect(others.length).toBeGreaterThan(0)
  for (const one of others) expect(createSecretBox(current).isCurrent(one.secret)).toBe(true)
})
