import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import {
  familiarKey,
  rememberNetwork,
} from '../../../../src/identity/auth/familiar-networks-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { newAddress } from '../../../setup/people.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const newUser = () => createUser(market.deps, { email: newAddress(), name: 'Fay' })
const isFamiliar = async (id: string, address: string, kind: 'user' | 'developer' = 'user') =>
  (await familiarKey(market.deps, { kind, id, address })) !== undefined
const remember = (id: string, address: string) =>
  rememberNetwork(market.deps, { kind: 'user', id, address })
/** As if all networks had been used so many days before. */
const age = (days: number) =>
  market.deps.pool.query(
    'UPDATE familiar_networks SET last_used_at = last_used_at - make_interval(days => $1)',
    [days],
  )
const count = () => market.deps.db.familiarNetwork.count()

describe('a network is familiar', () => {
  test('after a sign-in that succeeded, to that user only', async () => {
    const [user, other] = [await newUser(), await newUser()]
    expect(await isFamiliar(user.email, '127.0.0.1')).toBe(false)
    await accountToken(market, user)
    expect(await isFamiliar(user.email, '127.0.0.1')).toBe(true)
    expect(await isFamiliar(user.email, '203.0.113.9')).toBe(false)
    expect(await isFamiliar(other.email, '127.0.0.1')).toBe(false)
    expect(await isFamiliar(user.email, '127.0.0.1', 'developer')).toBe(false)
  })

  test('after a developer signed in with a password that was chosen', async () => {
    const chosen = { name: randomUUID(), password: 'seven quiet herons' }
    const { clientId, password } = await createDeveloper(market.deps, chosen)
    await call(market, 'POST', '/v1/Auth', { body: { clientId, password: 'a wrong password' } })
    expect(await isFamiliar(clientId, '127.0.0.1', 'developer')).toBe(false)
    await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    expect(await isFamiliar(clientId, '127.0.0.1', 'developer')).toBe(true)
  })

  test('never after a wrong password, nor to who is nobody', async () => {
    const user = await newUser()
    const before = await count()
    for (const email of [user.email, newAddress()]) {
      const body = { email, password: 'a wrong password' }
      expect((await call(market, 'POST', '/v1/Account/Auth', { body })).status).toBe(401)
      expect(await isFamiliar(email, '127.0.0.1')).toBe(false)
    }
    expect(await count()).toBe(before)
  })

  test('with all addresses of an IPv6 site', async () => {
    const id = randomUUID()
    await remember(id, '2001:db8:1:2::1')
    expect(await isFamiliar(id, '2001:db8:1:2:ffff::9')).toBe(true)
    expect(await isFamiliar(id, '2001:db9:1:2::1')).toBe(false)
  })

  test('for six weeks after it was used last', async () => {
    const id = randomUUID()
    await remember(id, '203.0.113.1')
    await age(41)
    expect(await isFamiliar(id, '203.0.113.1')).toBe(true)
    await remember(id, '203.0.113.1')
    await age(41)
    expect(await isFamiliar(id, '203.0.113.1')).toBe(true)
    await age(2)
    expect(await isFamiliar(id, '203.0.113.1')).toBe(false)
  })
})

describe('what is kept of networks', () => {
  test('is no address and no name', async () => {
    const user = await newUser()
    await accountToken(market, user)
    const { rows } = await market.deps.pool.query('SELECT f::text FROM familiar_networks f')
    const text = JSON.stringify(rows)
    expect(text).not.toContain('127.0.0')
    expect(text).not.toContain(user.email)
  })

  test('is written once a day', async () => {
    const id = randomUUID()
    const xmin = async () =>
      (
        await market.deps.pool.query(
          'SELECT max(xmin::text::bigint) AS last FROM familiar_networks',
        )
      ).rows[0]?.last
    await remember(id, '203.0.113.2')
    const before = await xmin()
    await remember(id, '203.0.113.2')
    expect(await xmin()).toBe(before)
    await age(2)
    const aged = await xmin()
    await remember(id, '203.0.113.2')
    expect(await xmin()).not.toBe(aged)
  })

  test('is at most twenty networks of one user: those that were used last', async () => {
    const id = randomUUID()
    for (let network = 1; network <= 25; network++) {
      await remember(id, `198.51.${network}.1`)
      await market.deps.pool.query(
        "UPDATE familiar_networks SET last_used_at = last_used_at - interval '1 minute'",
      )
    }
    const familiar = await Promise.all(
      Array.from({ length: 25 }, (_, index) => isFamiliar(id, `198.51.${index + 1}.1`)),
    )
    expect(familiar).toEqual(Array.from({ length: 25 }, (_, index) => index >= 5))
  })

  test('goes when it is too old, whoever signs in', async () => {
    await remember(randomUUID(), '203.0.113.3')
    await age(43)
    await remember(randomUUID(), '203.0.113.4')
    expect(await count()).toBe(1)
  })

  test('goes with the user', async () => {
    const operator = await operatorCalls(market)
    const user = await newUser()
    await accountToken(market, user)
    expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
    expect(await isFamiliar(user.email, '127.0.0.1')).toBe(false)
  })
})
