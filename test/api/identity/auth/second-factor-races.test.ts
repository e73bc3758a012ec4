import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { codeOf } from '../../../setup/second-factor.ts'
import { untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Whoever has tried to count a code stops there until `release`. */
async function holdCounting() {
  const client = await market.deps.pool.connect()
  await client.query(`
    CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
    CREATE TRIGGER stop_here AFTER UPDATE ON second_factors
      FOR EACH STATEMENT EXECUTE FUNCTION stop_here();
    SELECT pg_advisory_lock(1)`)
  return {
    query: (sql: string, values: unknown[]) => client.query(sql, values),
    async release() {
      await client.query('SELECT pg_advisory_unlock(1)')
      client.release()
    },
  }
}

test('a code that comes while the factor is being turned on is no code too many', async () => {
  const { user } = await newCustomer(market)
  const token = await accountToken(market, user)
  const send = (path: string, body: object) =>
    call(market, 'POST', `/v1/Account/SecondFactor${path}`, { token, body })
  const { secret } = (await send('', { password: user.password })).body
  const held = await holdCounting()
  const removed = send('/Remove', { otp: codeOf(market, secret) })
  try {
    await untilWaiting(market, 1)
    await held.query('UPDATE second_factors SET confirmed_at = now() WHERE user_id = $1', [user.id])
  } finally {
    await held.release()
  }
  expect((await removed).status).toBe(204)
})
