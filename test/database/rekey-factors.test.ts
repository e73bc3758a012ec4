import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/base/secrets/secret-box.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { checkFactor } from '../../src/identity/auth/second-factor/check-factor-service.ts'
import { rekeyTable } from '../../src/operation/re-encryption/rekey-pass-service.ts'
import { rekeySecrets } from '../../src/operation/re-encryption/rekey-service.ts'
import { SEALED_TABLES } from '../../src/operation/re-encryption/sealed-tables.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { newCustomer } from '../setup/customer.ts'
import { enrol, nextCode } from '../setup/second-factor.ts'

let market: TestMarketplace
let former: string
beforeAll(async () => {
  market = await startMarketplace()
  former = market.deps.secretKey
})
afterAll(() => market.close())

const newKey = () => randomBytes(32).toString('base64')

test('a second factor works with the new key alone; a locked row is done later', async () => {
  const { deps } = market
  const { db, pool } = deps
  const { user } = await newCustomer(market)
  const { secret } = await enrol(market, user)
  const current = newKey()
  const secrets = createSecretBox(current, former)
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM second_factors FOR UPDATE')
  const held = await rekeyTable({ db, secrets }, SYSTEM, SEALED_TABLES.secondFactors)
  await holder.query('COMMIT')
  holder.release()
  expect(held).toEqual({ done: 0, left: 1, unreadable: [] })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ secondFactors: 1 })
  expect(await rekeySecrets({ db, secrets }, SYSTEM)).toMatchObject({ secondFactors: 0 })
  const alone = { ...deps, secrets: createSecretBox(current) }
  expect(await checkFactor(alone, user.id, nextCode(market, secret), SYSTEM)).toBe(true)
  former = current
})

test('a secret that no key opens is named, and all others are re-encrypted', async () => {
  const { db } = market.deps
  const { userId } = await db.secondFactor.findFirstOrThrow()
  const secret = new Uint8Array(createSecretBox(newKey()).encrypt(Buffer.from('x'), 'anything'))
  await db.secondFactor.update({ where: { userId }, data: { secret } })
  const secrets = createSecretBox(newKey(), former)
  const failure = rekeySecrets({ db, secrets }, SYSTEM)
  await expect(failure).rejects.toThrow(SecretBoxError)
  await expect(failure).rejects.toThrow(`second factor of ${userId}`)
})
