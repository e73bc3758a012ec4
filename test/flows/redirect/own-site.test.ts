import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, userToken } from '../../setup/client.ts'
import { CODE_APP, RETURN_URL } from '../../setup/code-flow.ts'
import { developerConsole } from '../../setup/console.ts'
import { demoUser, signedIn, type WebClient } from '../../setup/web-client.ts'

const WEBSITE = 'https://price-sync.example/start'

let market: TestMarketplace
let browser: WebClient
let installationId: string
beforeAll(async () => {
  market = await startMarketplace()
  browser = await signedIn(market, demoUser(market, 'Seller'))
  installationId = demoInstallation(market, CODE_APP, 'Seller').id
})
afterAll(() => market.close())
beforeEach(() => change({ tokenDelivery: 'code', websiteUrl: WEBSITE, authReturnUrl: RETURN_URL }))

const change = (data: Record<string, string | null>) =>
  market.deps.db.app.update({ where: { id: CODE_APP }, data })

/** The addresses of the links that open the app. */
const linksOf = (text: string) =>
  [...text.matchAll(/<a class="button primary[^"]*"\s+href="([^"]*)"[^>]*>Open/g)].map(
    ([, href]) => href,
  )

describe('an app that takes codes only', () => {
  test.each([
    ['home', () => '/'],
    ['its listing', () => `/Apps/${CODE_APP}`],
    ['the installed apps', () => '/Installed'],
    ['its installation', () => `/Installed/${installationId}`],
  ])('opens at its own site from %s', async (_what, path) => {
    const { status, text } = await browser.get(path())
    expect(status).toBe(200)
    expect(linksOf(text)).toEqual([WEBSITE])
    expect(text).toContain('Open at <bdi>price-sync.example</bdi>')
  })

  test('opens at the site of its return address when it has no website', async () => {
    await change({ websiteUrl: null })
    expect(linksOf((await browser.get('/')).text)).toEqual(['https://app.example/'])
    const token = await userToken(
      market,
      market.demo.users.findIndex(({ email }) => email === demoUser(market, 'Seller').email),
    )
    const path = `/v1/Account/Installations/${installationId}`
    const { body } = await call(market, 'GET', path, { token })
    expect(body.openUrl).toBe('https://app.example/')
  })

  test('without a return address runs in the background', async () => {
    await change({ authReturnUrl: null })
    const { text } = await browser.get('/')
    expect(linksOf(text)).toEqual([])
    expect(text).toContain('Runs in the background')
  })

  test('that takes tokens again opens by the redirect', async () => {
    await change({ tokenDelivery: 'token' })
    const { partyId } = demoUser(market, 'Seller')
    expect(linksOf((await browser.get('/')).text)).toEqual([
      `/Apps/Authenticate/${CODE_APP}?partyId=${partyId}`,
    ])
  })

  test('opens in the sandbox at its own site, too', async () => {
    const developer = await developerConsole(market)
    const { text, headers } = await developer.get(`/Apps/${CODE_APP}/Sandbox/Open`)
    expect(text).toContain(WEBSITE)
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:")
    const sent = await developer.send(`/Apps/${CODE_APP}/Sandbox/Open`)
    expect([sent.status, sent.location]).toEqual([303, WEBSITE])
  })
})
