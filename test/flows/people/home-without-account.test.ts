import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** What the start page says to a new user without an account. */
async function homeOf(role: object): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const user = await createUser(market.deps, { email, name: 'Nobody Yet', ...role })
  const { text } = await (await signedIn(market, user)).get('/')
  return text.split('<main')[1] ?? ''
}

test('who works in a console reads on the start page that it needs no account, and finds the console', async () => {
  const operator = await homeOf({ operator: true })
  expect(operator).toContain('Operators do not need one.')
  expect(operator).toContain('<a class="button" href="/Operator">Run the marketplace</a>')

  const support = await homeOf({ support: true })
  expect(support).toContain('Support does not need one.')
  expect(support).toContain('<a class="button" href="/Operator">Operator console</a>')

  const developers = await market.deps.db.developer.findMany({ take: 1 })
  const { browser } = await developerPerson(market, 'owner', developers)
  const { text } = await browser.get('/')
  expect(text).toContain('Developers do not need one.')
  expect(text).toContain('<a class="button" href="/Developer">Developer console</a>')
  expect(text).not.toContain('Ask the operator')
})

test('everybody else without an account reads whom to ask', async () => {
  expect(await homeOf({})).toMatch(/You do not belong to an account yet.*Ask the operator/s)
})
