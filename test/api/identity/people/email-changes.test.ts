import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { setPassword } from '../../../../src/identity/accounts/user-passwords-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type MailServer, mailsDone, startMailServer } from '../../../setup/mail-server.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { complete, newAddress, tokenOf } from '../../../setup/people.ts'
import { signedIn } from '../../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'

let mails: MailServer
let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({
    config: { argon2Concurrency: 2, ...mails.config },
    background: {},
  })
  operator = await operatorCalls(market)
})
afterAll(async () => {
  await market.close()
  await mails.close()
})

async function newUser() {
  const user = { email: newAddress(), name: 'Some Body', password: PASSWORD, partyIds: [] }
  const { body } = await operator('POST', 'Users', user)
  return { ...user, id: body.id as string, token: await accountToken(market, user) }
}
type User = Awaited<ReturnType<typeof newUser>>

const ask = ({ token }: Pick<User, 'token'>, email: unknown, password: unknown = PASSWORD) =>
  call(market, 'POST', '/v1/Account/EmailChange', { token, body: { email, password } })
const confirm = (link: string | undefined) =>
  call(market, 'POST', '/v1/Account/EmailChange/Confirm', { body: { token: tokenOf(link) } })
const emailOf = async ({ id }: Pick<User, 'id'>) =>
  (await market.deps.db.user.findUniqueOrThrow({ where: { id } })).email
const mailsTo = (address: string) => mails.received.filter(({ to }) => to === address)

/** Asks for a change, and reads the links of both mails. */
async function links(user: User, email: string) {
  const asked = async () => expect((await ask(user, email)).status).toBe(202)
  let from: string | undefined
  const { link: to } = await mails.next(email, async () => {
    from = (await mails.next(user.email, asked)).link
  })
  return { from, to }
}

async function changing() {
  const user = await newUser()
  const email = newAddress()
  return { user, email, ...(await links(user, email)) }
}

describe('the email of a user', () => {
  test.each(['from', 'to'] as const)(
    'changes when both addresses have confirmed, first: %s',
    async (first) => {
      const { user, email, ...both } = await changing()
      const browser = await signedIn(market, user)
      expect(both.to).toContain(`${market.url}/confirm-email?token=amkt_link_`)
      const half = await confirm(both[first])
      expect([half.status, half.body]).toEqual([200, { email, changed: false }])
      expect(await emailOf(user)).toBe(user.email)
      const whole = await confirm(both[first === 'from' ? 'to' : 'from'])
      expect([whole.status, whole.body]).toEqual([200, { email, changed: true }])
      expect((await call(market, 'GET', '/v1/Account', user)).body).toMatchObject({ email })
      expect((await browser.get('/Account')).status).toBe(200)
      expect(typeof (await accountToken(market, { ...user, email }))).toBe('string')
      const old = { email: user.email, password: PASSWORD }
      const refused = await call(market, 'POST', '/v1/Account/Auth', { body: old })
      expectProblem(refused, 'invalid_credentials')
      const { body } = await operator('GET', `Audit?limit=100&subjectId=${user.id}`)
      expect(body).toContainEqual(
        expect.objectContaining({
          action: 'user.changed',
          before: { email: user.email },
          after: { email },
        }),
      )
      expect(body).toContainEqual(
        expect.objectContaining({ action: 'user.email_change_requested' }),
      )
      expect(JSON.stringify(body)).not.toContain('amkt_link_')
    },
  )

  test('changes once when both links are used at the same moment', async () => {
    const { user, email, from, to } = await changing()
    const answers = await Promise.all([from, to, from, to].map(confirm))
    expect(answers.filter(({ body }) => body.changed === true)).toHaveLength(1)
    expect(await emailOf(user)).toBe(email)
  })

  test('ends the other open links of the user', async () => {
    const { user, from, to } = await changing()
    const { link } = await mails.next(user.email, () =>
      operator('POST', `Users/${user.id}/PasswordReset`),
    )
    await confirm(from)
    expect((await confirm(to)).body.changed).toBe(true)
    const open = { userId: user.id, usedAt: null, endedAt: null }
    expect(await market.deps.db.linkToken.count({ where: open })).toBe(0)
    expectProblem(await complete(market, link, 'another horse battery'), 'invalid_link')
  })
})

describe('a link of a change', () => {
  test('works once, and twice is not both', async () => {
    const { user, from } = await changing()
    expect((await confirm(from)).status).toBe(200)
    expectProblem(await confirm(from), 'invalid_link')
    expect(await emailOf(user)).toBe(user.email)
  })

  test('works for 24 hours, and for no other purpose', async () => {
    const { user, from, to } = await changing()
    expectProblem(await complete(market, from, 'another horse battery'), 'invalid_link')
    expect((await confirm(from)).status).toBe(200)
    market.advance(86_401)
    expectProblem(await confirm(to), 'invalid_link')
    market.advance(-86_401)
    expect(await emailOf(user)).toBe(user.email)
  })

  test('ends with a newer request, also beside one that was used', async () => {
    const { user, from, to } = await changing()
    expect((await confirm(from)).status).toBe(200)
    const newer = await links(user, newAddress())
    expectProblem(await confirm(to), 'invalid_link')
    expect((await confirm(newer.to)).body.changed).toBe(false)
    expect(await emailOf(user)).toBe(user.email)
  })

  test('ends with a new password, a change by an operator, and the removal', async () => {
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => setPassword(market.deps, id, {}, SYSTEM),
      (id) => operator('PATCH', `Users/${id}`, { email: newAddress() }),
      (id) => operator('DELETE', `Users/${id}`),
    ]
    for (const end of ends) {
      const { user, from } = await changing()
      await end(user.id)
      const open = { userId: user.id, usedAt: null, endedAt: null }
      expect(await market.deps.db.linkToken.count({ where: open })).toBe(0)
      expectProblem(await confirm(from), 'invalid_link')
    }
  })

  test('does nothing while the user is suspended', async () => {
    const { user, from } = await changing()
    await operator('POST', `Users/${user.id}/Suspend`, { reason: 'Stolen' })
    expectProblem(await confirm(from), 'invalid_link')
  })

  test('is opened by a mail scanner without effect', async () => {
    const { from } = await changing()
    for (const method of ['GET', 'HEAD']) {
      expect((await fetch(from ?? '', { method })).status).toBe(200)
    }
    expect((await confirm(from)).body.changed).toBe(false)
  })
})

describe('an address of somebody else', () => {
  test('is answered like a free one, and gets no mail', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const answers = [await ask(user, newAddress()), await ask(user, other.email)]
    const shapes = answers.map(({ status, text }) => [status, text])
    expect(shapes[0]).toEqual(shapes[1])
    await mailsDone(market)
    expect(mailsTo(other.email)).toEqual([])
    expect(mailsTo(user.email).length).toBeGreaterThan(0)
  })

  test('is refused when it was taken between request and confirmation', async () => {
    const { user, email, from, to } = await changing()
    await confirm(from)
    await operator('POST', 'Users', { email, name: 'First', partyIds: [] })
    expectProblem(await confirm(to), 'already_exists')
    expect(await emailOf(user)).toBe(user.email)
  })
})

describe('a request is refused', () => {
  test('with a wrong password, under the limits of sign-ins', async () => {
    const user = await newUser()
    for (let count = 0; count < 10; count++) {
      const wrong = await ask(user, newAddress(), 'wrong')
      expectProblem(wrong, 'unprocessable')
      expect(pointersOf(wrong)).toEqual(['/password'])
    }
    expectProblem(await ask(user, newAddress()), 'too_many_requests')
  })

  test('after 5 in an hour', async () => {
    const user = await newUser()
    for (let count = 0; count < 5; count++) {
      expect((await ask(user, newAddress())).status).toBe(202)
    }
    const limited = await ask(user, newAddress())
    expectProblem(limited, 'too_many_requests')
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('for the present address, in whatever case', async () => {
    const user = await newUser()
    const same = await ask(user, ` ${user.email.toUpperCase()}`)
    expectProblem(same, 'unprocessable')
    expect(pointersOf(same)).toEqual(['/email'])
  })

  test.each([
    ['no address', 'unprocessable'],
    [5, 'invalid_request'],
    ['\0@x', 'invalid_request'],
  ])('for what is no address: %j', async (email, code) => {
    expectProblem(await ask(await newUser(), email), code as 'unprocessable')
  })

  test('without a mail server, with the advice to ask the operator', async () => {
    const quiet = await startMarketplace()
    const { email, password } = quiet.demo.users[0] ?? { email: '', password: '' }
    const token = await accountToken(quiet, { email, password })
    const body = { email: newAddress(), password }
    const answer = await call(quiet, 'POST', '/v1/Account/EmailChange', { token, body })
    await quiet.close()
    expectProblem(answer, 'conflict')
    expect(answer.body.detail).toContain('Ask its operator')
  })
})

describe('an operator', () => {
  test('changes an email at once; sessions and tokens stay', async () => {
    const user = await newUser()
    const email = newAddress()
    const answer = await operator('PATCH', `Users/${user.id}`, { email: ` ${email.toUpperCase()}` })
    expect([answer.status, answer.body.email]).toEqual([200, email])
    expect((await call(market, 'GET', '/v1/Account', user)).body).toMatchObject({ email })
    const { body } = await operator('GET', 'Audit?limit=1')
    expect(body[0]).toMatchObject({
      action: 'user.changed',
      before: { email: user.email },
      after: { email },
    })
  })

  test('cannot give the email of somebody else', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const answer = await operator('PATCH', `Users/${user.id}`, { email: other.email })
    expectProblem(answer, 'already_exists')
    expect(pointersOf(answer)).toEqual(['/email'])
    expect(await emailOf(user)).toBe(user.email)
  })
})
