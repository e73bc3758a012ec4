import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { inviteByOperator } from '../../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Answer, accountToken, call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorWithCode } from '../../../setup/operator.ts'
import { accept, complete, newAddress } from '../../../setup/people.ts'
import { hiddenFields, signedIn, webClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = (await operatorWithCode(market)).calls
})
afterAll(() => market.close())

const GOOD = 'seven quiet herons'
const NAME = 'Grace Hopper'
const newUser = () => createUser(market.deps, { email: newAddress(), name: NAME })
const invite = async () => {
  const person = { email: newAddress(), name: NAME, operator: true }
  return (await inviteByOperator(market.deps, person, SYSTEM)).link
}
const resetLink = async () =>
  (await createPasswordReset(market.deps, (await newUser()).id, SYSTEM)).link
const send = (method: string, path: string) => (password: string) =>
  operator(method, path, { password })

/** Where a password is chosen by API for somebody or something called NAME, each with its answer. */
const DOORS: Record<string, () => Promise<(password: string) => Promise<Answer>>> = {
  'a user': async () => (password) =>
    operator('POST', 'Users', { email: newAddress(), name: NAME, partyIds: [], password }),
  'the password of a user': async () => send('PUT', `Users/${(await newUser()).id}/Password`),
  'a developer': async () => (password) =>
    operator('POST', 'Developers', { name: NAME, clientId: newAddress().split('@')[0], password }),
  'a credential': async () => {
    const { id } = await createDeveloper(market.deps, { name: NAME })
    return send('POST', `Developers/${id}/Credentials`)
  },
  'an own credential': async () => {
    const token = await ownToken()
    return (password) =>
      call(market, 'POST', '/v1/Developer/Credentials', { token, body: { password } })
  },
  'an invitation': async () => {
    const link = await invite()
    return (password) => accept(market, link, password)
  },
  'a reset': async () => {
    const link = await resetLink()
    return (password) => complete(market, link, password)
  },
}

/** A token of a developer who is called NAME. */
async function ownToken(): Promise<string> {
  const { clientId, password } = await createDeveloper(market.deps, { name: NAME })
  const { body } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  return body.token
}

describe.each(Object.keys(DOORS))('a password that is chosen for %s', (what) => {
  const door = () => DOORS[what]?.() ?? Promise.reject(new Error(`there is no door ${what}`))

  test.each(['password123', 'PassWord123', 'ｐａｓｓｗｏｒｄ１２３', 'iloveyou'])(
    'is none of the most common ones: %s',
    async (common) => {
      const choose = await door()
      const answer = await choose(common)
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/password'])
      expect(answer.text).toContain('among the most common ones')
      // The refusal used nothing up.
      expect((await choose(GOOD)).status).toBeLessThan(300)
    },
  )

  test.each(['Grace Hopper', 'grace.hopper', 'GRACEHOPPER', 'App Marketplace', 'marketplace'])(
    'is no name: %s',
    async (name) => {
      const answer = await (await door())(name)
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/password'])
      expect(answer.text).toContain('easy to guess')
      expect(answer.text).not.toContain(`"${name}"`)
    },
  )

  test('is in no answer', async () => {
    const answer = await (await door())(GOOD)
    expect(answer.status).toBeLessThan(300)
    expect(answer.text).not.toContain(GOOD)
    if ('password' in answer.body) expect(answer.body.password).toBeNull()
  })
})

describe('a password that was chosen signs in, and one that was made is shown', () => {
  test.each(['a user', 'the password of a user'])('for %s', async (what) => {
    const made = (await (await DOORS[what]?.())?.(GOOD))?.body
    expect(typeof (await accountToken(market, { email: made.email, password: GOOD }))).toBe(
      'string',
    )
    const generated = await operator('PUT', `Users/${made.id}/Password`, {})
    expect(typeof (await accountToken(market, generated.body))).toBe('string')
  })

  test.each(['a developer', 'a credential', 'an own credential'])('for %s', async (what) => {
    const clientId = (await (await DOORS[what]?.())?.(GOOD))?.body.clientId
    const body = { clientId, password: GOOD }
    expect((await call(market, 'POST', '/v1/Auth', { body })).status).toBe(200)
    const token = await ownToken()
    const own = await call(market, 'POST', '/v1/Developer/Credentials', { token, body: {} })
    const { clientId: second, password } = own.body
    const signIn = await call(market, 'POST', '/v1/Auth', { body: { clientId: second, password } })
    expect(signIn.status).toBe(200)
  })

  test('a client id is a name, too', async () => {
    const clientId = newAddress().split('@')[0] ?? ''
    const answer = await operator('POST', 'Developers', {
      name: NAME,
      clientId,
      password: clientId,
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/password'])
  })

  test('an address is a name, with and without its domain', async () => {
    for (const whole of [true, false]) {
      const email = `quiet.${newAddress()}`
      const password = (whole ? email : email.split('@')[0]) ?? ''
      const answer = await operator('POST', 'Users', { email, name: NAME, partyIds: [], password })
      expect(pointersOf(answer)).toEqual(['/password'])
      expect(await market.deps.db.user.count({ where: { email } })).toBe(0)
    }
  })
})

describe('on pages', () => {
  test('the own password is changed to no common one, and the page says so at its field', async () => {
    const user = await newUser()
    const browser = await signedIn(market, user)
    const fields = hiddenFields((await browser.get('/Account')).text)
    for (const chosen of ['password123', NAME]) {
      const typed = {
        currentPassword: user.password,
        newPassword: chosen,
        repeatedPassword: chosen,
      }
      const page = await browser.post('/Account/Password', { ...fields, ...typed })
      expect(page.status).toBe(422)
      expect(page.text).toContain('id="newPassword-error"')
      expect(page.text).not.toContain('value="password123"')
    }
    expect(typeof (await accountToken(market, user))).toBe('string')
  })

  test.each([
    ['an invitation', '/invitation', invite],
    ['a reset', '/reset-password', resetLink],
  ])('%s takes no common one, and the link stays good', async (_what, path, linkOf) => {
    const browser = webClient(market)
    const link = (await linkOf()) ?? ''
    const page = await browser.get(link.slice(market.url.length))
    const choose = (chosen: string) =>
      browser.post(path, {
        ...hiddenFields(page.text),
        ...{ newPassword: chosen, repeatedPassword: chosen },
      })
    const refused = await choose('password123')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="newPassword-error"')
    expect((await choose(GOOD)).status).toBe(303)
  })

  test('an operator reads at the field why a password is refused', async () => {
    const browser = await (await operatorWithCode(market)).browser()
    const { id } = await newUser()
    const page = await browser.send(`/Operator/Users/${id}/Password`, { password: 'password123' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('id="password-error"')
    expect(page.text).toContain('Set a password for Grace Hopper')
  })
})
