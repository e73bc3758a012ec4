import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeOwnUser } from '../../../../src/identity/accounts/own-user-service.ts'
import { removeOneself } from '../../../../src/identity/accounts/remove-user-service.ts'
import { requestEmailChange } from '../../../../src/identity/people/email-changes-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import {
  type OperatorCalls,
  operatorBrowser,
  operatorCalls,
  operatorWithCode,
} from '../../../setup/operator.ts'
import { newAddress, newUserWithToken, USER_PASSWORD as password } from '../../../setup/people.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const newUser = (input: { partyIds?: number[]; operator?: boolean } = {}) =>
  newUserWithToken(market, operator, input)

/** A new developer with one owner. */
async function ownDeveloper(userId: string) {
  const { body } = await operator('POST', 'Developers', { name: newAddress() })
  await operator('POST', `Developers/${body.id}/Members`, { userId, role: 'owner' })
  return body as { id: string; name: string }
}

const rowOf = (id: string) => market.deps.db.user.findUniqueOrThrow({ where: { id } })

describe('the removal of a user', () => {
  test('replaces email and name and ends all that the user could do', async () => {
    const { partyId } = demoUser(market, 'Seller')
    const user = await newUser({ partyIds: [partyId] })
    const browser = await signedIn(market, user)
    const { db } = market.deps
    const where = { userId: user.id }
    await db.userIdentity.create({
      data: { ...where, issuer: 'https://id.example', subject: 'lee' },
    })
    const kept = { sealed: new Uint8Array(1), expiresAt: new Date(Date.now() + 60_000) }
    await db.keptForm.create({ data: { ...where, ...kept } })
    expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
    const row = await rowOf(user.id)
    expect(row.email).toMatch(new RegExp(`^${user.id}\\.[0-9a-f]{16}@removed\\.invalid$`))
    expect(row.name).toBe('Removed user')
    expectProblem(await call(market, 'GET', '/v1/Account', { token: user.token }), 'invalid_token')
    expect((await browser.get('/Account')).status).toBe(303)
    expect((await webClient(market).login(user)).status).toBe(401)
    const again = { email: row.email, password }
    expect((await webClient(market).login(again)).status).toBe(401)
    expect([
      await db.membership.count({ where }),
      await db.session.count({ where }),
      // Otherwise the person could never be linked again.
      await db.userIdentity.count({ where }),
      await db.keptForm.count({ where }),
    ]).toEqual([0, 0, 0, 0])
    const entry = await db.auditEvent.findFirstOrThrow({ where: { action: 'user.removed' } })
    expect(entry.subjectId).toBe(user.id)
  })

  test('is not stopped by somebody who has an address with its id', async () => {
    const user = await newUser()
    const other = await newUser()
    const where = { id: other.id }
    const data = { email: `${user.id}@removed.invalid` }
    await market.deps.db.user.update({ where, data })
    expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
    await market.deps.db.user.delete({ where })
  })

  test('leaves an address that nobody else can be given', async () => {
    const { id, token } = await newUser()
    const email = `${id}@Removed.INVALID`
    const person = { email, name: 'Lee Leaving' }
    const refused = [
      await operator('POST', 'Users', { ...person, partyIds: [] }),
      await operator('PATCH', `Users/${id}`, { email }),
      await operator('POST', 'Invitations', person),
      await call(market, 'POST', '/v1/Account/EmailChange', { token, body: { email, password } }),
    ]
    for (const answer of refused) {
      expectProblem(answer, 'unprocessable')
      expect(answer.body.errors).toMatchObject([{ pointer: '/email' }])
    }
    const reset = await call(market, 'POST', '/v1/Account/PasswordReset', { body: { email } })
    expect(reset.status).toBe(202)
  })

  test('is told to the accounts and developers that lose a member', async () => {
    const { partyId } = demoUser(market, 'Seller')
    const user = await newUser({ partyIds: [partyId] })
    const developer = await ownDeveloper(user.id)
    expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
    const removals = await market.deps.db.auditEvent.findMany({
      where: { subjectId: { startsWith: user.id }, action: { endsWith: '.removed' } },
      orderBy: { id: 'asc' },
    })
    expect(removals).toMatchObject([
      { action: 'developer_member.removed', developerId: developer.id, before: { role: 'owner' } },
      { action: 'membership.removed', partyId, before: { userId: user.id, role: 'admin' } },
      { action: 'user.removed' },
    ])
  })

  test('is refused to the last owner of a developer, until there is another one', async () => {
    const user = await newUser()
    const developer = await ownDeveloper(user.id)
    const remove = () =>
      call(market, 'POST', '/v1/Account/Remove', { token: user.token, body: { password } })
    const refused = await remove()
    expectProblem(refused, 'conflict')
    expect(refused.body.detail).toContain(developer.name)
    const next = { userId: (await newUser()).id, role: 'owner' }
    await operator('POST', `Developers/${developer.id}/Members`, next)
    expect((await remove()).status).toBe(204)
  })

  test('leaves nobody whom operators find, and the email is free', async () => {
    const user = await newUser()
    await operator('DELETE', `Users/${user.id}`)
    expectProblem(await operator('GET', `Users/${user.id}`), 'not_found')
    expectProblem(await operator('DELETE', `Users/${user.id}`), 'not_found')
    expectProblem(await operator('PATCH', `Users/${user.id}`, { name: 'Back' }), 'not_found')
    const second = await newUser({ operator: true })
    const { calls } = await operatorWithCode(market, second)
    expectProblem(await calls('PUT', `Users/${user.id}/Password`, {}), 'not_found')
    expectProblem(await calls('DELETE', `Users/${user.id}/SecondFactor`), 'not_found')
    expect((await operator('DELETE', `Users/${second.id}`)).status).toBe(204)
    expectProblem(await operator('POST', `Users/${user.id}/PasswordReset`), 'not_found')
    expectProblem(await operator('POST', `Users/${user.id}/Resume`), 'not_found')
    const found = await operator('GET', 'Users?q=removed')
    expect(found.body).toEqual([])
    const body = { email: user.email, name: 'Next', partyIds: [] }
    expect((await operator('POST', 'Users', body)).status).toBe(201)
  })

  test('is refused to operators about themselves, and to the last one', async () => {
    const { body: own } = await call(market, 'GET', '/v1/Account', {
      token: await accountToken(market, market.demo.operator),
    })
    expectProblem(await operator('DELETE', `Users/${own.id}`), 'conflict')
    const answer = await call(market, 'POST', '/v1/Account/Remove', {
      token: await accountToken(market, market.demo.operator),
      body: { password: market.demo.operator.password },
    })
    expectProblem(answer, 'operator_needed')
  })

  test('is refused for the last admin of an account with installed apps', async () => {
    const { partyId, partyName } = demoUser(market, 'Seller')
    const { db } = market.deps
    const user = await newUser({ partyIds: [partyId] })
    const others = { partyId, userId: { not: user.id } }
    await db.membership.updateMany({ where: others, data: { role: 'member' } })
    const answer = await operator('DELETE', `Users/${user.id}`)
    expectProblem(answer, 'conflict')
    expect(answer.body.detail).toContain(partyName)
    await db.membership.updateMany({ where: others, data: { role: 'admin' } })
    expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
  })

  test('leaves one of two last admins who go at once', async () => {
    const { partyId } = demoUser(market, 'Seller')
    const { db } = market.deps
    const users = [await newUser({ partyIds: [partyId] }), await newUser({ partyIds: [partyId] })]
    const others = { partyId, userId: { notIn: users.map(({ id }) => id) } }
    await db.membership.updateMany({ where: others, data: { role: 'member' } })
    const answers = await Promise.all(users.map(({ id }) => operator('DELETE', `Users/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    await db.membership.updateMany({ where: { partyId }, data: { role: 'admin' } })
  })

  test('is a page that asks first', async () => {
    const user = await newUser()
    const browser = await operatorBrowser(market)
    const page = await browser.get(`/Operator/Users/${user.id}/Remove`)
    expect(page.text).toContain('Remove Lee Leaving for good')
    const answer = await browser.post(`/Operator/Users/${user.id}/Remove`, hiddenFields(page.text))
    expect(answer.location).toBe('/Operator/Users')
    expect((await browser.get('/Operator/Users')).text).toContain('Lee Leaving was removed.')
  })
})

describe('removing oneself', () => {
  test('takes the own password', async () => {
    const user = await newUser()
    const remove = (body: unknown) =>
      call(market, 'POST', '/v1/Account/Remove', { token: user.token, body })
    expectProblem(await remove({ password: 'wrong' }), 'unprocessable')
    expectProblem(await remove({}), 'invalid_request')
    expect((await remove({ password })).status).toBe(204)
    expect((await rowOf(user.id)).removedAt).not.toBeNull()
  })

  test('and other changes of oneself find a bad token when somebody else was faster', async () => {
    const { id } = await newUser()
    await operator('DELETE', `Users/${id}`)
    const { deps } = market
    const actor = { kind: 'user', id, address: null } as const
    const mailFrom = { name: '', address: 'market@example.com' }
    const smtpUrl = { host: '127.0.0.1', port: 9, secure: false, auth: undefined }
    const mailing = { ...deps, config: { ...deps.config, smtpUrl, mailFrom } }
    const email = 'elsewhere@example.com'
    const gone = expect.objectContaining({ code: 'invalid_token' })
    await expect(changeOwnUser(deps, id, { name: 'Lee' }, actor)).rejects.toEqual(gone)
    await expect(removeOneself(deps, id, { password }, '')).rejects.toEqual(gone)
    await expect(requestEmailChange(mailing, id, { email, password }, '')).rejects.toEqual(gone)
  })

  test('is a page', async () => {
    const user = await newUser()
    const browser = await signedIn(market, user)
    const page = await browser.get('/Account/Remove')
    expect(page.text).toContain('You cannot undo this.')
    expect(page.text).toContain('Older audit entries keep your name')
    const wrong = { ...hiddenFields(page.text), currentPassword: 'wrong' }
    const refused = await browser.post('/Account/Remove', wrong)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Wrong password.')
    const sent = { ...hiddenFields(refused.text), currentPassword: password }
    expect((await browser.submit('/Account/Remove', sent)).location).toBe('/signed-out')
    expect((await rowOf(user.id)).name).toBe('Removed user')
  })
})

describe('the own name', () => {
  test('is changed by API', async () => {
    const { token } = await newUser()
    const change = (body: unknown) => call(market, 'PATCH', '/v1/Account', { token, body })
    expect((await change({ name: 'Lee New' })).body.name).toBe('Lee New')
    expectProblem(await change({ name: '' }), 'unprocessable')
    expectProblem(await change({ name: 'a\0b' }), 'invalid_request')
    expectProblem(await change({ name: 'Lee', operator: true }), 'invalid_request')
    expectProblem(await change({}), 'invalid_request')
  })

  test('is changed on the page', async () => {
    const browser = await signedIn(market, await newUser())
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const refused = await browser.post('/Account/Name', { _csrf, name: '' })
    expect(refused.status).toBe(422)
    await browser.post('/Account/Name', { _csrf, name: 'Lee <b>New</b>' })
    const page = (await browser.get('/Account')).text
    expect(page).toContain('Your name was changed.')
    expect(page).toContain('Lee &lt;b&gt;New&lt;/b&gt;')
  })

  test('is there as it was typed when it is refused, and after a session that ended', async () => {
    const user = await newUser()
    const browser = await signedIn(market, user)
    const form = hiddenFields((await browser.get('/Account')).text)
    const long = 'typed with care '.repeat(20)
    expect((await browser.post('/Account/Name', { ...form, name: long })).text).toContain(
      `name="name" type="text" autocomplete="name" dir="auto" aria-required="true" value="${long}"`,
    )
    market.advance(3601)
    const { location } = await browser.submit('/Account/Name', { ...form, name: 'Lee Later' })
    const next = new URL(location ?? '', market.url).searchParams.get('next') ?? ''
    await browser.login(user, next)
    const page = (await browser.get(next)).text
    expect(page).toContain('You were signed out before this was saved.')
    expect(page).toContain('autocomplete="name" dir="auto" aria-required="true" value="Lee Later"')
    expect(page).toContain('<bdi class="who-name">Lee Leaving</bdi>')
  })
})
