import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createMembership } from '../../../../src/identity/accounts/members/memberships-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import {
  acceptAll,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
  newMember,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

function requestsOf(partyId: number, token: string) {
  const path = `/v1/Account/Parties/${partyId}/InstallRequests`
  const send = (method: string, more = '', body?: unknown) =>
    call(market, method, `${path}${more}`, { token, ...(body === undefined ? {} : { body }) })
  return {
    token,
    create: (body: unknown) => send('POST', '', body),
    list: (query = '') => send('GET', query),
    accept: (id: string) => send('POST', `/${id}/Accept`),
    decline: (id: string, body: unknown = { reason: 'We have one.' }) =>
      send('POST', `/${id}/Decline`, body),
    withdraw: (id: string) => send('DELETE', `/${id}`),
  }
}

/** An account with an admin and a member, and an app that they do not have. */
async function company() {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const user = await newMember(market, partyId)
  const app = await listedApp(developer, fullDraft())
  return {
    customer,
    partyId,
    user,
    app,
    member: requestsOf(partyId, await accountToken(market, user)),
    admin: requestsOf(partyId, customer.token),
    /** Asks as the member. */
    body: { appId: app.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  }
}

describe('a request', () => {
  test('is made by a member, and shows price and permissions without passwords', async () => {
    const { member, user, partyId, app, body } = await company()
    const made = await member.create({ ...body, note: 'Please.' })
    expect(made.status).toBe(201)
    const { secret: _secret, ...open } = GOOD_SETTINGS
    expect(made.body).toMatchObject({
      ...{ partyId, userId: user.id, userName: 'Morgan Member', appId: app.id, version: '1.0.0' },
      ...{ purchaseOptionId: 'full', userSettings: open, passwordsSet: ['secret'] },
      ...{ note: 'Please.', status: 'pending', reason: null, installationId: null },
    })
    expect(made.body.quote).toMatchObject({ currency: 'USD', monthlyCost: 10 })
    expect(made.body.permissions).toHaveLength(2)
    expect((await member.list()).body).toEqual([made.body])
    const row = await market.deps.db.installRequest.findUniqueOrThrow({
      where: { id: made.body.id },
    })
    expect(JSON.stringify(row)).not.toContain(GOOD_SETTINGS.secret)
    expect(Buffer.from(row.passwords ?? []).includes(GOOD_SETTINGS.secret)).toBe(false)
  })

  test('has all the problems of an install named at once', async () => {
    const { member, body } = await company()
    const answer = await member.create({ ...body, userSettings: {}, acknowledgements: [] })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toContain('/userSettings/text')
    expectProblem(await member.create({ ...body, appId: 'there-is-none' }), 'unprocessable')
  })

  test('names the version that was looked at, and is refused once another is the latest', async () => {
    const { member, app, body } = await company()
    await developer.put({ ...app, version: '2.0.0', description: 'Newer.' })
    const answer = await member.create({ ...body, version: app.version })
    expectProblem(answer, 'conflict')
    expect(pointersOf(answer)).toEqual(['/version'])
    const made = await member.create({ ...body, version: '2.0.0' })
    expect([made.status, made.body.version]).toEqual([201, '2.0.0'])
  })

  test('names no account in its body, and has a short note of plain text', async () => {
    const { member, body, partyId } = await company()
    expect((await member.create({ ...body, partyId })).status).toBe(400)
    const codes = []
    for (const note of ['x'.repeat(501), 'a\u0007b', 'a\u0000b', 'a\ud800b']) {
      codes.push((await member.create({ ...body, note })).body.code)
    }
    expect(codes).toEqual(['unprocessable', 'unprocessable', 'invalid_request', 'invalid_request'])
    expect((await member.create({ ...body, note: ' ' })).body.note).toBeNull()
  })

  test('is refused for an app that the account has', async () => {
    const { member, customer, app, body } = await company()
    const { body: installed } = await customer.install({ appId: app.id, purchaseOptionId: 'free' })
    const answer = await member.create(body)
    expectProblem(answer, 'already_installed')
    expect(answer.body.installationId).toBe(installed.id)
  })

  test('waits alone for its app, also when two are made at the same moment', async () => {
    const { member, admin, body } = await company()
    const answers = await Promise.all([member.create(body), admin.create(body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expectProblem(await member.create(body), 'already_exists')
  })

  test('is one of at most 20 of its user in one account', async () => {
    const { member, user, partyId, app, body } = await company()
    const other = await listedApp(developer, fullDraft())
    const { db } = market.deps
    const apps = Array.from({ length: 20 }, () => fullDraft())
    for (const one of apps) await developer.create(one)
    await db.installRequest.createMany({
      data: apps.map(({ id: appId }) => ({
        ...{ partyId, userId: user.id, appId, version: app.version, purchaseOptionId: 'free' },
        ...{ userSettings: {}, passwordKeys: [], consent: {} },
      })),
    })
    expectProblem(await member.create({ ...body, appId: other.id }), 'conflict')
    const { party } = await newCustomer(market)
    const membership = { userId: user.id, partyId: party.id, role: 'member' } as const
    await createMembership(market.deps, membership, SYSTEM)
    expect((await requestsOf(party.id, member.token).create(body)).status).toBe(201)
    await db.installRequest.deleteMany({ where: { partyId, appId: apps[0]?.id ?? '' } })
    expect((await member.create({ ...body, appId: other.id })).status).toBe(201)
  })

  test('is not seen by other members and other accounts, and ends with the membership', async () => {
    const { member, admin, user, customer, partyId, body } = await company()
    const { body: made } = await member.create(body)
    const colleague = await newMember(market, partyId)
    const other = requestsOf(partyId, await accountToken(market, colleague))
    expect((await other.list()).body).toEqual([])
    expectProblem(await other.withdraw(made.id), 'not_found')
    const stranger = await newCustomer(market)
    expectProblem(await requestsOf(partyId, stranger.token).list(), 'not_found')
    expectProblem(await requestsOf(partyId, stranger.token).create(body), 'not_found')
    const elsewhere = requestsOf(stranger.party.id, stranger.token)
    expectProblem(await elsewhere.accept(made.id), 'not_found')
    expectProblem(await elsewhere.decline(made.id), 'not_found')
    const path = `/v1/Account/Parties/${partyId}/Members/${user.id}`
    expect((await call(market, 'DELETE', path, { token: customer.token })).status).toBe(204)
    expect((await admin.list()).body).toEqual([])
  })

  test('is listed page by page, and by its status', async () => {
    const { member, admin, body } = await company()
    const { body: first } = await member.create(body)
    await member.withdraw(first.id)
    const { body: second } = await member.create(body)
    const page = await admin.list('?limit=1')
    expect(page.body).toMatchObject([{ id: first.id, status: 'withdrawn' }])
    expect(page.headers.get('link')).toContain('rel="next"')
    expect((await admin.list('?status=pending')).body).toEqual([second])
  })
})

describe('an admin', () => {
  test('accepts a request, which installs the app with the settings of who asked', async () => {
    const { member, admin, customer, app, body } = await company()
    const { body: made } = await member.create(body)
    const accepted = await admin.accept(made.id)
    expect(accepted.status).toBe(200)
    expect(accepted.body).toMatchObject({ status: 'accepted', installationId: expect.any(String) })
    const { body: installed } = await customer.read(accepted.body.installationId)
    expect(installed).toMatchObject({
      ...{ appId: app.id, status: 'active', purchaseOptionId: 'full', passwordsSet: ['secret'] },
    })
    const shown = await call(market, 'GET', `/v1/Developer/Installations/${installed.id}`, {
      token: developer.token,
    })
    expect(shown.body.userSettings).toMatchObject(GOOD_SETTINGS)
    const { db } = market.deps
    const row = await db.installRequest.findUniqueOrThrow({ where: { id: made.id } })
    expect(row).toMatchObject({ passwords: null, decidedBy: customer.user.id })
  })

  test('who accepts a request has installed the app, for the figures of the operator', async () => {
    const { member, admin, body } = await company()
    const { body: made } = await member.create(body)
    const { measures } = market.deps
    const before = measures.installs
    expect((await admin.accept(made.id)).status).toBe(200)
    expectProblem(await admin.accept(made.id), 'conflict')
    expect(measures.installs).toBe(before + 1)
  })

  test('accepts the texts of the app in the own name', async () => {
    const { member, admin, customer, body } = await company()
    const acknowledgements = [{ id: 'writes', title: 'Writes', text: 'It writes.', order: 1 }]
    const app = await listedApp(developer, fullDraft({ acknowledgements }))
    const words = await acceptAll(market, app.id)
    const { body: made } = await member.create({ ...body, appId: app.id, ...words })
    const [waiting] = (await admin.list()).body
    expect(waiting).toMatchObject({ id: made.id, termsDocument: null, ...words })
    expect(waiting.acknowledgements).toHaveLength(1)
    const { body: accepted } = await admin.accept(made.id)
    const evidence = await market.deps.db.acceptance.findMany({
      where: { installationId: accepted.installationId },
      orderBy: { id: 'asc' },
    })
    const by = { actorId: customer.user.id }
    expect(evidence).toMatchObject([
      { subjectId: 'writes', ...by },
      { kind: 'permission', subjectId: 'products:read', ...by },
      { kind: 'permission', subjectId: 'settings:read', ...by },
    ])
  })

  test('declines a request with a reason, which forgets its passwords', async () => {
    const { member, admin, body } = await company()
    const { body: made } = await member.create(body)
    expect((await admin.decline(made.id, {})).status).toBe(400)
    expectProblem(await admin.decline(made.id, { reason: ' ' }), 'unprocessable')
    const declined = await admin.decline(made.id)
    expect(declined.body).toMatchObject({ status: 'declined', reason: 'We have one.' })
    expect((await member.list()).body).toEqual([declined.body])
    const { db } = market.deps
    const row = await db.installRequest.findUniqueOrThrow({ where: { id: made.id } })
    expect(row.passwords).toBeNull()
  })

  test('does not accept another version than the one that was looked at', async () => {
    const { member, admin, app, body } = await company()
    const { body: made } = await member.create(body)
    await developer.put({ ...app, version: '2.0.0', description: 'Newer.' })
    expectProblem(await admin.accept(made.id), 'conflict')
    expect((await member.list()).body).toMatchObject([{ status: 'pending' }])
  })

  test('is told when the account has the app meanwhile', async () => {
    const { member, admin, customer, app, body } = await company()
    const { body: made } = await member.create(body)
    await customer.install({ appId: app.id, purchaseOptionId: 'free' })
    expectProblem(await admin.accept(made.id), 'already_installed')
    expect((await admin.decline(made.id)).status).toBe(200)
  })

  test('is one of two who accept at the same moment', async () => {
    const { member, admin, customer, app, body } = await company()
    const { body: made } = await member.create(body)
    const answers = await Promise.all([admin.accept(made.id), admin.accept(made.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await customer.list(`?appId=${app.id}`)).body).toHaveLength(1)
    expectProblem(await admin.decline(made.id), 'conflict')
  })

  test('is needed: a member neither accepts nor declines', async () => {
    const { member, body } = await company()
    const { body: made } = await member.create(body)
    expectProblem(await member.accept(made.id), 'admin_required')
    expectProblem(await member.decline(made.id), 'admin_required')
  })
})

describe('who asked', () => {
  test('withdraws the request, which nobody can accept any more', async () => {
    const { member, admin, body } = await company()
    const { body: made } = await member.create(body)
    expectProblem(await admin.withdraw(made.id), 'not_found')
    expect((await member.withdraw(made.id)).status).toBe(204)
    expectProblem(await member.withdraw(made.id), 'conflict')
    expectProblem(await admin.accept(made.id), 'conflict')
  })

  test('is in the audit trail with everything that became of it, without settings', async () => {
    const { member, admin, customer, body } = await company()
    const { body: first } = await member.create(body)
    await member.withdraw(first.id)
    const { body: second } = await member.create(body)
    await admin.decline(second.id)
    const { body: third } = await member.create(body)
    await admin.accept(third.id)
    const { text, body: entries } = await call(market, 'GET', '/v1/Account/Audit', customer)
    const actions = (entries as { action: string }[])
      .map(({ action }) => action)
      .filter((action) => action.startsWith('install_request.'))
    expect(actions.sort()).toEqual([
      'install_request.accepted',
      ...['install_request.created', 'install_request.created', 'install_request.created'],
      ...['install_request.declined', 'install_request.withdrawn'],
    ])
    expect(text).not.toContain(GOOD_SETTINGS.secret)
  })
})
