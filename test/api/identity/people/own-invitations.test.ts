import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, developerToken, userToken } from '../../../setup/client.ts'
import { newMember } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept, newAddress } from '../../../setup/people.ts'

const PASSWORD = 'correct horse battery'

let market: TestMarketplace
let operator: OperatorCalls
let partyId: number
let developerId: string
let admin: string
let developer: string
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  partyId = market.demo.users[0]?.partyId ?? 0
  admin = await userToken(market)
  developer = await developerToken(market)
  developerId = (await call(market, 'GET', '/v1/Developer', { token: developer })).body.id
})
afterAll(() => market.close())
beforeEach(async () => {
  await market.deps.db.linkToken.deleteMany({ where: { purpose: 'invitation' } })
})

const someone = (fields: object = {}) => ({ email: newAddress(), name: 'New Person', ...fields })
const ofParty = (path = '', id = partyId) => `/v1/Account/Parties/${id}/Invitations${path}`
async function inviteToParty(fields: object = {}) {
  const answer = await call(market, 'POST', ofParty(), { token: admin, body: someone(fields) })
  expect(answer.status).toBe(201)
  return answer.body
}
async function inviteToDeveloper(fields: object = {}) {
  const body = someone(fields)
  const answer = await call(market, 'POST', '/v1/Developer/Members', { token: developer, body })
  expect(answer.status).toBe(201)
  return answer.body
}
const inviteByOperator = async (fields: object) =>
  (await operator('POST', 'Invitations', someone(fields))).body
const ofAccount = async () => (await call(market, 'GET', ofParty(), { token: admin })).body
const ofDeveloper = async () =>
  (await call(market, 'GET', '/v1/Developer/Invitations', { token: developer })).body
const revoke = (path: string, token: string) => call(market, 'DELETE', path, { token })
const revocations = (subjectId: string) =>
  market.deps.db.auditEvent.findMany({ where: { action: 'invitation.revoked', subjectId } })

describe('admins of an account', () => {
  test('list the open invitations to it, with role and who invited, and no link', async () => {
    const own = await inviteToParty({ role: 'admin' })
    const operators = await inviteByOperator({ partyIds: [partyId], role: 'member' })
    const invitedBy = {
      kind: 'user',
      name: (await call(market, 'GET', '/v1/Account', { token: admin })).body.name,
    }
    const shown = ({ id, email, name, createdAt, expiresAt }: typeof own, more: object) => ({
      ...{ id, email, name, createdAt, expiresAt, mailRefusedAt: null },
      ...more,
    })
    expect(await ofAccount()).toEqual([
      shown(own, { role: 'admin', invitedBy }),
      shown(operators, { role: 'member', invitedBy: { kind: 'operator', name: null } }),
    ])
    await accept(market, own.link, PASSWORD)
    expect(await ofAccount()).toMatchObject([{ id: operators.id }])
  })

  test('page through them, with a cursor that is good for no other account', async () => {
    const [first, second] = [await inviteToParty(), await inviteToParty()]
    const page = await call(market, 'GET', ofParty('?limit=1'), { token: admin })
    expect(page.body).toMatchObject([{ id: first.id }])
    const next = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    const path = next.slice(market.url.length)
    expect((await call(market, 'GET', path, { token: admin })).body).toMatchObject([
      { id: second.id },
    ])
    const foreign = path.replace(ofParty(), '/v1/Operator/Invitations')
    expect((await operator('GET', foreign.slice('/v1/Operator/'.length))).body.code).toBe(
      'invalid_cursor',
    )
  })

  test('revoke one: its link is refused, and the account reads it in its audit trail', async () => {
    const { id, link, email } = await inviteToParty()
    expect((await revoke(ofParty(`/${id}`), admin)).status).toBe(204)
    expectProblem(await accept(market, link, PASSWORD), 'invalid_link')
    expect(await ofAccount()).toEqual([])
    expectProblem(await revoke(ofParty(`/${id}`), admin), 'not_found')
    expect(await revocations(id)).toMatchObject([{ partyId, actorKind: 'user', before: { email } }])
  })

  test('revoke of an operator’s invitation what leads to them, and nothing else', async () => {
    const other = market.demo.users.find((user) => user.partyId !== partyId)?.partyId ?? 0
    const both = await inviteByOperator({ partyIds: [partyId, other] })
    expect((await revoke(ofParty(`/${both.id}`), admin)).status).toBe(204)
    expect(await ofAccount()).toEqual([])
    const { body } = await accept(market, both.link, PASSWORD)
    const memberships = await market.deps.db.membership.findMany({ where: { userId: body.userId } })
    expect(memberships).toMatchObject([{ partyId: other }])
    const alone = await inviteByOperator({ partyIds: [partyId] })
    expect((await revoke(ofParty(`/${alone.id}`), admin)).status).toBe(204)
    expectProblem(await accept(market, alone.link, PASSWORD), 'invalid_link')
    expect((await revocations(both.id)).map(({ before }) => before)).toEqual([
      { email: both.email },
    ])
  })

  test('see and revoke none of another account, of a developer, or that is used', async () => {
    const other = market.demo.users.find((user) => user.partyId !== partyId)?.partyId ?? 0
    const foreign = await inviteByOperator({ partyIds: [other] })
    const ofCompany = await inviteToDeveloper()
    const used = await inviteToParty()
    await accept(market, used.link, PASSWORD)
    expect(await ofAccount()).toEqual([])
    for (const { id } of [foreign, ofCompany, used]) {
      expectProblem(await revoke(ofParty(`/${id}`), admin), 'not_found')
    }
    expectProblem(await revoke(ofParty(`/${foreign.id}`, other), admin), 'not_found')
    expectProblem(await call(market, 'GET', ofParty('', other), { token: admin }), 'not_found')
    expect((await accept(market, foreign.link, PASSWORD)).status).toBe(200)
    expect((await accept(market, ofCompany.link, PASSWORD)).status).toBe(200)
  })

  test('do this, and members do not', async () => {
    const { id } = await inviteToParty()
    const member = await accountToken(market, await newMember(market, partyId))
    expectProblem(await call(market, 'GET', ofParty(), { token: member }), 'admin_required')
    expectProblem(await revoke(ofParty(`/${id}`), member), 'admin_required')
    expect(await ofAccount()).toMatchObject([{ id }])
  })

  test('of a revocation and a use at the same moment one wins', async () => {
    const { id, link } = await inviteToParty()
    const [revoked, used] = await Promise.all([
      revoke(ofParty(`/${id}`), admin),
      accept(market, link, PASSWORD),
    ])
    expect([204, 404]).toContain(revoked.status)
    expect(used.status === 200).toBe(revoked.status === 404)
  })
})

describe('a developer', () => {
  test('lists the open invitations to it, and revokes them', async () => {
    const own = await inviteToDeveloper({ role: 'owner' })
    const operators = await inviteByOperator({ developerId, partyIds: [partyId], role: 'member' })
    const clientId = market.demo.developers[0]?.clientId
    expect(await ofDeveloper()).toMatchObject([
      { id: own.id, role: 'owner', invitedBy: { kind: 'developer', name: clientId } },
      { id: operators.id, role: 'member', invitedBy: { kind: 'operator', name: null } },
    ])
    for (const { id } of [own, operators]) {
      const path = `/v1/Developer/Invitations/${id}`
      expect((await revoke(path, developer)).status).toBe(204)
      expectProblem(await revoke(path, developer), 'not_found')
      expect(await revocations(id)).toMatchObject([{ developerId, actorKind: 'developer' }])
    }
    expectProblem(await accept(market, own.link, PASSWORD), 'invalid_link')
    const { body } = await accept(market, operators.link, PASSWORD)
    const where = { userId: body.userId }
    expect(await market.deps.db.developerMember.count({ where })).toBe(0)
    expect(await market.deps.db.membership.count({ where })).toBe(1)
  })

  test('sees and revokes none of another developer or of an account', async () => {
    const ofCompany = await inviteToDeveloper()
    const foreign = await developerToken(market, 1)
    const path = '/v1/Developer/Invitations'
    expect((await call(market, 'GET', path, { token: foreign })).body).toEqual([])
    expectProblem(await revoke(`${path}/${ofCompany.id}`, foreign), 'not_found')
    expectProblem(await revoke(`${path}/${(await inviteToParty()).id}`, developer), 'not_found')
    expect((await accept(market, ofCompany.link, PASSWORD)).status).toBe(200)
  })
})
