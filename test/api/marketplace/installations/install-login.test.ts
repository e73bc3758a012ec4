import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, developerToken, userToken } from '../../../setup/client.ts'
import { accountCalls, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf, withoutRequestId } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const signIn = (body: unknown) => call(market, 'POST', '/v1/Account/Auth', { body })
const credentials = ({ user }: { user: { email: string; password: string } }) => ({
  email: user.email,
  password: user.password,
})

describe('POST /v1/Account/Auth', () => {
  test('answers a bearer token of one hour that no cache keeps', async () => {
    const answer = await signIn(credentials(await newCustomer(market)))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
      expiresAt: expect.stringMatching(/Z$/),
    })
    const [, payload = ''] = answer.body.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(claims.aud).toBe('account')
    expect(answer.text).not.toContain('@')
  })

  test('does not mind case and space of the email, and unknown properties', async () => {
    const { email, password } = credentials(await newCustomer(market))
    const answer = await signIn({ email: ` ${email.toUpperCase()} `, password, operator: true })
    expect(answer.status).toBe(200)
  })

  test('says the same to a wrong password, an unknown email and a suspended user', async () => {
    const { email, password } = credentials(await newCustomer(market))
    const suspended = await newCustomer(market)
    await market.deps.db.user.update({
      where: { id: suspended.user.id },
      data: { suspendedAt: new Date() },
    })
    const answers = [
      await signIn({ email, password: `${password}x` }),
      await signIn({ email: 'nobody@example.com', password }),
      await signIn(credentials(suspended)),
      await signIn({ email, password: '' }),
      await signIn({ email: '', password }),
      await signIn({ email: `${'x'.repeat(400)}@example.com`, password }),
      await signIn({ email, password: 'x'.repeat(2000) }),
    ]
    for (const answer of answers) {
      expectProblem(answer, 'invalid_credentials')
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as typeof answer))
    }
  })

  test.each([
    [{}, ['/email', '/password']],
    [{ email: 'a@b.example' }, ['/password']],
    [{ email: 5, password: true }, ['/email', '/password']],
    [{ email: null, password: null }, ['/email', '/password']],
    [{ email: ['a@b.example'], password: {} }, ['/email', '/password']],
    [[], ['']],
    ['"x"', ['']],
    ['null', ['']],
  ])('refuses the wrong types of %j', async (body, pointers) => {
    const answer = await signIn(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(pointers)
  })

  test.each(['a\0b', '\ud800'])('refuses text that cannot be stored: %j', async (text) => {
    expectProblem(await signIn({ email: text, password: 'x' }), 'invalid_request')
    expectProblem(await signIn({ email: 'a@b.example', password: text }), 'invalid_request')
  })

  test('takes no developer credentials, nor the other way round', async () => {
    const [developer] = market.demo.developers
    const { clientId = '', password = '' } = developer ?? {}
    expectProblem(await signIn({ email: clientId, password }), 'invalid_credentials')
    const { email, password: own } = credentials(await newCustomer(market))
    const body = { clientId: email, password: own }
    expectProblem(await call(market, 'POST', '/v1/Auth', { body }), 'invalid_credentials')
  })
})

describe('an account token', () => {
  test('is dead at the next request when the user is suspended', async () => {
    const customer = await newCustomer(market)
    expect((await customer.account()).status).toBe(200)
    await market.deps.db.user.update({
      where: { id: customer.user.id },
      data: { suspendedAt: new Date() },
    })
    expectProblem(await customer.account(), 'invalid_token')
    expectProblem(await customer.list(), 'invalid_token')
  })

  test('is dead when the password changed since (its generation was raised)', async () => {
    const customer = await newCustomer(market)
    await market.deps.db.user.update({
      where: { id: customer.user.id },
      data: { tokenGeneration: { increment: 1 } },
    })
    expectProblem(await customer.account(), 'invalid_token')
    const again = await signIn(credentials(customer))
    expect((await accountCalls(market, again.body.token).account()).status).toBe(200)
  })

  test('is no other kind of token', async () => {
    const token = await userToken(market)
    for (const path of ['/v1/Developer/Installations', '/v1/Products', '/v1/Installation']) {
      expectProblem(await call(market, 'GET', path, { token }), 'wrong_token_kind')
    }
    const developer = await developerToken(market)
    const answer = await accountCalls(market, developer).account()
    expectProblem(answer, 'wrong_token_kind')
  })
})

describe('GET /v1/Account', () => {
  test('shows who is signed in, with the accounts by name', async () => {
    const other = await newCustomer(market, 'Buyer')
    const customer = await newCustomer(market, 'Seller', [other.party.id])
    await market.deps.db.party.update({
      where: { id: other.party.id },
      data: { suspendedAt: new Date() },
    })
    const { status, body, text } = await customer.account()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: customer.user.id,
      name: 'Casey Customer',
      email: customer.user.email,
      operator: false,
      support: false,
      parties: [
        { ...customer.party, suspended: false, role: 'admin' },
        { ...other.party, suspended: true, role: 'admin' },
      ]
        .map(({ id, name, type, suspended, role }) => ({ id, name, type, suspended, role }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    })
    expect(text).not.toMatch(/hash|argon|password/i)
  })

  test('of a user without accounts has none', async () => {
    const user = await createUser(market.deps, { email: 'lone@example.com', name: 'Lone' })
    const { token } = (await signIn({ email: user.email, password: user.password })).body
    expect((await accountCalls(market, token).account()).body).toMatchObject({ parties: [] })
  })
})
