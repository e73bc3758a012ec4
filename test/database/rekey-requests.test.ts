import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/base/secrets/secret-box.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { acceptInstallRequest } from '../../src/marketplace/installations/requests/decide-request-service.ts'
import { rekeyTable } from '../../src/operation/re-encryption/rekey-pass-service.ts'
import { rekeySecrets } from '../../src/operation/re-encryption/rekey-service.ts'
import { SEALED_TABLES } from '../../src/operation/re-encryption/sealed-tables.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { call } from '../setup/client.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../setup/customer.ts'

let market: TestMarketplace
let former: string
beforeAll(async () => {
  market = await startMarketplace()
  former = market.deps.secretKey
})
afterAll(() => market.close())

const newKey = () => randomBytes(32).toString('base64')

async function waitingRequest() {
  const { party, user, token } = await newCustomer(market)
  const app = await listedApp(await author(market), fullDraft())
  const made = await call(market, 'POST', `/v1/Account/Parties/${party.id}/InstallRequests`, {
    token,
    body: { appId: app.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  return { userId: user.id, partyId: party.id, requestId: made.body.id as string }
}

test('a request is accepted with the new key alone; a locked row is done later', async () => {
  const { deps } = market
  const { db, pool } = deps
  const { userId, ...asked } = await waitingRequest()
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM install_requests FOR UPDATE')
  const held = await rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES.installRequests)
  await holder.query('COMMIT')
  holder.release()
  expect(held).toEqual({ done: 0, left: 1, unreadable: [] })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ installRequests: 1 })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ installRequests: 0 })
  const alone = { ...deps, secrets: createSecretBox(current) }
  const actor = { kind: 'user', id: userId, address: null } as const
  const accepted = await acceptInstallRequest(alone, { userId, actor }, asked)
  expect(accepted.status).toBe('accepted')
})

test('one that no key opens is named', async () => {
  const { db } = market.deps
  const { requestId } = await waitingRequest()
  const passwords = new Uint8Array(createSecretBox(newKey()).encrypt(Buffer.from('x'), 'anything'))
  await db.installRequest.update({ where: { id: requestId }, data: { passwords } })
  const failure = rekeyTable(
    { db, secrets: createSecretBox(newKey()) },
    SYSTEM,
    SEALED_TABLES.installRequests,
  )
  expect((await failure).unreadable).toEqual([`passwords of the install request ${requestId}`])
  const secrets = createSecretBox(newKey(), former)
  await expect(rekeySecrets({ db, secrets }, SYSTEM)).rejects.toThrow(SecretBoxError)
})
