import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  accountToken,
  call,
  demoInstallation,
  installationToken,
  untilTaken,
} from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import {
  auditCount,
  type OperatorCalls,
  operatorCalls,
  operatorWithCode,
} from '../../../setup/operator.ts'
import { redirectToken } from '../../../setup/redirect.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace({ config: { argon2Concurrency: 2 } })
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'
const account = (token: string) => call(market, 'GET', '/v1/Account', { token })

let made = 0
async function newUser(fields: object = {}) {
  made += 1
  const body = { email: `user${made}@example.com`, name: 'Some Body', partyIds: [], ...fields }
  const answer = await operator('POST', 'Users', body)
  expect(answer.status).toBe(201)
  return answer.body
}

describe('a party', () => {
  test('is made as a Buyer or a Seller and can be read', async () => {
    const answer = await operator('POST', 'Parties', { name: ' Corner Shop ', type: 'Buyer' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'Corner Shop',
      type: 'Buyer',
      suspended: false,
      suspendedAt: null,
      suspendedReason: null,
      closedAt: null,
      createdAt: expect.any(String),
    })
    expect(answer.headers.get('location')).toBe(`/v1/Operator/Parties/${answer.body.id}`)
    expect((await operator('GET', `Parties/${answer.body.id}`)).body).toEqual(answer.body)
    expect((await operator('GET', 'Parties?q=corner&type=Buyer')).body).toEqual([answer.body])
  })

  test('a sandbox is made with its developer only', async () => {
    const answer = await operator('POST', 'Parties', { name: '', type: 'None', id: 1 })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/id', '/name', '/type'])
  })

  test.each(['0', '-1', '1.5', 'x', '2147483648', '99999'])(
    'there is none with the id %s',
    async (id) => {
      expectProblem(await operator('GET', `Parties/${id}`), 'not_found')
    },
  )
})

describe('a user', () => {
  test('is made with its email in normal form and signs in with it', async () => {
    const [partyId] = market.demo.users.map((user) => user.partyId)
    const user = await newUser({
      email: '  Ann.Example@EXAMPLE.com ',
      partyIds: [partyId, partyId],
    })
    expect(user).toEqual({
      id: expect.any(String),
      email: 'ann.example@example.com',
      emailProved: true,
      name: 'Some Body',
      operator: false,
      support: false,
      partyIds: [partyId],
      memberships: [{ partyId, role: 'admin' }],
      suspended: false,
      suspendedAt: null,
      suspendedReason: null,
      createdAt: expect.any(String),
      password: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect((await account(await accountToken(market, user))).status).toBe(200)
    const read = await operator('GET', `Users/${user.id}`)
    const { password: _password, ...record } = user
    expect(read.body).toEqual(record)
    expect((await operator('GET', 'Users?q=ANN.example')).body).toEqual([record])
    expect((await operator('GET', `Users?partyId=${partyId}`)).body).toContainEqual(record)
  })

  test('every problem of the input is named at once', async () => {
    const answer = await operator('POST', 'Users', {
      email: 'nobody',
      name: '',
      password: 'x',
      partyIds: [0],
      passwordHash: 'x',
      tokenGeneration: 7,
    })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([
      '/email',
      '/name',
      '/partyIds/0',
      '/password',
      '/passwordHash',
      '/tokenGeneration',
    ])
    const missing = await operator('POST', 'Users', {})
    expectProblem(missing, 'invalid_request')
    expect(pointersOf(missing)).toEqual(['/email', '/name', '/partyIds'])
  })

  test('each unknown party is named, and nothing is made', async () => {
    const before = await auditCount(market)
    const body = { email: 'x@example.com', name: 'X', partyIds: [1, 999_998, 999_999] }
    const answer = await operator('POST', 'Users', body)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/partyIds/1', '/partyIds/2'])
    expect(await auditCount(market)).toBe(before)
  })

  test('twenty at once with one email in many spellings: one is made', async () => {
    const before = await auditCount(market)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        operator('POST', 'Users', {
          email: index % 2 === 0 ? 'Racer@Example.com' : ' racer@example.COM',
          name: 'Racer',
          partyIds: [],
        }),
      ),
    )
    const countOf = (status: number) => answers.filter((one) => one.status === status).length
    expect(countOf(201)).toBe(1)
    // On a busy machine some wait too long for their hash.
    expect(countOf(409) + countOf(503)).toBe(19)
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toEqual(['/email'])
    }
    expect(await market.deps.db.user.count({ where: { email: 'racer@example.com' } })).toBe(1)
    expect(await auditCount(market)).toBe(before + 1)
  })
})

describe('a new password', () => {
  let careful: OperatorCalls
  beforeAll(async () => {
    careful = (await operatorWithCode(market)).calls
  })

  test('ends sessions and tokens, and is the only one that works', async () => {
    const user = await newUser({ partyIds: [demoUser(market, 'Seller').partyId] })
    const token = await accountToken(market, user)
    const browser = await signedIn(market, user)
    expect((await browser.get('/')).text).toContain('Some Body')

    const answer = await careful('PUT', `Users/${user.id}/Password`, { password: 'brand new one' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({ id: user.id, email: user.email, password: null })
    expectProblem(await account(token), 'invalid_token')
    expect((await browser.get('/')).text).not.toContain('Some Body')
    expect(await market.deps.db.session.count({ where: { userId: user.id } })).toBe(0)
    const former = await call(market, 'POST', '/v1/Account/Auth', {
      body: { email: user.email, password: user.password },
    })
    expectProblem(former, 'invalid_credentials')
    const renewed = { email: user.email, password: 'brand new one' }
    expect((await account(await accountToken(market, renewed))).status).toBe(200)
  })

  test('is made when none is given', async () => {
    const user = await newUser()
    const { body } = await careful('PUT', `Users/${user.id}/Password`, {})
    expect(body.password).toMatch(/^[\w-]{32}$/)
    expect((await account(await accountToken(market, body))).status).toBe(200)
  })

  test('a weak one changes nothing', async () => {
    const user = await newUser()
    const answer = await careful('PUT', `Users/${user.id}/Password`, { password: 'weak', x: 1 })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/password', '/x'])
    expect((await account(await accountToken(market, user))).status).toBe(200)
    expectProblem(await careful('PUT', `Users/${NOBODY}/Password`, {}), 'not_found')
  })
})

describe('a membership', () => {
  test('opens a party to a user, once', async () => {
    const user = await newUser()
    const membership = { userId: user.id, partyId: demoUser(market, 'Buyer').partyId }
    const answer = await operator('POST', 'Memberships', membership)
    const made = { ...membership, role: 'admin' }
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 201, body: made })
    expectProblem(await operator('POST', 'Memberships', membership), 'already_exists')
    expect((await operator('GET', `Users/${user.id}`)).body.partyIds).toEqual([membership.partyId])
  })

  test('unknown user and unknown party are named together', async () => {
    const answer = await operator('POST', 'Memberships', { userId: NOBODY, partyId: 999_999 })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/partyId', '/userId'])
  })

  test("its end ends the tokens that the user got for the party's installations", async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const user = await newUser({ partyIds: [partyId] })
    const token = await redirectToken(market, id, user.id)
    const profile = () => call(market, 'GET', '/v1/User/Profile', { token })
    expect((await profile()).status).toBe(200)
    expect((await operator('DELETE', `Memberships/${user.id}/${partyId}`)).status).toBe(204)
    expectProblem(await profile(), 'invalid_token')
    expectProblem(await operator('DELETE', `Memberships/${user.id}/${partyId}`), 'not_found')
  })
})

describe('a connection', () => {
  test('shows the products of a Seller to a Buyer, and its end hides them', async () => {
    const buyerId = demoUser(market, 'Buyer').partyId
    const sellerId = demoUser(market, 'Seller', 1).partyId
    const token = await installationToken(market, demoInstallation(market, 'stock-watch', 'Buyer'))
    const visible = async () => (await call(market, 'GET', '/v1/Products', { token })).body.length
    const before = await visible()
    const answer = await operator('POST', 'Connections', { buyerId, sellerId })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: { buyerId, sellerId },
    })
    expect(await visible()).toBeGreaterThan(before)
    expectProblem(await operator('POST', 'Connections', { buyerId, sellerId }), 'already_exists')
    expect((await operator('GET', `Connections?sellerId=${sellerId}`)).body).toEqual([
      { buyerId, sellerId },
    ])
    expect((await operator('DELETE', `Connections/${buyerId}/${sellerId}`)).status).toBe(204)
    expect(await visible()).toBe(before)
    expectProblem(await operator('DELETE', `Connections/${buyerId}/${sellerId}`), 'not_found')
  })

  test('the wrong way round names both ends', async () => {
    const buyerId = demoUser(market, 'Seller').partyId
    const sellerId = demoUser(market, 'Buyer').partyId
    const answer = await operator('POST', 'Connections', { buyerId, sellerId })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/buyerId', '/sellerId'])
  })

  test('an unknown party is said to be unknown', async () => {
    const sellerId = demoUser(market, 'Seller').partyId
    const answer = await operator('POST', 'Connections', { buyerId: 99_999, sellerId })
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toEqual([{ pointer: '/buyerId', detail: 'There is no such party.' }])
  })

  test('twenty at once: one is made, with one entry for each of the two', async () => {
    const buyer = (await operator('POST', 'Parties', { name: 'B', type: 'Buyer' })).body
    const seller = (await operator('POST', 'Parties', { name: 'S', type: 'Seller' })).body
    const before = await auditCount(market)
    const body = { buyerId: buyer.id, sellerId: seller.id }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => untilTaken(() => operator('POST', 'Connections', body))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect(await auditCount(market)).toBe(before + 2)
  })

  test('the list comes in pages', async () => {
    const all = (await operator('GET', 'Connections')).body
    expect(all.length).toBeGreaterThan(1)
    const first = await operator('GET', 'Connections?limit=1')
    const next = /\/v1\/Operator\/([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await operator('GET', next)
    expect([...first.body, ...second.body]).toEqual(all.slice(0, 2))
  })
})
