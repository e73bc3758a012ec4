import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../../../src/identity/accounts/members/developer-members-service.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
} from '../../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../../src/identity/people/password-resets-service.ts'
import { createSignInLink } from '../../../../src/identity/single-sign-on/sign-in-link-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { newCustomer, newMember } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newAddress, tokenOf } from '../../../setup/people.ts'
import { signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const FOUND = 'found in public, and have ended'

const report = async (secret: string) => {
  const answer = await call(market, 'POST', '/v1/Secrets/Report', { body: { secret } })
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 202, body: {} })
}
const trail = async (token: string, query = '') =>
  (await call(market, 'GET', `/v1/Account/Audit?action=secret.reported${query}`, { token })).body
const accountPage = async (user: { email: string; password: string }) =>
  (await (await signedIn(market, user)).get('/Account')).text
const eventCount = () => market.deps.db.event.count({ where: { type: 'secret.reported' } })
const expectNowhere = async (secret: string) => {
  const { rows } = await market.deps.pool.query<{ everything: string }>(
    `SELECT string_agg(a::text, ' ') || coalesce((SELECT string_agg(e::text, ' ') FROM events e), '')
       AS everything FROM audit_events a`,
  )
  expect(rows[0]?.everything).not.toContain(secret)
}

describe('a user is told of', () => {
  test('an account token: in the audit trail, and on the account page for a week', async () => {
    const { user, token } = await newCustomer(market)
    const other = await newCustomer(market)
    const events = await eventCount()
    await report(token)
    expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'invalid_token')
    const again = await accountToken(market, user)
    expect(await trail(again)).toMatchObject([
      {
        actor: { kind: 'system', id: null },
        subject: { kind: 'user', id: user.id },
        after: { kind: 'account_token' },
      },
    ])
    expect(await trail(again, '&actorKind=user')).toEqual([])
    expect(await trail(other.token)).toEqual([])
    await expectNowhere(token)
    expect(await eventCount()).toBe(events)
    const page = await accountPage(user)
    expect(page).toContain(FOUND)
    expect(page).toContain('An account token')
    expect(await accountPage(other.user)).not.toContain(FOUND)
    // One transaction: the triggers are back whatever happens.
    await market.deps.pool.query(`
      ALTER TABLE audit_events DISABLE TRIGGER USER;
      UPDATE audit_events SET at = at - interval '8 days';
      ALTER TABLE audit_events ENABLE TRIGGER USER`)
    expect(await accountPage(user)).not.toContain(FOUND)
  })

  test('a link for a new password', async () => {
    const { user, token } = await newCustomer(market)
    const { link } = await createPasswordReset(market.deps, user.id, SYSTEM)
    await report(tokenOf(link))
    await report(tokenOf(link))
    expect(await trail(token)).toMatchObject([
      {
        subject: { kind: 'user', id: user.id },
        after: { kind: 'link', purpose: 'password_reset' },
      },
    ])
    await expectNowhere(tokenOf(link))
    expect(await accountPage(user)).toContain('A link for a new password')
  })

  test('a link that signs in', async () => {
    const { operator } = market.demo
    const { link } = await createSignInLink(market.deps, operator.email)
    await report(tokenOf(link))
    expect(await trail(await accountToken(market, operator))).toMatchObject([
      { after: { kind: 'link', purpose: 'sign_in' } },
    ])
    expect(await accountPage(operator)).toContain('A link to sign in')
  })
})

test('the admins of an account are told of the link of its invitation', async () => {
  const { party, user, token } = await newCustomer(market)
  const member = await newMember(market, party.id)
  const path = `/v1/Account/Parties/${party.id}/Invitations`
  const body = { email: newAddress(), name: 'Ina Invited', role: 'member' }
  const invited = await call(market, 'POST', path, { token, body })
  await report(tokenOf(invited.body.link))
  expect(await trail(token, `&partyId=${party.id}`)).toMatchObject([
    {
      subject: { kind: 'invitation', id: invited.body.id },
      after: { kind: 'link', purpose: 'invitation' },
    },
  ])
  const page = await accountPage(user)
  expect(page).toContain('The link of the invitation')
  expect(page).toContain(invited.body.id)
  expect(await accountPage(member)).not.toContain(FOUND)
})

test('a developer is told of the link of its invitation, also by an event', async () => {
  const { deps } = market
  const { user } = await newCustomer(market)
  const { id: developerId } = await createDeveloper(deps, { name: 'Told Developer' })
  await addDeveloperMember(deps, developerId, { userId: user.id, role: 'owner' }, SYSTEM)
  const person = { email: newAddress(), name: 'Ina Invited', role: 'member' as const }
  const { id, link } = await inviteToDeveloper(deps, developerId, person, SYSTEM)
  await report(tokenOf(link))
  const audit = await deps.db.auditEvent.findFirstOrThrow({
    where: { developerId, action: 'secret.reported' },
  })
  expect(audit).toMatchObject({ subjectKind: 'invitation', subjectId: id, partyId: null })
  const event = await deps.db.event.findFirstOrThrow({
    where: { developerId, type: 'secret.reported' },
  })
  expect(event).toMatchObject({ appId: null, data: { kind: 'link', subjectId: id } })
  await expectNowhere(tokenOf(link))
  const console = await (await signedIn(market, user)).get('/Developer')
  expect(console.text).toContain('The link of the invitation')
})

test("the operator's trail alone tells of the link of an operator's invitation", async () => {
  const { deps } = market
  const person = { email: newAddress(), name: 'Ina Invited' }
  const { id, link } = await inviteByOperator(deps, person, SYSTEM)
  await report(tokenOf(link))
  const audit = await deps.db.auditEvent.findFirstOrThrow({
    where: { subjectId: id, action: 'secret.reported' },
  })
  expect(audit).toMatchObject({ developerId: null, partyId: null, after: { kind: 'link' } })
})
