import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../../../src/identity/accounts/members/developer-members-service.ts'
import { createMembership } from '../../../../src/identity/accounts/members/memberships-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { operatorWithCode } from '../../../setup/operator.ts'
import {
  enrol,
  enrolledBefore,
  nextCode,
  type Person,
  signedInByCode,
  signIn,
  tokenByCode,
} from '../../../setup/second-factor.ts'
import { hiddenFields, submitTwice, type WebClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: Person & { id: string }
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  operator = await newOperator()
})

const newOperator = () =>
  createUser(market.deps, {
    ...{ email: `${randomUUID()}@example.com`, name: 'Olga', operator: true, partyIds: [] },
  })
const tokenWith = (secret: string) => tokenByCode(market, operator, secret)
const suspend = (token: string, userId: string) =>
  call(market, 'POST', `/v1/Operator/Users/${userId}/Suspend`, { token, body: { reason: 'x' } })

describe('by API', () => {
  test('suspending needs a code of the last ten minutes; a new sign-in gives one', async () => {
    const { user } = await newCustomer(market)
    const { token: before, secret } = await enrolledBefore(market, operator)
    const refused = await suspend(before, user.id)
    expectProblem(refused, 'second_factor_required')
    expect(refused.body.maxAgeSeconds).toBe(600)
    expect(refused.headers.get('www-authenticate')).toContain(
      'error="insufficient_user_authentication", max_age="600"',
    )
    const token = await tokenWith(secret)
    expect((await suspend(token, user.id)).status).toBe(200)
    market.advance(601)
    expectProblem(await suspend(token, user.id), 'second_factor_required')
    expect((await call(market, 'GET', '/v1/Operator/Users', { token })).status).toBe(200)
    expect((await suspend(await tokenWith(secret), user.id)).status).toBe(200)
  })

  test('a token for which no code was given counts as none, however new it is', async () => {
    const { user } = await newCustomer(market)
    await enrol(market, operator)
    const { db } = market.deps
    const { tokenGeneration: gen } = await db.user.findUniqueOrThrow({ where: { id: operator.id } })
    const claims = { aud: 'account', sub: operator.id, client_id: 'account', gen } as const
    const { token } = await issueToken(market.deps, claims, 3600)
    expectProblem(await suspend(token, user.id), 'second_factor_required')
  })

  test('who has no second factor is asked for nothing new', async () => {
    const { user } = await newCustomer(market)
    const token = await accountToken(market, operator)
    market.advance(601)
    expect((await suspend(token, user.id)).status).toBe(200)
  })

  test.each([
    ['POST', 'Users/ID/Suspend'],
    ['POST', 'Parties/1/Suspend'],
    ['POST', 'Developers/ID/Suspend'],
    ['POST', 'Apps/price-sync/Suspend'],
    ['POST', 'Installations/ID/Suspend'],
    ['POST', 'Developers'],
    ['POST', 'Developers/ID/Credentials'],
    ['DELETE', 'Developers/ID/Credentials/ID'],
    ['POST', 'Users'],
    ['PATCH', 'Users/ID'],
    ['PUT', 'Users/ID/Password'],
    ['POST', 'Users/ID/PasswordReset'],
    ['POST', 'Invitations'],
    ['DELETE', 'Users/ID/SecondFactor'],
    ['POST', 'Memberships'],
    ['PATCH', 'Memberships/ID/1'],
    ['DELETE', 'Memberships/ID/1'],
    ['DELETE', 'Users/ID'],
    ['POST', 'Parties/1/Close'],
    ['POST', 'Developers/ID/Close'],
  ])('%s /v1/Operator/%s needs one', async (method, path) => {
    const { token } = await enrolledBefore(market, operator)
    const url = `/v1/Operator/${path.replaceAll('ID', () => randomUUID())}`
    expectProblem(await call(market, method, url, { token }), 'second_factor_required')
  })
})

test('an admin who invites to an account needs one, as it gives a role', async () => {
  const { party, user } = await newCustomer(market)
  const { token } = await enrolledBefore(market, user)
  const path = `/v1/Account/Parties/${party.id}/Invitations`
  const body = { email: 'eve@example.com', name: 'Eve', role: 'admin' }
  expectProblem(await call(market, 'POST', path, { token, body }), 'second_factor_required')
})

describe('in the console', () => {
  let browser: WebClient
  let secret: string
  beforeEach(async () => {
    ;({ secret } = await enrol(market, operator))
    browser = await signedInByCode(market, operator, secret)
  })
  const send = async (page: string, path: string, fields: Record<string, string>) =>
    browser.submit(path, { ...hiddenFields((await browser.get(page)).text), ...fields })

  test('an old code is asked for anew, and the form waits with what was typed', async () => {
    const { user } = await newCustomer(market)
    const path = `/Operator/Users/${user.id}/Suspend`
    market.advance(601)
    const asked = await send(path, path, { reason: 'Unpaid invoices' })
    expect(asked.location).toMatch(/^\/Account\/Confirm\?next=/)
    const confirm = asked.location ?? ''
    const page = await send(confirm, '/Account/Confirm', { code: '000000' })
    expect(page.text).toContain('Wrong code.')
    const code = nextCode(market, secret)
    // A second click does not use another code, and leads to the form, too.
    const fields = { ...hiddenFields(page.text), code }
    const { second: back } = await submitTwice(browser, '/Account/Confirm', fields)
    const form = await browser.get(back.location ?? '')
    expect(form.text).toContain('Unpaid invoices')
    expect(form.text).toContain('Nothing was saved yet')
    const done = await browser.submit(path, {
      ...hiddenFields(form.text),
      reason: 'Unpaid invoices',
    })
    expect(done.location).toBe(`/Operator/Users/${user.id}`)
    const { suspendedReason } = await market.deps.db.user.findUniqueOrThrow({
      where: { id: user.id },
    })
    expect(suspendedReason).toBe('Unpaid invoices')
  })

  test('each form that gives or takes rights, or shows a secret, needs one', async () => {
    market.advance(601)
    const { _csrf = '' } = hiddenFields((await browser.get('/Operator')).text)
    const paths = [
      ...['Users/ID/Suspend', 'Parties/1/Suspend', 'Developers/ID/Suspend'],
      ...['Apps/price-sync/Suspend', 'Installations/ID/Suspend', 'Invitations'],
      ...['Users/New', 'Users/ID/Edit', 'Users/ID/Password', 'Users/ID/PasswordReset'],
      ...['Users/ID/SecondFactor', 'Users/ID/Roles', 'Users/ID/Memberships', 'Users/ID/Remove'],
      ...['Users/ID/Memberships/1/Remove', 'Parties/1/Users', 'Parties/1/Roles', 'Parties/1/Close'],
      ...['Developers/New', 'Developers/ID/Credentials', 'Developers/ID/Credentials/ID/Remove'],
      ...['Developers/ID/Members', 'Developers/ID/Roles', 'Developers/ID/Members/ID/Remove'],
      'Developers/ID/Close',
    ]
    for (const path of paths) {
      const action = `/Operator/${path.replaceAll('ID', () => randomUUID())}`
      const { location } = await browser.submit(action, { _csrf })
      expect([path, location]).toEqual([path, expect.stringMatching(/^\/Account\/Confirm\?next=/)])
    }
  })

  test('whose factor was taken off meanwhile is asked for nothing more, and goes on to the form', async () => {
    const { user } = await newCustomer(market)
    const path = `/Operator/Users/${user.id}/Suspend`
    market.advance(601)
    const asked = (await send(path, path, { reason: 'Unpaid invoices' })).location ?? ''
    const page = hiddenFields((await browser.get(asked)).text)
    const times = () =>
      market.deps.db.session.findMany({
        where: { userId: operator.id },
        select: { factorAt: true },
      })
    const before = await times()
    await market.deps.db.secondFactor.deleteMany({ where: { userId: operator.id } })
    const ways = [await browser.get(asked), await browser.submit('/Account/Confirm', page)]
    for (const { location } of ways) {
      expect((await browser.get(location ?? '')).text).toContain('Unpaid invoices')
    }
    // Nor does it count as a code that was given.
    expect(await times()).toEqual(before)
  })

  test.each(['/Account/Members/Invite', '/Developer/Members/Invite'])(
    'an invitation gives a role, and needs one: %s',
    async (path) => {
      const { deps } = market
      const { party } = await newCustomer(market)
      const { id: userId } = operator
      await createMembership(deps, { userId, partyId: party.id }, SYSTEM)
      const { id: developerId } = await createDeveloper(deps, { name: randomUUID() })
      await addDeveloperMember(deps, developerId, { userId, role: 'owner' }, SYSTEM)
      market.advance(601)
      const person = { email: `${randomUUID()}@example.com`, name: 'Eve', role: 'admin' }
      expect((await send(path, path, person)).location).toMatch(/^\/Account\/Confirm/)
      expect(await deps.db.linkToken.count({ where: { email: person.email } })).toBe(0)
    },
  )

  test.each([
    ['suspending an installation', '/Installations/INSTALLATION/Suspend'],
    ['a new secret of a webhook endpoint', '/Apps/price-sync/Webhooks/ENDPOINT/Secret'],
    ['a new credential', '/Credentials'],
  ])('a developer gives one before %s', async (_what, path) => {
    const { deps } = market
    const { body } = await call(market, 'POST', '/v1/Developer/Apps/price-sync/Webhooks', {
      token: await developerToken(market),
      body: { url: `https://93.184.216.34/${randomUUID()}` },
    })
    const { id: installation } = demoInstallation(market, 'price-sync', 'Seller')
    const where = { id: installation }
    const { developerId } = await deps.db.installation.findUniqueOrThrow({ where })
    const member = { userId: operator.id, role: 'owner' as const }
    await addDeveloperMember(deps, developerId, member, SYSTEM)
    const page = `/Developer${path.replace('INSTALLATION', installation).replace('ENDPOINT', body.id)}`
    market.advance(601)
    const before = await deps.db.auditEvent.count({ where: { developerId } })
    const asked = await send(page, page, { reason: 'Unpaid' })
    expect(asked.location).toMatch(/^\/Account\/Confirm\?next=/)
    expect(await deps.db.auditEvent.count({ where: { developerId } })).toBe(before)
    const code = nextCode(market, secret)
    const back = await send(asked.location ?? '', '/Account/Confirm', { code })
    expect(back.location?.split('?')[0]).toBe(page)
    const done = await send(back.location ?? '', page, { reason: 'Unpaid' })
    expect(done.location).not.toContain('Confirm')
    expect(await deps.db.auditEvent.count({ where: { developerId } })).toBe(before + 1)
  })

  test('a new developer has a credential, and needs one', async () => {
    const path = '/Operator/Developers/New'
    market.advance(601)
    const asked = await send(path, path, { name: `New ${operator.id}` })
    expect(asked.location).toMatch(/^\/Account\/Confirm\?next=/)
    const where = { name: `New ${operator.id}` }
    expect(await market.deps.db.developer.count({ where })).toBe(0)
  })

  test('nobody who is no operator learns that there is a form', async () => {
    const { user } = await newCustomer(market)
    await market.deps.db.user.update({ where: { id: operator.id }, data: { operator: false } })
    market.advance(601)
    const path = `/Operator/Users/${user.id}/Suspend`
    expect((await send('/Account', path, { reason: 'x' })).status).toBe(404)
  })
})

describe('a lost second factor', () => {
  const removals = (userId: string) =>
    market.deps.db.auditEvent.findMany({ where: { subjectId: userId, action: 'factor.removed' } })

  test('is taken off by an operator, with a reason in the audit trail; what it let in ends', async () => {
    const { user } = await newCustomer(market)
    const { secret } = await enrol(market, user)
    const ended = await tokenByCode(market, user, secret)
    const { token } = await operatorWithCode(market, operator)
    const path = `/v1/Operator/Users/${user.id}/SecondFactor`
    const answer = await call(market, 'DELETE', `${path}?reason=Lost+phone`, { token })
    expect(answer.status).toBe(204)
    expectProblem(await call(market, 'GET', '/v1/Account', { token: ended }), 'invalid_token')
    expect((await signIn(market, user)).status).toBe(200)
    expect(await removals(user.id)).toMatchObject([
      { actorKind: 'operator', actorId: operator.id, after: { reason: 'Lost phone' } },
    ])
    expectProblem(await call(market, 'DELETE', path, { token }), 'not_found')
  })

  test("is never the operator's own", async () => {
    const { secret } = await enrol(market, operator)
    const token = await tokenWith(secret)
    const path = `/v1/Operator/Users/${operator.id.toUpperCase()}/SecondFactor`
    expectProblem(await call(market, 'DELETE', path, { token }), 'conflict')
  })
})
