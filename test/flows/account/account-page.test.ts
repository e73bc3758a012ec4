import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Customer, newCustomer } from '../../setup/customer.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

describe('the account page', () => {
  const change = async (fields: Record<string, string>) => {
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    return browser.post('/Account/Password', { _csrf, ...fields })
  }

  test('changes the password, and ends all other sessions and tokens', async () => {
    const other = await signedIn(market, customer.user)
    const newPassword = 'quite another password'
    const answer = await change({
      currentPassword: customer.user.password,
      newPassword,
      repeatedPassword: newPassword,
    })
    expect(answer.location).toBe('/Account/Security')
    expect((await browser.get('/Account')).status).toBe(200)
    expect((await other.get('/Account')).location).toBe('/login?next=%2FAccount')
    expect((await customer.account()).status).toBe(401)
    await signedIn(market, { email: customer.user.email, password: newPassword })
    await expect(signedIn(market, customer.user)).rejects.toThrow('401')
  })

  test.each([
    [
      'a wrong current password',
      'wrong',
      'long enough 1',
      'long enough 1',
      /Wrong current password/,
    ],
    ['a short new one', '', 'short', 'short', /at least 8 characters/],
    ['two new ones that differ', '', 'long enough 1', 'long enough 2', /do not match/],
  ])('refuses %s', async (_name, wrong, newPassword, repeatedPassword, why) => {
    const currentPassword = wrong || customer.user.password
    const answer = await change({ currentPassword, newPassword, repeatedPassword })
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(why)
    expect(answer.text).not.toContain('long enough')
    await signedIn(market, customer.user)
  })

  test('tells how long to wait after too many wrong passwords, beside the form', async () => {
    const newPassword = 'long enough 1'
    const attempt = () =>
      change({ currentPassword: 'wrong', newPassword, repeatedPassword: newPassword })
    for (let failures = 0; failures < 10; failures++) expect((await attempt()).status).toBe(422)
    const { status, text } = await attempt()
    expect(status).toBe(429)
    expect(text).toContain(`<a href="#currentPassword">`)
    expect(text).toMatch(/id="currentPassword-error".*Wait [1-9]\d* second/)
    expect(text).toContain('action="/Account/Password"')
    // Not checked, so not known to be right either.
    expect((await change({ currentPassword: customer.user.password })).status).toBe(429)
  })

  test('signs out everywhere', async () => {
    const other = await signedIn(market, customer.user)
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const answer = await browser.post('/Account/SignOutEverywhere', { _csrf })
    expect(answer.location).toBe('/signed-out')
    for (const one of [browser, other]) {
      expect((await one.get('/Account')).location).toBe('/login?next=%2FAccount')
    }
    expect((await customer.account()).status).toBe(401)
  })
})

test('a name that is saved as it was is told to be unchanged', async () => {
  for (const [name, told] of [
    [` ${customer.user.name} `, 'Your name is unchanged.'],
    ['Another Name', 'Your name was changed.'],
  ] as const) {
    const form = hiddenFields((await browser.get('/Account')).text)
    const sent = await browser.post('/Account/Name', { ...form, name })
    expect((await browser.get(sent.location ?? '')).text).toContain(told)
  }
})

test('the account page sends no operator to the operator, who needs no account', async () => {
  const operator = await signedIn(market, market.demo.operator)
  const { text } = await operator.get('/Account/Accounts')
  expect(text).toContain('You do not need one for your work in the console.')
  expect(text).not.toContain('Ask the operator of this marketplace to add you')
})
