import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { setPassword } from '../../../../src/identity/accounts/user-passwords-service.ts'
import { linkForReset } from '../../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type MailServer, mailsDone, startMailServer } from '../../../setup/mail-server.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../../setup/operator.ts'
import { accept, complete, newAddress, tokenOf } from '../../../setup/people.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'
const OTHER = 'another horse battery'

let mails: MailServer
let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({
    config: { argon2Concurrency: 2, trustProxy: '127.0.0.1', ...mails.config },
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
  return { ...user, id: body.id as string }
}

let networks = 0
/** Each request from another network, unless one is given: their limits are a test of their own. */
function ask(email: unknown, at = market, network?: string) {
  networks += 1
  const other = `203.0.${networks >> 8}.${networks & 255}`
  return call(at, 'POST', '/v1/Account/PasswordReset', {
    body: { email },
    headers: { 'x-forwarded-for': network ?? other },
  })
}
const mailsTo = (address: string) => mails.received.filter(({ to }) => to === address)
const nextMail = (email: string) => mails.next(email, () => ask(email))
const nextLink = async (email: string) => (await nextMail(email)).link

describe('a lost password', () => {
  test('is replaced with the link of a mail; sessions and tokens end', async () => {
    const user = await newUser()
    const browser = await signedIn(market, user)
    const token = await accountToken(market, user)
    const { link } = await mails.next(user.email, () => ask(` ${user.email.toUpperCase()}`))
    expect(link).toContain(`${market.url}/reset-password?token=amkt_link_`)
    const done = await complete(market, link, OTHER)
    expect([done.status, done.body]).toEqual([200, { email: user.email }])
    expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'invalid_token')
    expect((await browser.get('/Account')).status).toBe(303)
    expect(typeof (await accountToken(market, { ...user, password: OTHER }))).toBe('string')
    const old = await call(market, 'POST', '/v1/Account/Auth', { body: user })
    expectProblem(old, 'invalid_credentials')
  })

  test('the mail is plain text and HTML, and comes from MAIL_FROM', async () => {
    const { email } = await newUser()
    const mail = await nextMail(email)
    expect(mail.raw).toContain('From: App Marketplace <marketplace@example.com>')
    expect(mail.raw).toContain('text/plain')
    expect(mail.raw).toContain('text/html')
  })
})

describe('the link for a new password', () => {
  test('works once, for 30 minutes, and for no other purpose', async () => {
    const { email } = await newUser()
    const link = await nextLink(email)
    expectProblem(await accept(market, link, OTHER), 'invalid_link')
    expectProblem(await complete(market, link, 'short'), 'unprocessable')
    expect((await complete(market, link, OTHER)).status).toBe(200)
    expectProblem(await complete(market, link, PASSWORD), 'invalid_link')
    const late = await nextLink(email)
    market.advance(30 * 60 + 1)
    expectProblem(await complete(market, late, PASSWORD), 'invalid_link')
    market.advance(-30 * 60 - 1)
  })

  test('a newer one ends it, and so does a change of the password', async () => {
    const user = await newUser()
    const [older, newer] = [await nextLink(user.email), await nextLink(user.email)]
    expectProblem(await complete(market, older, OTHER), 'invalid_link')
    await setPassword(market.deps, user.id, { password: PASSWORD }, SYSTEM)
    expectProblem(await complete(market, newer, OTHER), 'invalid_link')
  })

  test('of 20 uses at once one succeeds', async () => {
    const user = await newUser()
    const link = await nextLink(user.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => complete(market, link, `password ${index}`)),
    )
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
    expect(others.filter((code) => code !== 'invalid_link' && code !== 'conflict')).toEqual([])
    const password = `password ${winners[0]}`
    expect(typeof (await accountToken(market, { ...user, password }))).toBe('string')
  })
})

describe('known and unknown addresses cannot be told apart', () => {
  test('by body, headers and the work of a request, over 200 pairs', async () => {
    // Nothing is sent here: the statements are those of the requests alone.
    const quiet = await startMarketplace({
      config: { trustProxy: '127.0.0.1', ...mails.config },
    })
    const known = quiet.demo.users[0]?.email ?? ''
    const statements = noteStatements(quiet.deps.pool)
    const shapes = new Set<string>()
    for (let pair = 0; pair < 200; pair++) {
      for (const email of [known, `nobody${pair}@people.example`]) {
        statements.take()
        const answer = await ask(email, quiet)
        const sent = statements.take().filter(({ ofRequest }) => ofRequest)
        // One request in fifty clears what is kept of windows that are over.
        const usual = sent
          .map(({ text }) => text)
          .filter((text) => !text.includes('DELETE FROM login_failures'))
        const headers = [...answer.headers].filter(
          ([name]) => name !== 'x-request-id' && name !== 'date',
        )
        shapes.add(JSON.stringify([answer.status, answer.text, headers, usual]))
      }
    }
    await quiet.close()
    const [shape = '', ...others] = shapes
    expect(others).toEqual([])
    expect(shape).toContain('INSERT INTO login_failures')
  })

  test('mails go to users only, and at most 5 in an hour to one', async () => {
    const known = await newUser()
    for (let count = 0; count < 10; count++) {
      await ask(known.email)
      await ask(`nobody${count}@people.example`)
    }
    await mailsDone(market)
    expect(mailsTo(known.email).length).toBeLessThanOrEqual(5)
    expect(mails.received.filter(({ to }) => to.startsWith('nobody'))).toEqual([])
  })

  test('links that an operator makes take none of these mails', async () => {
    const { email, id } = await newUser()
    for (let count = 0; count < 5; count++) await operator('POST', `Users/${id}/PasswordReset`)
    await mailsDone(market)
    expect((await complete(market, await nextLink(email), OTHER)).status).toBe(200)
  })

  test('one more mail is sent when the last link has run out', async () => {
    const known = await newUser()
    for (let count = 0; count < 5; count++) await nextMail(known.email)
    market.advance(30 * 60 + 1)
    try {
      expect((await complete(market, await nextLink(known.email), OTHER)).status).toBe(200)
    } finally {
      market.advance(-30 * 60 - 1)
    }
  })

  test('a suspended user gets no mail', async () => {
    const user = await newUser()
    await operator('POST', `Users/${user.id}/Suspend`, { reason: 'Away' })
    await ask(user.email)
    await mailsDone(market)
    expect(mailsTo(user.email)).toEqual([])
  })

  test('by its limit, which is that of sign-ins and a budget of its own', async () => {
    for (const email of [(await newUser()).email, newAddress()]) {
      for (let count = 0; count < 10; count++) {
        expect((await ask(email, market, '198.51.100.7')).status).toBe(202)
      }
      const limited = await ask(email, market, '198.51.100.7')
      expectProblem(limited, 'too_many_requests')
      expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    }
  })

  test.each([
    ['no address', 'unprocessable'],
    [5, 'invalid_request'],
    ['\0@x', 'invalid_request'],
  ])('what is no address is refused: %j', async (email, code) => {
    expectProblem(await ask(email), code as 'unprocessable')
  })
})

describe('an operator', () => {
  test('has a link mailed to a user; the present password stays until then', async () => {
    const user = await newUser()
    const mail = await mails.next(user.email, async () => {
      const { status, body } = await operator('POST', `Users/${user.id}/PasswordReset`)
      expect([status, body]).toEqual([
        201,
        { email: user.email, expiresAt: expect.any(String), mailed: true },
      ])
    })
    expect(typeof (await accountToken(market, user))).toBe('string')
    expect((await complete(market, mail.link, OTHER)).status).toBe(200)
  })

  test('invites by mail; the answer has no link then', async () => {
    const email = newAddress()
    const mail = await mails.next(email, async () => {
      const { body } = await operator('POST', 'Invitations', { email, name: 'New' })
      expect(body).toMatchObject({ mailed: true })
      expect(body).not.toHaveProperty('link')
    })
    expect((await accept(market, mail.link, PASSWORD)).body).toMatchObject({ email })
  })
})

describe('a mail server that refuses', () => {
  test('for now is asked again, with a new token for the same link', async () => {
    mails.refuseWith(451)
    const email = newAddress()
    expect((await operator('POST', 'Invitations', { email, name: 'New' })).status).toBe(201)
    const { mails: counts } = market.deps.measures
    const { postponed, sent } = counts
    await expect.poll(() => counts.postponed).toBeGreaterThan(postponed)
    const mail = await mails.next(email, () => mails.refuseWith())
    expect((await accept(market, mail.link, PASSWORD)).status).toBe(200)
    await expect.poll(() => counts.sent).toBeGreaterThan(sent)
  })

  test('for good is told to those who see the invitation, and counted', async () => {
    const { partyId } = demoUser(market, 'Seller')
    mails.refuseWith(550, 'RCPT TO', '5.1.1 unknown')
    const { refused } = market.deps.measures.mails
    const email = newAddress()
    const invited = await operator('POST', 'Invitations', {
      email,
      name: 'New',
      partyIds: [partyId],
    })
    expect(invited.body).toMatchObject({ mailed: true, mailRefusedAt: null })
    const one = async () =>
      (await operator('GET', 'Invitations')).body.find(
        ({ id }: { id: string }) => id === invited.body.id,
      )
    await expect.poll(one).toMatchObject({ email, mailRefusedAt: expect.any(String) })
    expect(market.deps.measures.mails.refused).toBe(refused + 1)
    mails.refuseWith()
    const admin = await signedIn(market, demoUser(market, 'Seller'))
    const said = 'The mail could not be delivered.'
    expect((await admin.get(`/Account/Members?partyId=${partyId}`)).text).toContain(said)
    expect((await (await operatorBrowser(market)).get('/Operator/Invitations')).text).toContain(
      said,
    )
    await operator('POST', 'Invitations', { email, name: 'New', partyIds: [partyId] })
    await expect.poll(one).toBeUndefined()
    expect((await admin.get(`/Account/Members?partyId=${partyId}`)).text).not.toContain(said)
  })

  test('for 30 minutes is not asked to send a reset any more', async () => {
    const { email: resetFor } = await newUser()
    const linkAfter = (minutes: number) => {
      const askedAt = new Date(market.deps.now().getTime() - minutes * 60_000).toISOString()
      return linkForReset(market.deps, { resetFor, askedAt })
    }
    expect(await linkAfter(31)).toBeUndefined()
    expect(await linkAfter(29)).toMatchObject({ email: resetFor })
  })

  test('is sent the same link again, which counts as one mail', async () => {
    const { email: resetFor } = await newUser()
    const askedAt = market.deps.now().toISOString()
    const link = () => linkForReset(market.deps, { resetFor, askedAt })
    const first = await link()
    for (let time = 0; time < 6; time++) expect(await link()).toMatchObject({ id: first?.id })
  })

  test('no job holds the token of a link', async () => {
    const email = newAddress()
    const mail = await mails.next(email, () =>
      operator('POST', 'Invitations', { email, name: 'New' }),
    )
    const { rows } = await market.deps.pool.query(
      'SELECT count(*)::int AS n FROM pgboss.job t WHERE t::text LIKE $1',
      [`%${tokenOf(mail.link).slice(10)}%`],
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})
