import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Answer, call, untilTaken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { auditCount, type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  // Enough room for twenty hashes to wait.
  market = await startMarketplace({ config: { argon2Concurrency: 2 } })
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'
const signIn = (credential: { clientId: string; password: string }) =>
  call(market, 'POST', '/v1/Auth', {
    body: { clientId: credential.clientId, password: credential.password },
  })
const installationsOf = (token: string) =>
  call(market, 'GET', '/v1/Developer/Installations', { token })

async function newDeveloper(name = 'Acme Tools') {
  const { status, body } = await operator('POST', 'Developers', { name })
  expect(status).toBe(201)
  return body
}

describe('a developer', () => {
  test('has at most 50 people', async () => {
    const { id: developerId } = await newDeveloper()
    const { db } = market.deps
    const people = await db.user.createManyAndReturn({
      data: Array.from({ length: 51 }, (_, n) => ({
        ...{ email: `staff-${n}@crowd.example`, name: 'Staff', passwordHash: 'x' },
      })),
    })
    const [first, ...others] = people.map(({ id: userId }) => ({ developerId, userId }))
    const data = others.map((one) => ({ ...one, role: 'member' as const }))
    await db.developerMember.createMany({ data })
    const add = () =>
      operator('POST', `Developers/${developerId}/Members`, {
        ...{ userId: first?.userId, role: 'member' },
      })
    expectProblem(await add(), 'conflict')
    await db.developerMember.deleteMany({ where: others[0] ?? {} })
    expect((await add()).status).toBe(201)
  })

  test('is made with a credential that works at once and a sandbox with products', async () => {
    const answer = await operator('POST', 'Developers', {
      name: '  Crème & Söhne  ',
      clientId: 'creme',
      password: 'a password of ours',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('location')).toBe(`/v1/Operator/Developers/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'Crème & Söhne',
      clientId: 'creme',
      password: null,
      sandboxPartyId: expect.any(Number),
    })
    const password = 'a password of ours'
    expect((await signIn({ clientId: 'creme', password })).status).toBe(200)
    const partyId = answer.body.sandboxPartyId
    expect(await market.deps.db.product.count({ where: { partyId } })).toBeGreaterThan(0)

    const read = await operator('GET', `Developers/${answer.body.id}`)
    expect(read.body).toEqual({
      id: answer.body.id,
      name: 'Crème & Söhne',
      sandboxPartyId: partyId,
      suspended: false,
      suspendedAt: null,
      suspendedReason: null,
      closedAt: null,
      credentials: [
        {
          id: expect.any(String),
          clientId: 'creme',
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: expect.stringMatching(/Z$/),
        },
      ],
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(read.text).not.toMatch(/password|argon2/)
  })

  test('gets a client id made from its name and a random password', async () => {
    const made = await newDeveloper('Größe & Co')
    expect(made.clientId).toMatch(/^gro-e-co-[0-9a-f]{8}$/)
    expect(made.password).toMatch(/^amkt_client_[\w-]{38}$/)
    expect((await signIn(made)).status).toBe(200)
  })

  test('every problem of the input is named at once, and nothing is made', async () => {
    const before = await auditCount(market)
    const answer = await operator('POST', 'Developers', {
      name: 'two\nlines',
      clientId: 'a b',
      password: 'short',
      id: NOBODY,
      sandboxPartyId: 1,
    })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([
      '/clientId',
      '/id',
      '/name',
      '/password',
      '/sandboxPartyId',
    ])
    expect(await auditCount(market)).toBe(before)
  })

  test.each([
    ['blank', ' \t '],
    ['too long', 'x'.repeat(201)],
    ['a control character', 'a\u0007b'],
    ['nothing to see', '\u200b\u2060'],
  ])('a name is refused: %s', async (_why, name) => {
    const answer = await operator('POST', 'Developers', { name })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/name'])
  })

  test('a password of 1,024 bytes is taken, one byte more is not', async () => {
    const password = 'ü'.repeat(512)
    const made = await operator('POST', 'Developers', { name: 'Long', password })
    expect(made.status).toBe(201)
    expect((await signIn({ clientId: made.body.clientId, password })).status).toBe(200)
    const longer = await operator('POST', 'Developers', { name: 'x', password: 'x'.repeat(1025) })
    expect(pointersOf(longer)).toEqual(['/password'])
  })

  test('twenty at once with one client id: one is made, without leftovers of the others', async () => {
    const parties = await market.deps.db.party.count()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        operator('POST', 'Developers', { name: 'Racer', clientId: 'racer' }),
      ),
    )
    expect(countOf(answers, 201)).toBe(1)
    // On a busy machine some wait too long for their hash.
    expect(countOf(answers, 409) + countOf(answers, 503)).toBe(19)
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toEqual(['/clientId'])
    }
    expect(await market.deps.db.party.count()).toBe(parties + 1)
    const { body } = await operator('GET', 'Developers?q=racer')
    expect(body).toHaveLength(1)
  })
})

describe('credentials', () => {
  test('a second one lives beside the first; the third is a conflict', async () => {
    const { id, ...first } = await newDeveloper()
    const second = await operator('POST', `Developers/${id}/Credentials`, {})
    expect(second.status).toBe(201)
    expect(second.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(second.body).sort()).toEqual([
      ...['clientId', 'createdAt', 'id', 'lastUsedAt', 'password'],
    ])
    expect((await signIn(first as typeof second.body)).status).toBe(200)
    expect((await signIn(second.body)).status).toBe(200)
    expectProblem(await operator('POST', `Developers/${id}/Credentials`, {}), 'conflict')
    const list = await operator('GET', `Developers/${id}/Credentials`)
    expect(list.body.map((one: { clientId: string }) => one.clientId)).toEqual([
      first.clientId,
      second.body.clientId,
    ])
    expect(list.text).not.toMatch(/password|argon2/)
  })

  test('twenty at once: never more than two live, and each answer of 201 has its entry', async () => {
    const { id } = await newDeveloper()
    const before = await auditCount(market)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        untilTaken(() => operator('POST', `Developers/${id}/Credentials`, {})),
      ),
    )
    expect(countOf(answers, 201)).toBe(1)
    expect(countOf(answers, 409)).toBe(19)
    const live = { developerId: id, removedAt: null }
    expect(await market.deps.db.developerCredential.count({ where: live })).toBe(2)
    expect(await auditCount(market)).toBe(before + 1)
  })

  test('the database itself refuses a third', async () => {
    const { id } = await newDeveloper()
    await operator('POST', `Developers/${id}/Credentials`, {})
    for (const slot of [1, 2, 3]) {
      const data = { developerId: id, clientId: `third-${slot}`, passwordHash: 'x', slot }
      await expect(market.deps.db.developerCredential.create({ data })).rejects.toThrow()
    }
  })

  test('removing one kills its tokens at the next request; the other goes on', async () => {
    const { id, ...first } = await newDeveloper()
    const second = (await operator('POST', `Developers/${id}/Credentials`, {})).body
    const firstToken = (await signIn(first as typeof second)).body.token
    const secondToken = (await signIn(second)).body.token
    const [credential] = (await operator('GET', `Developers/${id}/Credentials`)).body
    const path = `Developers/${id}/Credentials/${credential.id}`
    expect((await operator('DELETE', path)).status).toBe(204)

    expectProblem(await installationsOf(firstToken), 'invalid_token')
    expectProblem(await signIn(first as typeof second), 'invalid_credentials')
    expect((await installationsOf(secondToken)).status).toBe(200)
    expectProblem(await operator('DELETE', path), 'not_found')
  })

  test('a removed client id is never used again, its slot is free', async () => {
    const { id, clientId } = await newDeveloper()
    const [credential] = (await operator('GET', `Developers/${id}/Credentials`)).body
    await operator('DELETE', `Developers/${id}/Credentials/${credential.id}`)
    const again = await operator('POST', `Developers/${id}/Credentials`, { clientId })
    expectProblem(again, 'already_exists')
    expect(pointersOf(again)).toEqual(['/clientId'])
    expect((await operator('POST', `Developers/${id}/Credentials`, {})).status).toBe(201)
  })

  test('the last one may go: the developer is locked out until it gets a new one', async () => {
    const { id, ...first } = await newDeveloper()
    const [credential] = (await operator('GET', `Developers/${id}/Credentials`)).body
    await operator('DELETE', `Developers/${id}/Credentials/${credential.id}`)
    expect((await operator('GET', `Developers/${id}`)).body.credentials).toEqual([])
    expectProblem(
      await signIn(first as { clientId: string; password: string }),
      'invalid_credentials',
    )
    const renewed = (await operator('POST', `Developers/${id}/Credentials`, {})).body
    expect((await signIn(renewed)).status).toBe(200)
  })

  test('a credential is removed only under its own developer', async () => {
    const [one, other] = [await newDeveloper(), await newDeveloper()]
    const [credential] = (await operator('GET', `Developers/${one.id}/Credentials`)).body
    const path = `Developers/${other.id}/Credentials/${credential.id}`
    expectProblem(await operator('DELETE', path), 'not_found')
    expect((await signIn(one)).status).toBe(200)
  })
})

test.each([
  ['GET', `Developers/${NOBODY}`, undefined],
  ['GET', 'Developers/northwind', undefined],
  ['GET', `Developers/${NOBODY}/Credentials`, undefined],
  ['POST', `Developers/${NOBODY}/Credentials`, {}],
  ['DELETE', `Developers/${NOBODY}/Credentials/${NOBODY}`, undefined],
])('there is nothing at %s %s', async (method, path, body) => {
  expectProblem(await operator(method, path, body), 'not_found')
})

describe('the list of developers', () => {
  test('comes in pages that together are the whole, in the order of creation', async () => {
    const all = (await operator('GET', 'Developers')).body.map((one: { id: string }) => one.id)
    const seen: string[] = []
    let path = 'Developers?limit=3'
    for (;;) {
      const { body, headers } = await operator('GET', path)
      seen.push(...body.map((one: { id: string }) => one.id))
      const next = /\/v1\/Operator\/([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (next === undefined) break
      path = next
    }
    expect(seen).toEqual(all)
    expect(all.length).toBeGreaterThan(6)
  })

  test('a search takes % and _ for what they are', async () => {
    await newDeveloper('100% Tools_')
    const found = async (q: string) =>
      (await operator('GET', `Developers?q=${encodeURIComponent(q)}`)).body.map(
        (one: { name: string }) => one.name,
      )
    expect(await found('0% tools_')).toEqual(['100% Tools_'])
    expect(await found('_%_')).toEqual([])
    expect(await found('NORTHWIND')).toEqual(['Northwind Tools'])
  })
})

function countOf(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length
}
