import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { forgetOldLinks } from '../../../../src/identity/links/link-tokens-service.ts'
import { createPasswordReset } from '../../../../src/identity/people/password-resets-service.ts'
import { TIDYING } from '../../../../src/process/start/job-kinds.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { newAddress } from '../../../setup/people.ts'
import { waitUntil } from '../../../setup/server-process.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('a server forgets by itself the links and the events that are old', async () => {
  const tidy = await startMarketplace({ background: {} })
  onTestFinished(() => tidy.close())
  const { db } = tidy.deps
  const { id: userId } = await createUser(tidy.deps, { email: newAddress(), name: 'Fay' })
  await createPasswordReset(tidy.deps, userId, SYSTEM)
  const left = async () => [await db.linkToken.count(), await db.event.count()]
  const [links = 0, events = 0] = await left()
  expect([links > 0, events > 0]).toEqual([true, true])
  tidy.advance(31 * 86_400)
  await tidy.deps.jobs.ask(TIDYING, {})
  await waitUntil(async () => (await left()).every((count) => count === 0))
})

test('a link that ran out is kept for 30 days, which limits count, and then forgotten', async () => {
  const { id: userId } = await createUser(market.deps, { email: newAddress(), name: 'Fay' })
  await createPasswordReset(market.deps, userId, SYSTEM)
  const keptAfter = async (seconds: number) => {
    market.advance(seconds)
    await forgetOldLinks(market.deps)
    return market.deps.db.linkToken.count({ where: { userId } })
  }
  expect(await keptAfter(30 * 86_400)).toBe(1)
  expect(await keptAfter(31 * 60)).toBe(0)
})
