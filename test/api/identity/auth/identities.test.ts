import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { userOfIdentity } from '../../../../src/identity/single-sign-on/identity-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

const ADDRESS = '192.0.2.1'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('a person who is linked to one user at this moment is not signed in as another', async () => {
  const { deps } = market
  const { db } = deps
  const [one, another] = await Promise.all(
    ['one', 'another'].map((name) =>
      createUser(deps, { email: `${name}-${randomUUID()}@example.com`, name }),
    ),
  )
  if (one === undefined || another === undefined) throw new Error('two users were not made')
  const person = { issuer: 'https://login.example.com', subject: randomUUID() }
  const said = { email: 'invited@example.com', name: undefined, isEmailVerified: true }
  const identity = { ...person, ...said }
  // The invitation of the email makes a user while the person is linked to somebody else.
  const accept = async () => {
    await db.userIdentity.create({ data: { ...person, userId: one.id } })
    return db.user.findUniqueOrThrow({ where: { id: another.id } })
  }
  const signIn = () => userOfIdentity(deps, identity, ADDRESS, accept)
  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_refused' })
  expect((await signIn()).id).toBe(one.id)
})

test('who came by single sign-on gives the password again where there is no provider any more', async () => {
  const { deps } = market
  const user = demoUser(market, 'Seller')
  const { id: userId } = await deps.db.user.findUniqueOrThrow({ where: { email: user.email } })
  const data = { issuer: 'https://former.example.com', subject: randomUUID(), userId }
  await deps.db.userIdentity.create({ data })
  const page = (await (await signedIn(market, user)).get('/Account/SecondFactor')).text
  expect(page).toContain('You will need your password and a code')
  expect(page).toContain('name="currentPassword"')
})
