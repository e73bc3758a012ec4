import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { basicHeader, clientFields, sendForm } from '../../../setup/oauth.ts'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const ask = (
  fields: Record<string, string> | [string, string][],
  headers?: Record<string, string>,
) => sendForm(market, '/oauth/token', fields, headers)

type Request = [fields: Record<string, string>, headers?: Record<string, string>]
const client = () => clientFields(market)
const installation = () => demoInstallation(market, 'price-sync', 'Seller')

describe('client credentials', () => {
  test.each([
    ['in the body', () => [{ grant_type: 'client_credentials', ...client() }] as Request],
    [
      'in the header',
      () => [{ grant_type: 'client_credentials' }, basicHeader(client())] as Request,
    ],
    [
      'in the header, with the same id in the body',
      () =>
        [
          { grant_type: 'client_credentials', client_id: client().client_id },
          basicHeader(client()),
        ] as Request,
    ],
  ])('%s give a developer token', async (_where, request) => {
    const answer = await ask(...request())
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('pragma')).toBe('no-cache')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const own = await call(market, 'GET', '/v1/Developer/Apps', { token: answer.body.access_token })
    expect(own.status).toBe(200)
  })

  test('of an unknown client and a wrong password are refused alike, with a challenge', async () => {
    const grant = { grant_type: 'client_credentials' }
    const wrong = { ...client(), client_secret: 'wrong' }
    const answers = [
      await ask({ ...grant, ...wrong }),
      await ask({ ...grant, client_id: 'nobody', client_secret: 'wrong' }),
      await ask(grant, basicHeader(wrong)),
    ]
    for (const { status, body, headers } of answers) {
      expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' })
      expect(body).toEqual(answers[0]?.body)
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm="/)
    }
  })

  test('spend the same budget of wrong passwords as POST /v1/Auth', async () => {
    const fields = { client_id: 'guessed', client_secret: 'wrong' }
    for (let count = 0; count < 10; count++) {
      await ask({ grant_type: 'client_credentials', ...fields })
    }
    const answer = await ask({ grant_type: 'client_credentials', ...fields })
    expect(answer.status).toBe(429)
    expect(answer.body.error).toBe('temporarily_unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const body = { clientId: 'guessed', password: 'wrong' }
    expect((await call(market, 'POST', '/v1/Auth', { body })).status).toBe(429)
  })
})

describe('the token exchange', () => {
  const exchange = async (fields: Record<string, string> = {}, headers?: Record<string, string>) =>
    ask(
      {
        grant_type: TOKEN_EXCHANGE,
        subject_token: await developerToken(market),
        subject_token_type: ACCESS_TOKEN,
        audience: installation().id,
        ...fields,
      },
      headers,
    )

  test('gives an installation token with all that was granted', async () => {
    const { status, body } = await exchange()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      token_type: 'Bearer',
      issued_token_type: ACCESS_TOKEN,
      expires_in: 3600,
      scope: 'products:read profile:read settings:read',
      installation_id: installation().id,
    })
    const own = await call(market, 'GET', '/v1/Installation', { token: body.access_token })
    expect(own.body.id).toBe(installation().id)
  })

  test('narrows the scope', async () => {
    const { body } = await exchange({ scope: 'products:read' })
    expect(body.scope).toBe('products:read')
    expect(decodeJwt(body.access_token).scope).toBe('products:read')
  })

  test.each([
    ['more scope than was granted', { scope: 'products:write' }, 'invalid_scope'],
    ['a scope of spaces only', { scope: ' ' }, 'invalid_scope'],
    ['an unknown installation', { audience: 'nothing' }, 'invalid_target'],
    ['a token that is none', { subject_token: 'nothing' }, 'invalid_request'],
    ['another type of token', { subject_token_type: 'urn:x' }, 'invalid_request'],
    ['another type wanted', { requested_token_type: 'urn:x' }, 'invalid_request'],
    ['an actor', { actor_token: 'x' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
  ])('refuses %s', async (_what, fields, error) => {
    const answer = await exchange(fields)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error })
  })

  test('takes the base address of the server as resource', async () => {
    expect((await exchange({ resource: market.url })).status).toBe(200)
    expect((await exchange({ resource: `${market.url}/` })).status).toBe(200)
  })

  test('refuses a token of another client, and of another kind', async () => {
    const other = clientFields(market, 1)
    const asOther = await exchange({}, basicHeader(other))
    expect(asOther.body.error).toBe('invalid_request')
    const named = await exchange({ client_id: other.client_id })
    expect(named.body.error).toBe('invalid_request')
    const [user] = market.demo.users
    if (user === undefined) throw new Error('the demo has no user')
    const ofUser = await exchange({ subject_token: await accountToken(market, user) })
    expect(ofUser.body.error).toBe('invalid_request')
  })

  test('is for the installations of the developer alone', async () => {
    const answer = await exchange({ subject_token: await developerToken(market, 1) })
    expect(answer.body.error).toBe('invalid_target')
    expect(answer.body.error_description).toMatch(
      /^No live installation of your apps has this id\./,
    )
  })
})

describe('a request', () => {
  test('without a body is told that the body is missing', async () => {
    const answer = await fetch(`${market.url}/oauth/token`, { method: 'POST' })
    const { error_description } = (await answer.json()) as { error_description: string }
    expect(error_description).toMatch(/\. The body (must be an object|is required)/)
    expect(error_description).not.toContain('  ')
  })

  test('with a parameter twice is refused, also one that is unknown', async () => {
    const own = Object.entries({ grant_type: 'client_credentials', ...client() })
    for (const name of ['grant_type', 'client_id', 'anything']) {
      const answer = await ask([...own, [name, 'x'], [name, 'y']])
      expect(answer.status, name).toBe(400)
      expect(answer.body.error).toBe('invalid_request')
      expect(answer.body.error_description).toContain(`${name} occurs more than once`)
    }
  })

  test.each([
    ['nothing', {}, 'invalid_request'],
    ['an unknown grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no value', { grant_type: '' }, 'invalid_request'],
    [
      'a code without a verifier',
      { grant_type: 'authorization_code', code: 'x' },
      'invalid_request',
    ],
    [
      'a name without a password',
      { grant_type: 'client_credentials', client_id: 'northwind' },
      'invalid_client',
    ],
    [
      'a password without a name',
      { grant_type: 'client_credentials', client_secret: 'x' },
      'invalid_request',
    ],
    [
      'a NUL',
      { grant_type: 'client_credentials', client_id: '\0', client_secret: 'x' },
      'invalid_request',
    ],
  ])('with %s is refused', async (_what, fields, error) => {
    const answer = await ask(fields as Record<string, string>)
    expect(answer.body.error).toBe(error)
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  test.each(['Bearer x', 'Basic', 'Basic !', `Basic ${Buffer.from('a%00:b').toString('base64')}`])(
    'with the header %j is of no client',
    async (authorization) => {
      const answer = await ask({ grant_type: 'client_credentials' }, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.body.error).toBe('invalid_client')
    },
  )

  const raw = (pair: string) => ({
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
  })

  test.each(['100%sure:x', 'acme:50+50', 'acme:a%zz'])(
    'with %s in the header, which may not be encoded, reads how it is',
    async (pair) => {
      const { status, body } = await ask({ grant_type: 'client_credentials' }, raw(pair))
      expect([status, body.error]).toEqual([401, 'invalid_client'])
      expect(body.error_description).toContain('a % is written as %25, and a + as %2B')
    },
  )

  test('with a wrong password that needs no encoding reads nothing of it', async () => {
    const { body } = await ask({ grant_type: 'client_credentials' }, raw('acme:wrong'))
    expect(body).toMatchObject({ error: 'invalid_client' })
    expect(body.error_description).not.toContain('%25')
  })

  test('with an empty password is a public client, in the header as in the form', async () => {
    const { client_id } = client()
    const grant = { grant_type: 'authorization_code', code: 'x', code_verifier: 'x'.repeat(43) }
    const inForm = await ask({ ...grant, client_id, client_secret: '' })
    expect(inForm.body.error).toBe('invalid_grant')
    for (const more of [{}, { client_id }, { client_secret: '' }]) {
      const inHeader = await ask({ ...grant, ...more }, raw(`${client_id}:`))
      expect([inHeader.status, inHeader.body]).toEqual([inForm.status, inForm.body])
    }
    const proving = await ask({ grant_type: 'client_credentials' }, raw(`${client_id}:`))
    expect([proving.status, proving.body.error]).toEqual([401, 'invalid_client'])
    const nobody = await ask({ ...grant }, raw(':'))
    expect([nobody.status, nobody.body.error]).toEqual([401, 'invalid_client'])
  })

  test('that is authenticated in two ways is refused', async () => {
    const fields = { grant_type: 'client_credentials', ...client() }
    for (const two of [fields, { grant_type: 'client_credentials', client_id: 'contoso' }]) {
      const answer = await ask(two, basicHeader(client()))
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    }
  })

  test('in JSON, or too large, is refused in the same form', async () => {
    const json = await call(market, 'POST', '/oauth/token', { body: client() })
    expect(json.status).toBe(415)
    expect(json.body.error).toBe('invalid_request')
    const large = await ask({ grant_type: 'x'.repeat(17_000) })
    expect(large.status).toBe(413)
    expect(large.body.error).toBe('invalid_request')
  })

  test('may come from a page of any origin, without cookies', async () => {
    const preflight = await fetch(`${market.url}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await ask({ grant_type: 'x' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })
})
