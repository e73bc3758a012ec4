import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, COMMAND_LINE } from '../../../../src/base/values/actor.ts'
import { changeUser, createUser } from '../../../../src/identity/accounts/users-service.ts'
import {
  resume,
  suspend,
} from '../../../../src/marketplace/suspension/suspend-and-resume-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { auditCount, type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
let operatorId: string
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  const { email } = market.demo.operator
  operatorId = (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).id
})
afterAll(() => market.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'

let made = 0
async function newUser(isOperator = false) {
  made += 1
  const input = { email: `changed${made}@example.com`, name: 'Some Body', operator: isOperator }
  return createUser(market.deps, input)
}

const lastEntry = async () => (await operator('GET', 'Audit?limit=1')).body[0]

describe('a name', () => {
  async function things(): Promise<[kind: string, path: string][]> {
    const party = (await operator('POST', 'Parties', { name: 'Old', type: 'Buyer' })).body
    const developer = (await operator('POST', 'Developers', { name: 'Old' })).body
    const user = (await operator('POST', 'Users', { ...named, partyIds: [] })).body
    return [
      ['party', `Parties/${party.id}`],
      ['developer', `Developers/${developer.id}`],
      ['user', `Users/${user.id}`],
    ]
  }
  const named = { email: 'old@example.com', name: 'Old' }

  test('is corrected, with an entry that has both; the same once more changes nothing', async () => {
    for (const [kind, path] of await things()) {
      const before = (await operator('GET', path)).body
      const answer = await operator('PATCH', path, { name: ' New Name ' })
      expect([answer.status, answer.body]).toEqual([200, { ...before, name: 'New Name' }])
      expect((await operator('GET', path)).body).toEqual(answer.body)
      expect(await lastEntry()).toMatchObject({
        action: `${kind}.changed`,
        actor: { kind: 'operator', id: operatorId },
        subject: { kind, id: String(before.id) },
        before: { name: 'Old' },
        after: { name: 'New Name' },
      })
      const count = await auditCount(market)
      expect((await operator('PATCH', path, { name: 'New Name' })).status).toBe(200)
      expect(await auditCount(market)).toBe(count)
    }
  })

  test('follows the rules of a new one, and unknown properties are named', async () => {
    const { id } = await newUser()
    const partyId = market.demo.users[0]?.partyId
    const [developer] = (await operator('GET', 'Developers?limit=1')).body
    const count = await auditCount(market)
    for (const path of [`Parties/${partyId}`, `Developers/${developer.id}`, `Users/${id}`]) {
      for (const name of ['', '  ', 'x'.repeat(201), 'a\nb', '\u200b']) {
        const answer = await operator('PATCH', path, { name })
        expectProblem(answer, 'unprocessable')
        expect(pointersOf(answer)).toEqual(['/name'])
      }
      const unknown = await operator('PATCH', path, {
        name: 'X',
        id: 1,
        type: 'Seller',
        email: 'x',
      })
      expectProblem(unknown, 'invalid_request')
      expect(pointersOf(unknown)).toEqual(['/email', '/id', '/type'])
      for (const body of [{ name: null }, { name: 1 }, []]) {
        expectProblem(await operator('PATCH', path, body), 'invalid_request')
      }
    }
    expectProblem(await operator('PATCH', `Parties/${partyId}`, {}), 'invalid_request')
    expectProblem(await operator('PATCH', `Users/${id}`, {}), 'invalid_request')
    expectProblem(await operator('PATCH', `Users/${id}`, { operator: 'yes' }), 'invalid_request')
    expect(await auditCount(market)).toBe(count)
  })

  test('of what there is not is changed nowhere', async () => {
    for (const path of ['Parties/999999', `Developers/${NOBODY}`, `Users/${NOBODY}`, 'Users/x']) {
      expectProblem(await operator('PATCH', path, { name: 'X' }), 'not_found')
    }
  })

  test('of a developer is that of its sandbox, unless the sandbox has one of its own', async () => {
    const { id, sandboxPartyId } = (await operator('POST', 'Developers', { name: 'Boxed' })).body
    const sandbox = async () => (await operator('GET', `Parties/${sandboxPartyId}`)).body.name
    await operator('PATCH', `Developers/${id}`, { name: 'Unboxed' })
    expect(await sandbox()).toBe('Unboxed (sandbox)')
    await operator('PATCH', `Parties/${sandboxPartyId}`, { name: 'Playground' })
    await operator('PATCH', `Developers/${id}`, { name: 'Boxed again' })
    expect(await sandbox()).toBe('Playground')
  })
})

describe('the operator flag', () => {
  const flag = (id: string, value: boolean) => operator('PATCH', `Users/${id}`, { operator: value })

  test('counts from the next request on, for tokens and sessions that there are', async () => {
    const user = await newUser()
    const token = await accountToken(market, user)
    const browser = await signedIn(market, user)
    const asked = async () => [
      (await call(market, 'GET', '/v1/Operator/Parties', { token })).status,
      (await browser.get('/Operator')).status,
      (await call(market, 'GET', '/v1/Account', { token })).status,
    ]
    expect(await asked()).toEqual([403, 404, 200])
    expect((await flag(user.id, true)).body).toMatchObject({ operator: true, name: 'Some Body' })
    expect(await lastEntry()).toMatchObject({
      action: 'user.changed',
      before: { operator: false },
      after: { operator: true },
    })
    expect(await asked()).toEqual([200, 200, 200])
    expect((await flag(user.id, false)).body.operator).toBe(false)
    expect(await asked()).toEqual([403, 404, 200])
  })

  test('is not taken from oneself, whoever else is an operator', async () => {
    const other = await newUser(true)
    const count = await auditCount(market)
    const answer = await operator('PATCH', `Users/${operatorId.toUpperCase()}`, {
      name: 'Other',
      operator: false,
    })
    expectProblem(answer, 'operator_needed')
    expect(pointersOf(answer)).toEqual(['/operator'])
    expect(await auditCount(market)).toBe(count)
    expect((await flag(operatorId, true)).status).toBe(200)
    expect((await flag(other.id, false)).status).toBe(200)
  })

  const actorOf = (id: string): Actor => ({ kind: 'operator', id, address: null })
  const demote = (id: string, by: string) =>
    changeUser(market.deps, id, { operator: false }, actorOf(by))
  const stop = (id: string, by: string) =>
    suspend(market.deps, 'user', id, { reason: 'Both.' }, actorOf(by))

  test('is nobody’s once the command line has suspended the last: it makes new ones', async () => {
    const state = await suspend(market.deps, 'user', operatorId, { reason: 'Left.' }, COMMAND_LINE)
    expect(state.suspended).toBe(true)
    await resume(market.deps, 'user', operatorId, COMMAND_LINE)
    expect((await operator('GET', `Users/${operatorId}`)).body.suspended).toBe(false)
  })

  test.each([
    ['demote each other', demote, demote],
    ['suspend each other', stop, stop],
    ['stop each other in two ways', demote, stop],
  ])('stays with one of two who %s at the same moment', async (_how, one, another) => {
    const { id } = await newUser(true)
    const operators = { operator: true, suspendedAt: null }
    const results = await Promise.allSettled([one(id, operatorId), another(operatorId, id)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [failed] = results.flatMap((result) => ('reason' in result ? [result.reason] : []))
    expect(failed.code).toBe('operator_needed')
    expect(await market.deps.db.user.count({ where: operators })).toBe(1)
    const rest = { operator: false, suspendedAt: null, suspendedReason: null }
    await market.deps.db.user.update({ where: { id }, data: rest })
    await market.deps.db.user.update({
      where: { id: operatorId },
      data: { ...rest, operator: true },
    })
  })

  test('can be taken from an operator who is suspended already', async () => {
    const { id } = await newUser(true)
    await operator('POST', `Users/${id}/Suspend`, { reason: 'Gone.' })
    expect((await flag(id, false)).body).toMatchObject({ operator: false, suspended: true })
  })

  test('is given by operators only', async () => {
    const token = await accountToken(market, demoUser(market, 'Seller'))
    const id = (await call(market, 'GET', '/v1/Account', { token })).body.id
    const answer = await call(market, 'PATCH', `/v1/Operator/Users/${id}`, {
      token,
      body: { operator: true },
    })
    expectProblem(answer, 'operator_required')
  })
})
