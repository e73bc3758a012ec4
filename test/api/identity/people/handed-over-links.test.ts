import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer, type Mailer } from '../../../../src/base/mail/mailer.ts'
import { deliverMail } from '../../../../src/identity/people/deliver-mail-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, developerToken, userToken } from '../../../setup/client.ts'
import { newMember } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept, complete, newAddress } from '../../../setup/people.ts'
import { enrol } from '../../../setup/second-factor.ts'
import { withConfig } from '../../../setup/with-config.ts'

const PASSWORD = 'correct horse battery'

let mails: MailServer
let mailer: Mailer
let market: TestMarketplace
let operator: OperatorCalls
let partyId: number
let admin: string
beforeAll(async () => {
  mails = await startMailServer()
  const { smtpUrl, mailFrom } = mails.config
  if (!smtpUrl || !mailFrom) throw new Error('there is no mail server')
  mailer = createMailer(smtpUrl, mailFrom)
  market = await startMarketplace()
  operator = await operatorCalls(market)
  partyId = market.demo.users[0]?.partyId ?? 0
  admin = await userToken(market)
})
afterAll(() => Promise.all([market.close(), mails.close()]))

/** Each is shown the link of the invitation. */
const INVITERS = {
  operator: (email: string) => operator('POST', 'Invitations', { email, name: 'New Person' }),
  account: (email: string) =>
    call(market, 'POST', `/v1/Account/Parties/${partyId}/Invitations`, {
      ...{ token: admin, body: { email, name: 'New Person' } },
    }),
  developer: async (email: string) =>
    call(market, 'POST', '/v1/Developer/Members', {
      ...{ token: await developerToken(market), body: { email, name: 'New Person' } },
    }),
}
const kinds = Object.keys(INVITERS) as (keyof typeof INVITERS)[]

/** The open link to an address, as it is mailed. */
async function mailedTo(
  email: string,
  purpose: 'invitation' | 'password_reset' = 'invitation',
): Promise<string | undefined> {
  const where = { email, purpose, usedAt: null, endedAt: null }
  const { id } = await market.deps.db.linkToken.findFirstOrThrow({ where })
  const send = () => deliverMail(market.deps, mailer, { linkId: id })
  return (await mails.next(email, send)).link
}

/** A user whom somebody made who is shown the link, and is not the owner of the address. */
async function newUnproved() {
  const email = newAddress()
  await accept(market, (await INVITERS.account(email)).body.link, PASSWORD)
  return { email, password: PASSWORD }
}
const isProved = async (email: string) =>
  (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).emailProved

describe('a link that was handed over', () => {
  test.each(kinds)('by the %s is accepted for a user by that user alone', async (kind) => {
    const user = await newMember(market, partyId)
    const { link } = (await INVITERS[kind](user.email)).body
    const without = await accept(market, link, PASSWORD)
    expectProblem(without, 'missing_token')
    expect(without.body.detail).toContain(user.email)
    expectProblem(await accept(market, link, PASSWORD, admin), 'invited_user_required')
    expectProblem(await accept(market, link, PASSWORD, 'forged'), 'invalid_token')
    const developer = await developerToken(market)
    expectProblem(await accept(market, link, PASSWORD, developer), 'wrong_token_kind')
    const token = await accountToken(market, user)
    expect((await accept(market, link, undefined, token)).body).toMatchObject({
      ...{ userId: user.id, created: false },
    })
  })

  test.each(kinds)(
    'by the %s makes a user, whose address it proves for operators',
    async (kind) => {
      const email = newAddress()
      const { link } = (await INVITERS[kind](email)).body
      expect((await accept(market, link, PASSWORD)).body.created).toBe(true)
      expect(await isProved(email)).toBe(kind === 'operator')
    },
  )

  test('of two of one new address that are used at once one makes the user, with its password', async () => {
    const email = newAddress()
    const links = [
      (await INVITERS.operator(email)).body.link,
      (await INVITERS.account(email)).body.link,
    ]
    const passwords = [PASSWORD, 'another password of its own']
    const answers = await Promise.all(
      links.map((link, index) => accept(market, link, passwords[index])),
    )
    const made = answers.findIndex(({ status }) => status === 200)
    expect(answers[made]?.body.created).toBe(true)
    expect(['conflict', 'missing_token']).toContain(answers[1 - made]?.body.code)
    const token = await accountToken(market, { email, password: passwords[made] ?? '' })
    const again = await accept(market, links[1 - made], undefined, token)
    expect(again.body).toMatchObject({ created: false })
  })

  test('lets nobody become an operator under an address that somebody else has taken', async () => {
    const { email } = await newUnproved()
    const invitation = { email, name: 'Real Person', operator: true }
    const { link } = (await operator('POST', 'Invitations', invitation)).body
    expectProblem(await accept(market, link, 'password of the real person'), 'missing_token')
    const token = await accountToken(market, { email, password: PASSWORD })
    expectProblem(await call(market, 'GET', '/v1/Operator/Users', { token }), 'operator_required')
  })
})

describe('a link that was mailed', () => {
  test('is accepted for a user without a sign-in, and proves the address of a new one', async () => {
    const user = await newMember(market, partyId)
    await INVITERS.operator(user.email)
    const answer = await accept(market, await mailedTo(user.email))
    expect(answer.body).toMatchObject({ userId: user.id, created: false })
    expect(typeof (await accountToken(market, user))).toBe('string')
    const email = newAddress()
    await INVITERS.account(email)
    expect((await accept(market, await mailedTo(email), PASSWORD)).body.created).toBe(true)
    expect(await isProved(email)).toBe(true)
  })

  test('gives a user whose address nobody had proved to its owner', async () => {
    const other = await newUnproved()
    await enrol(market, other)
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: other.email } })
    const reset = (await operator('POST', `Users/${id}/PasswordReset`)).body.link
    const invitation = { email: other.email, name: 'Real Person', operator: true }
    await operator('POST', 'Invitations', invitation)
    const link = await mailedTo(other.email)
    expectProblem(await accept(market, link), 'unprocessable')
    const owner = { email: other.email, password: 'password of the real person' }
    expect((await accept(market, link, owner.password)).body.created).toBe(false)
    const refused = await call(market, 'POST', '/v1/Account/Auth', { body: other })
    expectProblem(refused, 'invalid_credentials')
    expectProblem(await complete(market, reset, PASSWORD), 'invalid_link')
    const token = await accountToken(market, owner)
    expect((await call(market, 'GET', '/v1/Operator/Users', { token })).status).toBe(200)
    expect(await isProved(owner.email)).toBe(true)
  })

  test('for a new password proves the address, and one that was handed over does not', async () => {
    const { email } = await newUnproved()
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const ask = () => operator('POST', `Users/${id}/PasswordReset`)
    expect((await complete(market, (await ask()).body.link, PASSWORD)).status).toBe(200)
    expect(await isProved(email)).toBe(false)
    await ask()
    expect((await complete(market, await mailedTo(email, 'password_reset'), PASSWORD)).status).toBe(
      200,
    )
    expect(await isProved(email)).toBe(true)
  })

  test('for a new password gives such a user to the owner of the address, with the second factor', async () => {
    const other = await newUnproved()
    await enrol(market, other)
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: other.email } })
    const reset = () => operator('POST', `Users/${id}/PasswordReset`)
    const password = 'password of the real person'
    // Handed over it proves nothing: the second factor stays.
    await complete(market, (await reset()).body.link, password)
    const owner = { email: other.email, password }
    const asked = await call(market, 'POST', '/v1/Account/Auth', { body: owner })
    expectProblem(asked, 'second_factor_required')
    await reset()
    await complete(market, await mailedTo(other.email, 'password_reset'), PASSWORD)
    const token = await accountToken(market, { ...owner, password: PASSWORD })
    expect((await call(market, 'GET', '/v1/Account', { token })).status).toBe(200)
    // The owner's own factor stays with the next one.
    await enrol(market, { ...owner, password: PASSWORD })
    await reset()
    await complete(market, await mailedTo(other.email, 'password_reset'), password)
    const again = await call(market, 'POST', '/v1/Account/Auth', { body: owner })
    expectProblem(again, 'second_factor_required')
  })
})

describe('a user whose address nobody has proved', () => {
  const idOf = async (email: string) =>
    (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).id

  test('gets no role from an operator before the email is proved, or an operator says it is', async () => {
    const userId = await idOf((await newUnproved()).email)
    const developerId = (await market.deps.db.developer.findFirstOrThrow()).id
    const { body: party } = await operator('POST', 'Parties', { name: 'Proof', type: 'Buyer' })
    const give = [
      () => operator('PATCH', `Users/${userId}`, { operator: true }),
      () => operator('PATCH', `Users/${userId}`, { support: true, name: 'Not Changed' }),
      () => operator('POST', 'Memberships', { userId, partyId: party.id, role: 'member' }),
      () => operator('PATCH', `Memberships/${userId}/${partyId}`, { role: 'admin' }),
      () => operator('POST', `Developers/${developerId}/Members`, { userId, role: 'member' }),
    ]
    for (const [index, attempt] of give.entries()) {
      const answer = await attempt()
      expect([index, answer.status]).toEqual([index, 409])
      expectProblem(answer, 'email_not_proved')
    }
    const read = async () => (await operator('GET', `Users/${userId}`)).body
    expect(await read()).toMatchObject({
      ...{ emailProved: false, operator: false, support: false, name: 'New Person' },
      memberships: [{ partyId, role: 'member' }],
    })
    expectProblem(
      await operator('PATCH', `Users/${userId}`, { emailProved: false }),
      'unprocessable',
    )
    const both = await operator('PATCH', `Users/${userId}`, { emailProved: true, support: true })
    expect(both.body).toMatchObject({ emailProved: true, support: true })
    for (const attempt of give.slice(2)) expect((await attempt()).status).toBeLessThan(300)
  })

  test('may be renamed, and loses roles; the email that an operator writes counts as proved', async () => {
    const userId = await idOf((await newUnproved()).email)
    const change = (fields: object) => operator('PATCH', `Users/${userId}`, fields)
    expect((await change({ name: 'Other Name', operator: false })).status).toBe(200)
    const { body } = await change({ email: newAddress() })
    expect(body.emailProved).toBe(true)
    expect((await operator('DELETE', `Memberships/${userId}/${partyId}`)).status).toBe(204)
  })

  test('counts as its owner after accepting what an operator handed over, signed in', async () => {
    const user = await newUnproved()
    const { link } = (await INVITERS.operator(user.email)).body
    const token = await accountToken(market, user)
    expect((await accept(market, link, undefined, token)).status).toBe(200)
    expect(await isProved(user.email)).toBe(true)
  })

  test('becomes an admin by the account that handed over the link, unless mails are sent', async () => {
    const promote = async () => {
      const userId = await idOf((await newUnproved()).email)
      const path = `/v1/Account/Parties/${partyId}/Members/${userId}`
      return call(market, 'PATCH', path, { token: admin, body: { role: 'admin' } })
    }
    expect((await promote()).status).toBe(200)
    const userId = await idOf((await newUnproved()).email)
    await withConfig(market, mails.config, async () => {
      const path = `/v1/Account/Parties/${partyId}/Members/${userId}`
      const answer = await call(market, 'PATCH', path, { token: admin, body: { role: 'admin' } })
      expectProblem(answer, 'email_not_proved')
    })
  })
})
