import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type PlainProvider, startPlainProvider } from '../../setup/plain-provider.ts'
import { demoUser, hiddenFields, webClient } from '../../setup/web-client.ts'

const HOUR_SECONDS = 3600

let market: TestMarketplace
let provider: PlainProvider
let lines: string[] = []
beforeAll(async () => {
  provider = await startPlainProvider()
  const config = { ...provider.config, logLevel: 'warn' as const }
  market = await startMarketplace({ config, log: (line) => lines.push(line) })
})
afterAll(() => Promise.all([market.close(), provider.close()]))
beforeEach(async () => {
  await market.deps.db.userIdentity.deleteMany()
  const { email } = demoUser(market, 'Seller')
  Object.assign(provider, { metadata: {}, userinfo: {}, answerCode: undefined })
  provider.claims = { sub: 'seller', email, email_verified: true }
  // The marketplace reads the metadata anew.
  market.advance(HOUR_SECONDS)
  lines = []
})

const signIn = () => provider.signIn(webClient(market))

test('a provider keeps its session after a sign-out here, whose page says so', async () => {
  const browser = webClient(market)
  await provider.signIn(browser)
  const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
  expect((await browser.post('/logout', { _csrf })).location).toBe('/signed-out')
  const { text } = await browser.get('/signed-out')
  expect(text).toContain('If you signed in with <bdi>Plain ID</bdi>, sign out there, too')
})

describe('a provider whose metadata lack', () => {
  test.each([
    ['the address to send browsers to', { authorization_endpoint: undefined }],
    ['an address for codes', { token_endpoint: undefined }],
    ['an address of keys', { jwks_uri: undefined }],
    ['an address that is one', { authorization_endpoint: 'rubbish' }],
    ['an address for browsers', { authorization_endpoint: 'javascript:alert(1)' }],
    ['an address that is a text', { token_endpoint: 5 }],
  ])('%s is away, and no longer than until it is mended', async (_what, metadata) => {
    provider.metadata = metadata
    const page = await signIn()
    expect(page.status).toBe(503)
    expect(page.text).toContain('Signing in with Plain ID does not work right now')
    expect(lines.join()).toContain('MetadataError')
    provider.metadata = {}
    market.advance(5)
    expect((await signIn()).location).toBe('/Installed')
  })
})

test('a provider that has changed its key at once is understood at the second try', async () => {
  expect((await signIn()).location).toBe('/Installed')
  provider.rotateKey()
  expect((await signIn()).text).toContain('Try again.')
  expect((await signIn()).location).toBe('/Installed')
})

describe('what a provider says of a person', () => {
  test('names somebody: an empty subject is nobody', async () => {
    provider.claims = { ...provider.claims, sub: '' }
    const page = await signIn()
    expect(page.status).toBe(403)
    expect(page.text).toContain('The provider names you in a way that we cannot keep.')
    expect(await market.deps.db.userIdentity.count()).toBe(0)
  })

  test('may lack an address, which nobody can verify then', async () => {
    provider.claims = { ...provider.claims, email: undefined }
    const page = await signIn()
    expect(page.status).toBe(403)
    expect(page.text).toContain('The provider did not send your email address.')
    expect(page.text).not.toContain('Verify it')
    expect(await market.deps.db.userIdentity.count()).toBe(0)
  })

  test('may be a text: an address that is verified', async () => {
    provider.claims = { ...provider.claims, email_verified: 'true' }
    expect((await signIn()).location).toBe('/Installed')
  })

  test.each([1, null, {}, ['true '], 'yes'])(
    'and means something else than true is no verified address: %j',
    async (verified) => {
      provider.claims = { ...provider.claims, email_verified: verified }
      expect((await signIn()).text).toContain('has not verified your email')
    },
  )

  test('is not guessed: an address of which it says nothing is not verified', async () => {
    provider.claims = { ...provider.claims, email_verified: undefined }
    const page = await signIn()
    expect(page.status).toBe(403)
    expect(page.text).toContain('does not say whether it has verified your email')
    expect(page.text).toContain('OIDC_TRUST_EMAIL')
  })
})

describe('OIDC_TRUST_EMAIL=true', () => {
  let trusting: TestMarketplace
  beforeAll(async () => {
    trusting = await startMarketplace({ config: { ...provider.config, oidcTrustEmail: true } })
  })
  afterAll(() => trusting.close())

  test.each([
    ['takes an address of which the provider says nothing for verified', undefined, 303],
    ['takes no address that the provider has not verified', false, 403],
  ])('%s', async (_what, verified, expected) => {
    const { email } = demoUser(trusting, 'Seller')
    provider.claims = { sub: `verified: ${verified}`, email, email_verified: verified }
    await trusting.deps.db.userIdentity.deleteMany()
    expect((await provider.signIn(webClient(trusting))).status).toBe(expected)
  })
})

describe('the log says that', () => {
  const answer = (status: number, body: object, headers = {}) => {
    provider.answerCode = (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
  }

  test.each([
    ['the secret is wrong', 'invalid_client'],
    ['the client may not do this', 'unauthorized_client'],
    ['the code is of another sign-in', 'invalid_grant'],
  ])('%s', async (_what, error) => {
    answer(400, { error })
    expect((await signIn()).text).toContain('did not confirm who you are')
    expect(lines.join()).toContain(`"reason":"OAUTH_RESPONSE_BODY_ERROR ${error}"`)
  })

  test('a person pressed Cancel at the provider', async () => {
    const browser = webClient(market)
    const { location } = await browser.get('/signin/oidc')
    const state = new URL(location ?? '').searchParams.get('state')
    await browser.get(`/signin/oidc/callback?state=${state}&error=access_denied`)
    const reason = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR access_denied'
    expect(lines.join()).toContain(`"reason":"${reason}"`)
  })

  test.each([
    ['it has a fault', 503, 'status 503'],
    ['it cuts the connection', undefined, 'UND_ERR_SOCKET'],
  ])('the provider is away, because %s', async (_what, status, reason) => {
    if (status === undefined) provider.answerCode = (response) => response.destroy()
    else answer(status, {})
    expect((await signIn()).status).toBe(503)
    expect(lines.join()).toContain(`"reason":"${reason}"`)
  })

  test('the provider is away, because nothing listens there', async () => {
    const gone = await startPlainProvider()
    await gone.close()
    const log: string[] = []
    const config = { ...gone.config, logLevel: 'warn' as const }
    const alone = await startMarketplace({ config, log: (line) => log.push(line) })
    expect((await gone.signIn(webClient(alone))).status).toBe(503)
    expect(log.join()).toContain('"reason":"ECONNREFUSED"')
    await alone.close()
  })

  test('a provider refuses, in no words that it made up', async () => {
    answer(400, { error: 'made_up' })
    await signIn()
    expect(lines.join()).toContain('"reason":"OAUTH_RESPONSE_BODY_ERROR"')
    expect(lines.join()).not.toContain('made_up')
  })
})

describe('a provider of another issuer than OIDC_ISSUER', () => {
  test.each([
    ['in its metadata', { metadata: { issuer: 'https://other.example/\u202etenant' } }],
    ['in its ID token', { claims: { sub: 'vic', iss: 'https://other.example/\u202etenant' } }],
  ])('%s is not set up right, and the log names both', async (_what, says) => {
    Object.assign(provider, says)
    const page = await signIn()
    expect(page.status).toBe(503)
    expect(page.text).toContain('Signing in with Plain ID is not set up right.')
    const line = lines.map((text) => JSON.parse(text)).find(({ oidcIssuer }) => oidcIssuer)
    expect(line).toMatchObject({
      ...{ oidcIssuer: provider.issuer, issuerOfProvider: 'https://other.example/?tenant' },
    })
  })
})

describe('whether an address is verified', () => {
  const usersEmail = () => demoUser(market, 'Seller').email
  const withUserinfo = (says: object, userinfo: object) => {
    provider.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` }
    provider.claims = { sub: 'seller', email: usersEmail(), ...says }
    provider.userinfo = { sub: 'seller', ...userinfo }
    return signIn()
  }

  test('is asked of userinfo when the ID token does not say it', async () => {
    const page = await withUserinfo({}, { email: usersEmail(), email_verified: true })
    expect(page.location).toBe('/Installed')
  })

  test('counts as the ID token says it, and of the same address only', async () => {
    for (const [says, userinfo] of [
      [{ email_verified: false }, { email: usersEmail(), email_verified: true }],
      [{}, { email: `not.${usersEmail()}`, email_verified: true }],
      [{}, { email: usersEmail(), email_verified: false }],
      [{}, { email: usersEmail() }],
    ]) {
      expect((await withUserinfo(says ?? {}, userinfo ?? {})).status).toBe(403)
    }
  })
})

test('an ID token is of now, or of a minute ahead at most', async () => {
  const now = Math.floor(market.deps.now().getTime() / 1000)
  const said = { ...provider.claims, exp: now + 90_000 }
  for (const [ahead, status] of [
    [86_400, 403],
    [120, 403],
    [30, 303],
  ] as const) {
    provider.claims = { ...said, iat: now + ahead }
    expect([ahead, (await signIn()).status]).toEqual([ahead, status])
  }
})
