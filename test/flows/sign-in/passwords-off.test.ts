import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '../../../src/base/mail/mailer.ts'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { deliverMail } from '../../../src/identity/people/deliver-mail-service.ts'
import { inviteByOperator } from '../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { type MailServer, startMailServer } from '../../setup/mail-server.ts'
import { accept, newAddress, tokenOf } from '../../setup/people.ts'
import { demoUser, hiddenFields, type WebClient, webClient } from '../../setup/web-client.ts'
import { withConfig } from '../../setup/with-config.ts'

const PASSWORD = 'correct horse battery'

let market: TestMarketplace
let provider: TestProvider
let mails: MailServer
beforeAll(async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  provider = await startIdentityProvider(publicUrl)
  mails = await startMailServer()
  const config = { ...provider.config, ...mails.config, passwordLogin: false }
  market = await startMarketplace({ config })
})
afterAll(() => Promise.all([market.close(), provider.close(), mails.close()]))

const known = () => demoUser(market, 'Seller').email
/** Links are handed over in these tests, and not mailed. */
const quiet = () => ({ ...market.deps, config: { ...market.deps.config, smtpUrl: undefined } })

async function signIn(email: string) {
  provider.person = { sub: email, email, email_verified: true }
  const browser = webClient(market)
  const begun = await browser.get('/signin/oidc?next=%2F')
  await browser.get(await provider.visit(begun.location ?? ''))
  return browser
}

/** An account token that somebody makes on the account page. */
async function tokenOn(browser: WebClient): Promise<string> {
  const { _csrf = '' } = hiddenFields((await browser.get('/Account/Token')).text)
  const { text } = await browser.post('/Account/Token', { _csrf, lifetime: '900' })
  return /export TOKEN='([^']+)'/.exec(text)?.[1] ?? ''
}

describe('PASSWORD_LOGIN=off', () => {
  test('hides passwords of users, and refuses them', async () => {
    const browser = webClient(market)
    const page = (await browser.get('/login')).text
    expect(page).toContain('Sign in with Example ID')
    expect(page).not.toContain('password')
    const answer = await browser.login(demoUser(market, 'Seller'))
    expect(answer.status).toBe(403)
    const { email, password } = demoUser(market, 'Seller')
    const refused = await call(market, 'POST', '/v1/Account/Auth', { body: { email, password } })
    expectProblem(refused, 'password_login_off')
  })

  test('names no way that is not there while the provider is away', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const config = { ...provider.config, oidcIssuer: nowhere, passwordLogin: false }
    const alone = await startMarketplace({ config })
    const page = await webClient(alone).get('/signin/oidc')
    expect(page.status).toBe(503)
    expect(page.text).not.toContain('another way')
    expect(page.text).toContain('Try again in a moment, or ask the operator of this marketplace.')
    await alone.close()
  })

  test('leaves developers their credentials', async () => {
    const { clientId, password } = market.demo
      .developers[0] as TestMarketplace['demo']['developers'][0]
    const answer = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    expect(answer.status).toBe(200)
  })
})

describe('a new password', () => {
  test('cannot be asked for, and every address is answered the same', async () => {
    const ask = (email: string) =>
      call(market, 'POST', '/v1/Account/PasswordReset', { body: { email } })
    const answers = [await ask(known()), await ask(newAddress())]
    for (const answer of answers) expectProblem(answer, 'password_login_off')
    const [one, other] = answers.map(({ body: { requestId: _, ...body } }) => body)
    expect(one).toEqual(other)
    expect(one.detail).toContain('single sign-on')
    expect(await market.deps.db.linkToken.count({ where: { purpose: 'password_reset' } })).toBe(0)
  })

  test('is no page either: /forgot says how users sign in, before and after its form', async () => {
    const browser = webClient(market)
    const page = await browser.get('/forgot')
    expect(page.status).toBe(403)
    for (const words of ['Passwords are switched off', 'single sign-on', 'href="/login"']) {
      expect(page.text).toContain(words)
    }
    const { _csrf = '' } = hiddenFields((await browser.get('/signin/link')).text)
    for (const email of [known(), newAddress(), 'nobody']) {
      const sent = await browser.post('/forgot', { _csrf, email })
      expect([sent.status, sent.text.includes('Passwords are switched off')]).toEqual([403, true])
    }
  })

  test('is set by no link that was made before, and no mail with one is sent', async () => {
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: known() } })
    const before = { ...quiet(), config: { ...quiet().config, passwordLogin: true } }
    const { link } = await createPasswordReset(before, id, SYSTEM)
    const body = { token: tokenOf(link), password: PASSWORD }
    const answer = await call(market, 'POST', '/v1/Account/PasswordReset/Complete', { body })
    expectProblem(answer, 'password_login_off')
    const path = `/reset-password?token=${tokenOf(link)}`
    expect((await webClient(market).get(path)).status).toBe(403)
    const { smtpUrl, mailFrom } = market.deps.config
    if (!smtpUrl || !mailFrom) throw new Error('there is no mail server')
    const mailer = createMailer(smtpUrl, mailFrom)
    const made = await market.deps.db.linkToken.findFirstOrThrow({ where: { userId: id } })
    const asked = { resetFor: known(), askedAt: market.deps.now().toISOString() }
    for (const job of [{ linkId: made.id }, asked]) {
      await deliverMail(market.deps, mailer, job)
    }
    expect(mails.received).toEqual([])
  })

  test('is offered by no operator', async () => {
    const operator = await signIn(market.demo.operator.email)
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: known() } })
    const page = (await operator.get(`/Operator/Users/${id}`)).text
    expect(page).not.toContain('New password')
    expect(page).not.toContain('Password reset')
    const { _csrf = '' } = hiddenFields(page)
    expect((await operator.post(`/Operator/Users/${id}/PasswordReset`, { _csrf })).status).toBe(403)
  })
})

describe('a user whom an operator creates', () => {
  async function operatorToken() {
    const browser = await signIn(market.demo.operator.email)
    return { browser, token: await tokenOn(browser) }
  }

  test('by API gets no password, and single sign-on lets the user in', async () => {
    const { token } = await operatorToken()
    const email = newAddress()
    const create = (more: object) =>
      call(market, 'POST', '/v1/Operator/Users', {
        token,
        body: { email, name: 'Sina Sign-on', partyIds: [], ...more },
      })
    expectProblem(await create({ password: PASSWORD }), 'password_login_off')
    const made = await create({})
    expect([made.status, made.body.password]).toEqual([201, null])
    expect((await (await signIn(email)).get('/Account')).text).toContain('Sina Sign-on')
    const path = `/v1/Operator/Users/${made.body.id}/Password`
    for (const body of [{}, { password: PASSWORD }]) {
      expectProblem(await call(market, 'PUT', path, { token, body }), 'password_login_off')
    }
  })

  test('on the page gets no password, and the page says how the user signs in', async () => {
    const { browser } = await operatorToken()
    const form = await browser.get('/Operator/Users/New')
    expect(form.text).not.toContain('type="password"')
    expect(form.text).toContain('single sign-on')
    const email = newAddress()
    const fields = { ...hiddenFields(form.text), name: 'Pia Page', email }
    const sent = await browser.post('/Operator/Users/New', fields)
    const { text } = await browser.get(sent.location ?? '')
    expect(text).toContain(`Pia Page was created, and signs in by single sign-on as ${email}.`)
    expect(text).not.toContain('Password')
  })
})

describe('an invitation', () => {
  test('asks a new person for no password, and single sign-on lets the person in', async () => {
    const partyIds = [demoUser(market, 'Seller').partyId]
    const invited = { email: newAddress(), name: 'Ines Invited', partyIds }
    const { link } = await inviteByOperator(quiet(), invited, SYSTEM)
    const person = webClient(market)
    const page = await person.get((link ?? '').slice(market.url.length))
    expect(page.text).toContain('sign in by single sign-on')
    expect(page.text).not.toContain('newPassword')
    const done = await person.post('/invitation', hiddenFields(page.text))
    expect([done.status, done.location]).toEqual([303, '/login'])
    expect((await (await signIn(invited.email)).get('/Account')).text).toContain('Ines Invited')
  })

  test('keeps no password that a program sends', async () => {
    const email = newAddress()
    const { link } = await inviteByOperator(quiet(), { email, name: 'New' }, SYSTEM)
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
    const { passwordHash } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const find = async () => passwordHash
    const caller = { kind: 'user', id: email }
    const { matches } = await market.deps.passwords.verify(PASSWORD, find, caller)
    expect(matches).toBe(false)
  })
})

describe('an account token', () => {
  test('is made on the account page, as nobody has a password for the API', async () => {
    const browser = await signIn(known())
    const security = (await browser.get('/Account/Security')).text
    expect(security).toContain('href="/Account/Token"')
    expect(security).toContain('single sign-on, which asks for a second factor itself')
    const token = await tokenOn(browser)
    const own = await call(market, 'GET', '/v1/Account', { token })
    expect(own.body).toMatchObject({ email: known() })
  })

  test('is good where a second factor is a duty and the provider has asked for it', async () => {
    await withConfig(market, { requireSecondFactor: ['operators'] }, async () => {
      const browser = await signIn(market.demo.operator.email)
      const token = await tokenOn(browser)
      expect((await call(market, 'GET', '/v1/Operator/Users', { token })).status).toBe(200)
    })
  })
})

describe('a second factor', () => {
  const PATH = '/Account/SecondFactor'
  const begin = async (browser: WebClient) => {
    const page = await browser.get(PATH)
    return { page, answer: await browser.post(PATH, hiddenFields(page.text)) }
  }

  test('is turned on without a password by whoever has just signed in', async () => {
    const { page, answer } = await begin(await signIn(known()))
    expect(page.text).not.toContain('currentPassword')
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Scan the code')
  })

  test('is begun with no password by API, and no answer tells whether an old one is right', async () => {
    const { email, password } = demoUser(market, 'Buyer')
    const token = await tokenOn(await signIn(email))
    const failures = await market.deps.db.loginFailure.count()
    const answers = []
    for (const given of [password, 'wrong']) {
      const body = { password: given }
      answers.push(await call(market, 'POST', '/v1/Account/SecondFactor', { token, body }))
    }
    for (const answer of answers) expectProblem(answer, 'password_login_off')
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
    const { db } = market.deps
    expect(await db.secondFactor.count({ where: { user: { email } } })).toBe(0)
    expect(await db.loginFailure.count()).toBe(failures)
  })

  test('is begun on the page with no old password either, when the sign-in is not fresh', async () => {
    const { email, password } = demoUser(market, 'Buyer')
    const browser = await signIn(email)
    market.advance(601)
    const page = await browser.get(PATH)
    const sent = await browser.post(PATH, { ...hiddenFields(page.text), currentPassword: password })
    expect(sent.status).toBe(409)
    expect(await market.deps.db.secondFactor.count({ where: { user: { email } } })).toBe(0)
  })

  test('asks for a new sign-in after ten minutes', async () => {
    const browser = await signIn(known())
    market.advance(601)
    const { answer } = await begin(browser)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('You signed in more than 10 minutes ago.')
    expect((await browser.get(`${PATH}/Confirm`)).location).toBe(PATH)
  })
})
