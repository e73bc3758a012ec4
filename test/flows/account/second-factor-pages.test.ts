import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Customer, newCustomer } from '../../setup/customer.ts'
import { codeOf, enrol, nextCode } from '../../setup/second-factor.ts'
import {
  hiddenFields,
  signedIn,
  submitTwice,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'
import { withConfig } from '../../setup/with-config.ts'

let market: TestMarketplace
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
})

/** Sends a form of a page. */
async function send(browser: WebClient, page: string, path: string, fields = {}) {
  return browser.post(path, { ...hiddenFields((await browser.get(page)).text), ...fields })
}
const begin = (browser: WebClient, currentPassword = customer.user.password) =>
  send(browser, '/Account/SecondFactor', '/Account/SecondFactor', { currentPassword })
const recoveryCodesIn = (text: string) => [
  ...new Set(text.match(/[a-z2-9]{6}-[a-z2-9]{6}-[a-z2-9]{5}/g)),
]
/** The codes in the field that is copied and in the file, both of which need no script. */
function expectToKeep({ text }: { text: string }, codes: readonly string[]) {
  expect(text).toContain(`<code class="lines" data-copy>${codes.join('\n')}</code>`)
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  expect(text).toContain(`download="recovery-codes.txt" href="${file}"`)
}
const passwordStep = async (browser = webClient(market)) => {
  const answer = await browser.login(customer.user, '/Account')
  expect(answer.location).toBe('/login/code?next=%2FAccount')
  return browser
}
const codeStep = (browser: WebClient, code: string) =>
  send(browser, '/login/code?next=%2FAccount', '/login/code', { code })

describe('who waits for a code while an operator takes the lost factor off', () => {
  const waiting = async () => {
    await enrol(market, customer.user)
    const browser = await passwordStep()
    const page = (await browser.get('/login/code?next=%2FAccount')).text
    await market.deps.db.secondFactor.deleteMany({ where: { userId: customer.user.id } })
    return { browser, page }
  }

  test('is led to the sign-in when the page of the code is loaded again', async () => {
    const { browser } = await waiting()
    const again = await browser.get('/login/code?next=%2FAccount')
    expect(again.location).toBe('/login?next=%2FAccount')
    expect((await browser.login(customer.user, '/Account')).location).toBe('/Account')
  })

  test('is not told that a code is wrong', async () => {
    const { browser, page } = await waiting()
    const answer = await browser.submit('/login/code', { ...hiddenFields(page), code: '123456' })
    expect(answer.location).toBe('/login?next=%2FAccount')
    expect((await browser.get(answer.location ?? '')).text).toContain('sign-in has changed')
  })
})

describe('turning it on in the account', () => {
  test('in two tabs says in the first that its key has expired, and starts again', async () => {
    const browser = await signedIn(market, customer.user)
    const first = hiddenFields((await begin(browser)).text)
    const second = hiddenFields((await begin(browser)).text)
    expect(first.secret).not.toBe(second.secret)
    const path = '/Account/SecondFactor/Confirm'
    const code = codeOf(market, first.secret ?? '')
    const { location } = await browser.submit(path, { ...first, code })
    expect(location).toMatch(/^\/Account\/SecondFactor\?/)
    const page = await browser.get(location ?? '')
    expect(page.text).toContain('This setup has expired. Start again.')
    expect(page.text).not.toContain('<svg class="qr-code"')
    const done = await browser.post(path, { ...second, code: codeOf(market, second.secret ?? '') })
    expect(recoveryCodesIn(done.text)).toHaveLength(10)
  })

  test('asks for the password, shows a picture and a key, and then ten recovery codes', async () => {
    const browser = await signedIn(market, customer.user)
    const other = await signedIn(market, customer.user)
    expect((await browser.get('/Account/Security')).text).toContain('Turn on')
    const page = await begin(browser)
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/<svg class="qr-code" role="img"/)
    expect(page.headers.get('cache-control')).toContain('no-transform')
    const fields = hiddenFields(page.text)
    const path = '/Account/SecondFactor/Confirm'
    const wrong = await browser.post(path, { ...fields, code: '000000' })
    expect(wrong.text).toContain('Wrong code.')
    expect(hiddenFields(wrong.text).secret).toBe(fields.secret)
    const code = codeOf(market, fields.secret ?? '')
    const right = { ...hiddenFields(wrong.text), code }
    // A second click shows them, too.
    const [done, again] = await Promise.all([1, 2].map(() => browser.submit(path, right)))
    const shown = await browser.get(done?.location ?? '')
    const codes = recoveryCodesIn(shown.text)
    expect(codes).toHaveLength(10)
    expectToKeep(shown, codes)
    expect(recoveryCodesIn((await browser.get(again?.location ?? '')).text)).toEqual(codes)
    expect(shown.text).toContain('Save these recovery codes now. You will not see them again.')
    expect(shown.text).toContain('href="/Account/Security"')
    expect(recoveryCodesIn((await browser.get(done?.location ?? '')).text)).toEqual([])
    expect((await browser.get('/Account/Security')).text).toContain('Recovery codes left')
    expect((await other.get('/Account')).location).toBe('/login?next=%2FAccount')
  })

  test('can be left at each step, unless the marketplace asks for it', async () => {
    const browser = await signedIn(market, customer.user)
    const cancel = '<a class="button" href="/Account/Security">Cancel</a>'
    const steps = async () => [
      (await browser.get('/Account/SecondFactor')).text,
      (await begin(browser)).text,
    ]
    for (const step of await steps()) expect(step).toContain(cancel)
    await withConfig(market, { requireSecondFactor: ['admins'] }, async () => {
      for (const step of await steps()) expect(step).not.toContain(cancel)
    })
  })

  test('shows the same key to two clicks on Continue', async () => {
    const browser = await signedIn(market, customer.user)
    const path = '/Account/SecondFactor'
    const form = hiddenFields((await browser.get(path)).text)
    const filled = { ...form, currentPassword: customer.user.password }
    const clicks = await Promise.all([1, 2].map(() => browser.submit(path, filled)))
    for (const reload of [false, true]) {
      const pages = clicks.map(({ location }) => browser.get(location ?? ''))
      const secrets = (await Promise.all(pages)).map(({ text }) => hiddenFields(text).secret)
      expect({ reload, secrets }).toEqual({ reload, secrets: [secrets[1], secrets[1]] })
      expect(secrets[0]).toMatch(/^[A-Z2-7]{32}$/)
    }
  })

  test('a stolen session without the password neither begins nor ends what its owner began', async () => {
    const browser = await signedIn(market, customer.user)
    const refused = await begin(browser, 'wrong')
    expect({ status: refused.status, has: /Wrong password/.test(refused.text) }).toEqual({
      ...{ status: 422, has: true },
    })
    const { secret = '' } = hiddenFields((await begin(browser)).text)
    expect(secret).not.toBe('')
    const thief = webClient(market)
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    const confirm = '/Account/SecondFactor/Confirm'
    expect((await thief.get(confirm)).location).toBe('/Account/SecondFactor')
    const guess = await send(thief, '/Account/SecondFactor', confirm, { code: '000000' })
    expect(guess.text).not.toContain(secret)
    expect(guess.location).toBe('/Account/SecondFactor')
  })
})

describe('signing in', () => {
  test('asks for a code after the password; until then nothing is open', async () => {
    const { secret } = await enrol(market, customer.user)
    const browser = await passwordStep()
    expect(browser.cookies.has('session')).toBe(false)
    expect((await browser.get('/Account')).location).toBe('/login?next=%2FAccount')
    const wrong = await codeStep(browser, '000000')
    expect({ status: wrong.status, text: /Wrong code/.test(wrong.text) }).toEqual({
      ...{ status: 401, text: true },
    })
    const done = await codeStep(browser, nextCode(market, secret))
    expect(done.location).toBe('/Account')
    expect((await browser.get('/Account')).status).toBe(200)
    expect(browser.cookies.has('half-sign-in')).toBe(false)
  })

  test('takes a recovery code, and no code twice', async () => {
    const { secret, recoveryCodes } = await enrol(market, customer.user)
    const code = nextCode(market, secret)
    expect((await codeStep(await passwordStep(), code)).location).toBe('/Account')
    expect((await codeStep(await passwordStep(), code)).status).toBe(401)
    const [recovery = ''] = recoveryCodes
    expect((await codeStep(await passwordStep(), recovery)).location).toBe('/Account')
    const again = await codeStep(await passwordStep(), recovery)
    expect(again.status).toBe(401)
    expect(again.text).toContain('or a recovery code that was not used yet')
  })

  test('a second click with a code opens the same session, in the same browser only', async () => {
    const { secret, recoveryCodes } = await enrol(market, customer.user)
    const [recovery = ''] = recoveryCodes
    for (const code of [nextCode(market, secret), recovery]) {
      const browser = await passwordStep()
      const { _csrf = '' } = hiddenFields((await browser.get('/login/code')).text)
      const form = { _csrf, code, next: '/Account' }
      const half = browser.cookies.get('half-sign-in') ?? ''
      const { second } = await submitTwice(browser, '/login/code', form)
      expect([second.status, second.location]).toEqual([303, '/Account'])
      expect((await browser.get('/Account')).status).toBe(200)
      const thief = await passwordStep()
      expect((await thief.submit('/login/code', form)).status).toBe(403)
      // With the cookie of forms, but another half of a sign-in.
      thief.cookies.set('form', browser.cookies.get('form') ?? '')
      await thief.submit('/login/code', form)
      expect(thief.cookies.has('session')).toBe(false)
      // The session of the first click has ended: nothing opens another one.
      await browser.submit('/logout', hiddenFields((await browser.get('/Account')).text))
      browser.cookies.set('half-sign-in', half)
      await browser.submit('/login/code', form)
      expect((await browser.get('/Account')).status).toBe(303)
    }
    const { id: userId } = customer.user
    expect(await market.deps.db.session.count({ where: { userId } })).toBe(0)
    expect(await market.deps.db.recoveryCode.count({ where: { userId } })).toBe(9)
  })

  test('a second click with a code leads on when the first has signed in already', async () => {
    const { secret } = await enrol(market, customer.user)
    const browser = await passwordStep()
    const { _csrf = '' } = hiddenFields((await browser.get('/login/code')).text)
    const form = { _csrf, code: nextCode(market, secret), next: '/Account' }
    const { second } = await submitTwice(browser, '/login/code', form, 'taken')
    expect([second.status, second.location]).toEqual([303, '/login?next=%2FAccount'])
    expect((await browser.get('/login?next=%2FAccount')).location).toBe('/Account')
    // Who has begun another sign-in meanwhile is not past the form.
    browser.cookies.set('half-sign-in', (await passwordStep()).cookies.get('half-sign-in') ?? '')
    const refused = await browser.submit('/login/code', form)
    const again = 'href="/login/code?next=%2FAccount"'
    expect([refused.status, refused.text.includes(again)]).toEqual([403, true])
  })

  test('the half that was done is worth nothing after 10 minutes, or a new password', async () => {
    const { secret } = await enrol(market, customer.user)
    const late = await passwordStep()
    const page = await late.get('/login/code?next=%2FAccount')
    market.advance(601)
    const form = { ...hiddenFields(page.text), code: nextCode(market, secret) }
    expect((await late.submit('/login/code', form)).location).toBe('/login?next=%2FAccount')
    expect((await late.get('/login?next=%2FAccount')).text).toContain('sign-in took too long')
    const outdated = await passwordStep()
    const data = { tokenGeneration: { increment: 1 } }
    await market.deps.db.user.update({ where: { id: customer.user.id }, data })
    const answer = await codeStep(outdated, nextCode(market, secret))
    expect(answer.location).toBe('/login?next=%2FAccount')
    expect(outdated.cookies.has('session')).toBe(false)
  })

  test('too many codes are refused with the time to wait', async () => {
    const { secret } = await enrol(market, customer.user)
    const browser = await passwordStep()
    for (let guess = 0; guess < 10; guess++) await codeStep(browser, '000000')
    const limited = await codeStep(browser, codeOf(market, secret))
    expect(limited.status).toBe(429)
    expect(limited.text).toMatch(/Too many wrong codes\. Wait \d+ seconds/)
  })
})

describe('the security page', () => {
  const signedInWithCode = async (secret: string) => {
    const browser = await passwordStep()
    await codeStep(browser, nextCode(market, secret))
    return browser
  }

  test('gives new recovery codes, and turns the factor off, each for a code', async () => {
    const { secret } = await enrol(market, customer.user)
    const browser = await signedInWithCode(secret)
    const page = '/Account/Security'
    const renew = '/Account/SecondFactor/RecoveryCodes'
    const { text } = await browser.get(renew)
    expect(text).toMatch(/New recovery codes<.*now stop working/s)
    const wrong = await send(browser, renew, renew, { code: '000000' })
    expect(wrong.text).toContain('Wrong code.')
    const renewCode = nextCode(market, secret)
    const renewed = await send(browser, renew, renew, { code: renewCode })
    expect(recoveryCodesIn(renewed.text)).toHaveLength(10)
    expectToKeep(renewed, recoveryCodesIn(renewed.text))
    const remove = '/Account/SecondFactor/Remove'
    const refused = await send(browser, remove, remove, { code: renewCode })
    expect(refused.text).toContain('Wrong code.')
    // A second click finds it turned off.
    const code = nextCode(market, secret)
    const form = { ...hiddenFields((await browser.get(remove)).text), code }
    const { second } = await submitTwice(browser, remove, form)
    expect(second.location).toBe(page)
    expect((await browser.get(page)).text).toContain('Two-step sign-in is off.')
    expect((await webClient(market).login(customer.user)).location).toBe('/')
  })

  test('the factor stays on after a new password, and the browser stays signed in', async () => {
    const { secret } = await enrol(market, customer.user)
    const browser = await signedInWithCode(secret)
    const newPassword = 'quite another password'
    const changed = await send(browser, '/Account', '/Account/Password', {
      ...{ currentPassword: customer.user.password, newPassword, repeatedPassword: newPassword },
    })
    expect(changed.location).toBe('/Account/Security')
    expect((await browser.get('/Account/Security')).text).toContain('Recovery codes left')
    const again = await webClient(market).login({ ...customer.user, password: newPassword })
    expect(again.location).toBe('/login/code?next=%2F')
  })

  test('lists where one is signed in, and ends one or all others', async () => {
    const browser = await signedIn(market, customer.user)
    const others = [await signedIn(market, customer.user), await signedIn(market, customer.user)]
    const page = (await browser.get('/Account/Security')).text
    expect(page.match(/· last used /g)).toHaveLength(3)
    expect(page.match(/This browser/g)).toHaveLength(1)
    expect(page).toContain('127.0.0.0/24')
    const [, path = ''] = /action="(\/Account\/Sessions\/[0-9a-f-]+\/End)"/.exec(page) ?? []
    expect((await send(browser, '/Account/Security', path)).location).toBe('/Account/Security')
    const open = async () =>
      (await Promise.all(others.map((one) => one.get('/Account')))).filter(
        ({ status }) => status === 200,
      )
    expect(await open()).toHaveLength(1)
    await send(browser, '/Account/Security', '/Account/Sessions/EndOthers')
    expect(await open()).toHaveLength(0)
    expect((await browser.get('/Account')).status).toBe(200)
  })
})
