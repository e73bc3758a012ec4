import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Customer, newCustomer } from '../setup/customer.ts'
import { hiddenFields, signedIn, type WebClient } from '../setup/web-client.ts'

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
    expect(answer.location).toBe('/Account?done=password')
    expect((await browser.get('/Account')).status).toBe(200)
    expect((await other.get('/Account')).location).toBe('/login?next=%2FAccount')
    expect((await customer.account()).status).toBe(401)
    await signedIn(market, { email: customer.user.email, password: newPassword })
    await expect(signedIn(market, customer.user)).rejects.toThrow('401')
  })

  test.each([
    ['a wrong current password', 'wrong', 'long enough 1', 'long enough 1', /is wrong/],
    ['a short new one', '', 'short', 'short', /at least 8 characters/],
    ['two new ones that differ', '', 'long enough 1', 'long enough 2', /differ/],
  ])('refuses %s', async (_name, wrong, newPassword, repeatedPassword, why) => {
    const currentPassword = wrong || customer.user.password
    const answer = await change({ currentPassword, newPassword, repeatedPassword })
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(why)
    expect(answer.text).not.toContain('long enough')
    await signedIn(market, customer.user)
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
