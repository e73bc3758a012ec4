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
