import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type PlainProvider, startPlainProvider } from '../../setup/plain-provider.ts'
import { demoUser, webClient } from '../../setup/web-client.ts'

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
  Object.assign(provider, { metadata: {}, answerCode: undefined })
  provider.claims = { sub: 'seller', email, email_verified: true }
  // The marketplace reads the metadata anew.
  market.advance(HOUR_SECONDS)
  lines = []
})

const signIn = () => provider.signIn(webClient(market))

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

describe('what a provider says of a person', () => {
  test('names somebody: an empty subject is nobody', async () => {
    provider.claims = { ...provider.claims, sub: '' }
    const page = await signIn()
    expect(page.status).toBe(403)
    expect(page.text).toContain('The provider names you in a way that we cannot keep.')
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
