import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken } from '../../setup/client.ts'
import { operatorBrowser, operatorWithCode } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { enrol, nextCode, signedInByCode } from '../../setup/second-factor.ts'
import { hiddenFields, mainOf, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const newUser = (more: object = {}) =>
  createUser(market.deps, { email: newAddress(), name: 'Kim <Key>', ...more })
/** A user with a second factor. */
async function newUserWithFactor() {
  const user = await newUser()
  await enrol(market, user)
  return user
}
const hashOf = async (id: string) =>
  (await market.deps.db.user.findUniqueOrThrow({ where: { id } })).passwordHash
const factorsOf = (userId: string) => market.deps.db.secondFactor.count({ where: { userId } })
const formOf = async (browser: WebClient, path: string) =>
  hiddenFields((await browser.get(path)).text)

const CHANGES = [
  ['Password', 'Set a password for Kim &lt;Key&gt;', {}],
  ['SecondFactor', 'Reset two-step sign-in of Kim &lt;Key&gt;', { reason: 'Lost phone' }],
] as const

describe.each(CHANGES)('a change of how a user signs in: %s', (name, title, fields) => {
  test('is asked for on a page of its own, which opening does not make', async () => {
    const user = await newUserWithFactor()
    const browser = await (await operatorWithCode(market)).browser()
    const path = `/Operator/Users/${user.id}`
    const page = await browser.get(path)
    expect(page.text).toContain(`href="${path}/${name}"`)
    expect(mainOf(page)).not.toContain(`action="${path}/${name}"`)
    const before = [await hashOf(user.id), await factorsOf(user.id)]
    const question = await browser.get(`${path}/${name}`)
    expect(question.status).toBe(200)
    expect(mainOf(question)).toContain(title)
    expect(mainOf(question)).toContain(user.email)
    expect(mainOf(question)).toContain('Make sure first that it is the user who asks.')
    expect(mainOf(question)).toContain(`href="${path}"`)
    expect([await hashOf(user.id), await factorsOf(user.id)]).toEqual(before)
  })

  test('needs a second factor of the operator, and the page says where to turn it on', async () => {
    const user = await newUserWithFactor()
    const browser = await operatorBrowser(market)
    const before = [await hashOf(user.id), await factorsOf(user.id)]
    const refused = await browser.send(`/Operator/Users/${user.id}/${name}`, fields)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('Turn on two-step sign-in first')
    expect(refused.text).toContain('href="/Account/Security"')
    expect([await hashOf(user.id), await factorsOf(user.id)]).toEqual(before)
  })

  test('asks for another code when the last is old, and leads back to the question', async () => {
    const user = await newUserWithFactor()
    const operator = await newUser({ operator: true })
    const { secret } = await enrol(market, operator)
    const browser = await signedInByCode(market, operator, secret)
    const path = `/Operator/Users/${user.id}/${name}`
    market.advance(601)
    const before = [await hashOf(user.id), await factorsOf(user.id)]
    const asked = await browser.submit(path, { ...(await formOf(browser, path)), ...fields })
    expect(asked.location).toMatch(/^\/Account\/Confirm\?next=/)
    expect([await hashOf(user.id), await factorsOf(user.id)]).toEqual(before)
    const confirm = await formOf(browser, asked.location ?? '')
    const code = nextCode(market, secret)
    const back = await browser.submit('/Account/Confirm', { ...confirm, code })
    expect(back.location?.split('?')[0]).toBe(path)
    const question = await browser.get(back.location ?? '')
    expect(mainOf(question)).toContain(title)
    const done = await browser.submit(path, { ...hiddenFields(question.text), ...fields })
    expect([done.status, done.location]).toEqual([303, expect.not.stringContaining('Confirm')])
    expect([await hashOf(user.id), await factorsOf(user.id)]).not.toEqual(before)
  })

  test('is hidden from who is no operator', async () => {
    const user = await newUserWithFactor()
    const browser = await signedIn(market, await newUser())
    const { _csrf = '' } = await formOf(browser, '/Account')
    const path = `/Operator/Users/${user.id}/${name}`
    expect((await browser.get(path)).status).toBe(404)
    expect((await browser.submit(path, { _csrf, ...fields })).status).toBe(404)
  })
})

test('a link for a new password needs no second factor of who has none', async () => {
  const user = await newUser()
  const browser = await operatorBrowser(market)
  const made = await browser.send(`/Operator/Users/${user.id}/PasswordReset`)
  expect(made.text).toContain('/reset-password?token=')
  expect(typeof (await accountToken(market, user))).toBe('string')
})

test('a password that is too short leaves the question with what is wrong', async () => {
  const user = await newUser()
  const before = await hashOf(user.id)
  const browser = await (await operatorWithCode(market)).browser()
  const page = await browser.send(`/Operator/Users/${user.id}/Password`, { password: 'short' })
  expect(page.status).toBe(422)
  expect(mainOf(page)).toContain('id="password-error"')
  expect(mainOf(page)).toContain('Set a password for')
  expect(mainOf(page)).not.toContain('value="short"')
  expect(await hashOf(user.id)).toBe(before)
})
