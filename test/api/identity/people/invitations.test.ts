import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, developerToken, userToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept, newAddress, tokenOf } from '../../../setup/people.ts'

const PASSWORD = 'correct horse battery'
const WEEK_SECONDS = 7 * 86_400

const lines: string[] = []
let market: TestMarketplace
let operator: OperatorCalls
let partyId: number
let developerId: string
beforeAll(async () => {
  market = await startMarketplace({
    config: { argon2Concurrency: 2, logLevel: 'trace' },
    log: (line) => lines.push(line),
  })
  operator = await operatorCalls(market)
  partyId = market.demo.users[0]?.partyId ?? 0
  developerId = (await market.deps.db.developer.findFirstOrThrow()).id
})
afterAll(() => market.close())

async function invite(fields: object = {}) {
  const answer = await operator('POST', 'Invitations', {
    ...{ email: newAddress(), name: 'New Person' },
    ...fields,
  })
  expect(answer.status).toBe(201)
  return answer.body
}
const userOf = (email: string) => market.deps.db.user.findUniqueOrThrow({ where: { email } })

describe('an invitation', () => {
  test('makes a user with the password that the person chooses, and gives what it is for', async () => {
    const made = await invite({ partyIds: [partyId, partyId] })
    expect(made).toMatchObject({ mailed: false, partyIds: [partyId], role: 'admin' })
    expect(made.link).toMatch(/\/invitation\?token=amkt_link_[\w-]{43}\w{6}$/)
    const answer = await accept(market, made.link, PASSWORD)
    expect([answer.status, answer.body]).toEqual([
      200,
      { userId: expect.any(String), email: made.email, name: 'New Person', created: true },
    ])
    const token = await accountToken(market, { email: made.email, password: PASSWORD })
    const own = await call(market, 'GET', '/v1/Account', { token })
    expect(own.body.parties).toMatchObject([{ id: partyId }])
  })

  test('of an address that is a user gives a role and keeps the password', async () => {
    const email = newAddress()
    const { body: user } = await operator('POST', 'Users', {
      ...{ email, name: 'Known', password: PASSWORD, partyIds: [] },
    })
    const token = await accountToken(market, { email, password: PASSWORD })
    for (const [role, stored] of [
      ['member', 'member'],
      ['admin', 'admin'],
      ['member', 'admin'],
    ]) {
      const made = await invite({ email, partyIds: [partyId], role })
      const answer = await accept(market, made.link, 'another password', token)
      expect(answer.body).toEqual({ userId: user.id, email, name: 'Known', created: false })
      const where = { userId_partyId: { userId: user.id, partyId } }
      expect(await market.deps.db.membership.findUnique({ where })).toMatchObject({ role: stored })
    }
    expect(typeof (await accountToken(market, { email, password: PASSWORD }))).toBe('string')
  })

  test('to a developer, to the operators and to support', async () => {
    const ofDeveloper = await invite({ developerId, role: 'member' })
    const { body } = await accept(market, ofDeveloper.link, PASSWORD)
    const where = { developerId_userId: { developerId, userId: body.userId } }
    expect(await market.deps.db.developerMember.findUnique({ where })).toMatchObject({
      role: 'member',
    })
    const token = await accountToken(market, { email: body.email, password: PASSWORD })
    const accepts = async (fields: object) => {
      const { link } = await invite({ email: body.email, ...fields })
      expect((await accept(market, link, undefined, token)).status).toBe(200)
    }
    await accepts({ developerId })
    expect(await market.deps.db.developerMember.findUnique({ where })).toMatchObject({
      role: 'owner',
    })
    await accepts({ support: true })
    expect(await userOf(body.email)).toMatchObject({ operator: false, support: true })
    await accepts({ operator: true })
    expect(await userOf(body.email)).toMatchObject({ operator: true, support: false })
    await accepts({ support: true })
    expect(await userOf(body.email)).toMatchObject({ operator: true, support: false })
  })

  test('asks a new user for a password, and is not used up by that', async () => {
    const { link } = await invite()
    const refused = await accept(market, link)
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/password'])
    expectProblem(await accept(market, link, 'short'), 'unprocessable')
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
  })

  test.each([
    [{ role: 'admin' }, 'unprocessable', ['/role']],
    [{ role: 'owner', partyIds: [1] }, 'unprocessable', ['/role']],
    [{ operator: true, support: true }, 'unprocessable', ['/support']],
    [{ partyIds: [2_000_000_000] }, 'unprocessable', ['/partyIds/0']],
    [{ partyIds: [1, 1, 2_000_000_000] }, 'unprocessable', ['/partyIds/2']],
    [{ developerId: '00000000-0000-4000-8000-000000000000' }, 'unprocessable', ['/developerId']],
    [{ email: 'a b@example.com' }, 'unprocessable', ['/email']],
    [{ email: 'a@example.com\r\nbcc: x@example.com' }, 'unprocessable', ['/email']],
    [{ name: '\ud800' }, 'invalid_request', ['/name']],
    [{ role: 'king' }, 'unprocessable', ['/role']],
    [{ more: 1 }, 'invalid_request', ['/more']],
  ] as const)('is refused: %j', async (fields, code, pointers) => {
    const body = { email: newAddress(), name: 'New', ...fields }
    const answer = await operator('POST', 'Invitations', body)
    expectProblem(answer, code)
    expect(pointersOf(answer)).toEqual(pointers)
  })

  test('is listed while it is open, without its link, and can be revoked', async () => {
    const { mailed: _mailed, link, ...made } = await invite({ partyIds: [partyId] })
    expect((await operator('GET', 'Invitations')).body).toContainEqual(made)
    expect((await operator('DELETE', `Invitations/${made.id}`)).status).toBe(204)
    expect((await operator('GET', 'Invitations')).body).not.toContainEqual(made)
    expectProblem(await operator('DELETE', `Invitations/${made.id}`), 'not_found')
    expectProblem(await accept(market, link, PASSWORD), 'invalid_link')
  })
})

describe('the link of an invitation', () => {
  test('works once', async () => {
    const { link } = await invite()
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
    const again = await accept(market, link, PASSWORD)
    expectProblem(again, 'invalid_link')
    expect(again.body.detail).toContain('used already')
  })

  test('works for 7 days', async () => {
    const [inTime, late] = [await invite(), await invite()]
    market.advance(WEEK_SECONDS - 60)
    expect((await accept(market, inTime.link, PASSWORD)).status).toBe(200)
    market.advance(120)
    expectProblem(await accept(market, late.link, PASSWORD), 'invalid_link')
    market.advance(-WEEK_SECONDS - 60)
  })

  test('does nothing for another purpose', async () => {
    const { link } = await invite()
    const body = { token: tokenOf(link), password: PASSWORD }
    const answer = await call(market, 'POST', '/v1/Account/PasswordReset/Complete', { body })
    expectProblem(answer, 'invalid_link')
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
  })

  test.each(['x', 'amkt_link_', `amkt_link_${'A'.repeat(49)}`, 'x'.repeat(200)])(
    'is refused when it is made up: %j',
    async (token) => {
      const body = { token, password: PASSWORD }
      const answer = await call(market, 'POST', '/v1/Account/Invitations/Accept', { body })
      expectProblem(answer, 'invalid_link')
    },
  )

  test('of 20 uses at once one succeeds', async () => {
    const { link, email } = await invite({ partyIds: [partyId] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accept(market, link, PASSWORD)),
    )
    const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code))
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect([...new Set(codes)].filter((code) => !ONE_OF.has(code))).toEqual([])
    const { id } = await userOf(email)
    expect(await market.deps.db.membership.count({ where: { userId: id } })).toBe(1)
  })
  const ONE_OF = new Set(['done', 'invalid_link', 'conflict'])

  test('a newer one of the same side ends it, one of another side does not', async () => {
    const email = newAddress()
    const [older, newer] = [await invite({ email }), await invite({ email })]
    const other = await inviteToDeveloper(email)
    const refused = await accept(market, older.link, PASSWORD)
    expectProblem(refused, 'invalid_link')
    expect(refused.body.detail).toContain('newer one')
    expect((await accept(market, newer.link, PASSWORD)).status).toBe(200)
    const token = await accountToken(market, { email, password: PASSWORD })
    expect((await accept(market, other.body.link, undefined, token)).status).toBe(200)
  })

  test('ends with the right of who made it', async () => {
    const email = newAddress()
    const { body: user } = await operator('POST', 'Users', {
      ...{ email, name: 'Admin', password: PASSWORD, partyIds: [partyId] },
    })
    const token = await accountToken(market, { email, password: PASSWORD })
    const { body } = await inviteToParty(token, { role: 'admin' })
    await operator('DELETE', `Memberships/${user.id}/${partyId}`)
    expectProblem(await accept(market, body.link, PASSWORD), 'invalid_link')
  })

  test('is in no line of the log and no entry of the audit trail, and only its hash is stored', async () => {
    const { link, email } = await invite()
    const secret = tokenOf(link)
    await fetch(link)
    await accept(market, link, PASSWORD)
    await accept(market, link, PASSWORD)
    expect((await userOf(email)).email).toBe(email)
    await new Promise<unknown>((resolve) => market.deps.log.flush(resolve))
    expect(lines.join('\n')).toContain('/v1/Account/Invitations/Accept')
    expect(lines.join('\n')).not.toContain(secret.slice(0, 30))
    const stored = await market.deps.db.$queryRaw<{ n: bigint }[]>`
      SELECT (SELECT count(*) FROM audit_events t WHERE t::text LIKE ${`%${secret}%`})
        + (SELECT count(*) FROM link_tokens t WHERE t::text LIKE ${`%${secret}%`}) AS n`
    expect(stored).toEqual([{ n: 0n }])
  })

  test('ends when it is reported as a secret', async () => {
    const { link } = await invite()
    await call(market, 'POST', '/v1/Secrets/Report', { body: { secret: tokenOf(link) } })
    expectProblem(await accept(market, link, PASSWORD), 'invalid_link')
  })
})

async function inviteToParty(token: string, fields: object = {}, id = partyId) {
  return call(market, 'POST', `/v1/Account/Parties/${id}/Invitations`, {
    token,
    body: { email: newAddress(), name: 'Colleague', role: 'member', ...fields },
  })
}
async function inviteToDeveloper(email = newAddress(), role = 'member') {
  const token = await developerToken(market)
  return call(market, 'POST', '/v1/Developer/Members', {
    token,
    body: { email, name: 'Colleague', role },
  })
}

describe('an account invites', () => {
  test('by an admin, to itself alone', async () => {
    const token = await userToken(market)
    const made = await inviteToParty(token)
    expect(made.status).toBe(201)
    const { body } = await accept(market, made.body.link, PASSWORD)
    const memberships = await market.deps.db.membership.findMany({ where: { userId: body.userId } })
    expect(memberships).toMatchObject([{ partyId, role: 'member' }])
    const member = await accountToken(market, { email: body.email, password: PASSWORD })
    expectProblem(await inviteToParty(member), 'admin_required')
    const others = market.demo.users.find((user) => user.partyId !== partyId)?.partyId
    expectProblem(await inviteToParty(token, {}, others), 'not_found')
    expectProblem(await inviteToParty(token, { role: 'owner' }), 'unprocessable')
  })

  test('at most 50 people in 24 hours', async () => {
    const { body: party } = await operator('POST', 'Parties', { name: 'Busy', type: 'Buyer' })
    const user = { email: newAddress(), name: 'Admin', password: PASSWORD, partyIds: [party.id] }
    await operator('POST', 'Users', user)
    const token = await accountToken(market, user)
    for (let count = 0; count < 50; count++) {
      expect((await inviteToParty(token, {}, party.id)).status).toBe(201)
    }
    market.advance(1800)
    const refused = await inviteToParty(token, {}, party.id)
    expectProblem(refused, 'too_many_requests')
    // Until the first of the fifty is a day old.
    expect(Number(refused.headers.get('retry-after')) / 3600).toBeCloseTo(23.5, 0)
    market.advance(86_401 - 1800)
    const later = await accountToken(market, user)
    expect((await inviteToParty(later, {}, party.id)).status).toBe(201)
    market.advance(-86_401)
  })
})

describe('a developer invites', () => {
  test('with its credential, at most 50 people in all', async () => {
    const made = await inviteToDeveloper(newAddress(), 'owner')
    expect(made.body).toMatchObject({ role: 'owner', partyIds: [] })
    const owner = await market.deps.db.developer.findUniqueOrThrow({
      where: { id: made.body.developerId },
    })
    const where = { developerId: owner.id }
    const before = await market.deps.db.developerMember.count({ where })
    await market.deps.db.user.createMany({
      data: Array.from({ length: 50 - before }, () => ({
        ...{ email: newAddress(), name: 'Staff', passwordHash: 'x' },
      })),
    })
    const staff = await market.deps.db.user.findMany({ where: { name: 'Staff' } })
    await market.deps.db.developerMember.createMany({
      data: staff.map(({ id }) => ({ developerId: owner.id, userId: id, role: 'member' })),
    })
    expectProblem(await accept(market, made.body.link, PASSWORD), 'conflict')
    const userId = staff[0]?.id ?? ''
    await market.deps.db.developerMember.deleteMany({ where: { ...where, userId } })
    expect((await accept(market, made.body.link, PASSWORD)).status).toBe(200)
    expect(await market.deps.db.developerMember.count({ where })).toBe(50)
  })
})
