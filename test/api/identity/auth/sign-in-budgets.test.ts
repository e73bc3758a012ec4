import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { ageFailures, ask } from '../../../setup/limits.ts'

const PER_ID = 10
const PER_ADDRESS = 100
const from = '192.0.2.1'

let market: TestMarketplace
let clientId: string
let password: string
beforeAll(async () => {
  market = await startMarketplace()
  const chosen = { name: 'A', password: 'a chosen password' }
  ;({ clientId, password } = await createDeveloper(market.deps, chosen))
})
afterAll(() => market.close())
beforeEach(() => market.deps.pool.query('DELETE FROM login_failures'))

const signIn = (given = password) =>
  ask(market.app, '/v1/Auth', { method: 'POST', from, body: { clientId, password: given } })

test('the minute begins with the first wrong password, whenever a right one came', async () => {
  expect((await signIn()).status).toBe(200)
  await ageFailures(market, 50)
  for (let count = 0; count < PER_ID; count++) expect((await signIn('wrong')).status).toBe(401)
  await ageFailures(market, 20)
  expectProblem(await signIn(), 'too_many_requests')
  await ageFailures(market, 41)
  expect((await signIn()).status).toBe(200)
})

test('what was counted while the clock of Postgres was hours ahead is forgotten', async () => {
  for (let count = 0; count < PER_ID; count++) expect((await signIn('wrong')).status).toBe(401)
  expectProblem(await signIn(), 'too_many_requests')
  await ageFailures(market, -6 * 3600)
  expect((await signIn()).status).toBe(200)
  for (let count = 0; count < PER_ID; count++) expect((await signIn('wrong')).status).toBe(401)
  await ageFailures(market, 61)
  expect((await signIn()).status).toBe(200)
})

test('requests for new passwords from an address keep nobody there from signing in', async () => {
  const forget = (index: number) => {
    const body = { email: `user-${index}@example.com` }
    return ask(market.app, '/v1/Account/PasswordReset', { method: 'POST', from, body })
  }
  for (let index = 0; index < PER_ADDRESS; index++) expect((await forget(index)).status).toBe(202)
  expectProblem(await forget(PER_ADDRESS), 'too_many_requests')
  expect((await signIn()).status).toBe(200)
})
