import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { newCustomer } from '../../setup/customer.ts'
import { signedIn, type WebClient } from '../../setup/web-client.ts'
import { appWithWebhooks, setHealth } from '../../setup/webhooks.ts'

const SECRET_URL = 'https://hooks.example.com/s3cret?key=s3cret'
const SINCE = new Date('2026-11-20T09:30:00Z')

let market: SharedMarketplace
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let user: WebClient
let operator: WebClient
let endpointId: string
let installationId: string
beforeAll(async () => {
  market = await sharedMarketplace()
  app = await appWithWebhooks(await author(market))
  const customer = await newCustomer(market)
  const wish = { appId: app.appId, purchaseOptionId: 'free' }
  installationId = (await customer.install(wish)).body.id
  user = await signedIn(market, customer.user)
  operator = await signedIn(market, market.demo.operator)
})

const installed = async () => (await user.get(`/Installed/${installationId}`)).text
const operated = async () => (await operator.get(`/Operator/Apps/${app.appId}`)).text

describe('whether the endpoints of an app work', () => {
  test('is said neither to accounts nor to operators while it has none', async () => {
    expect(await installed()).not.toMatch(/told\s+of changes|be reached|missed changes/)
    expect(await operated()).toContain('This app has no webhook endpoints.')
  })

  test('is said while they do, of the URL the origin only', async () => {
    endpointId = (await app.create({ url: SECRET_URL })).body.id
    expect(await operated()).toContain('1 endpoint: 1 without deliveries yet.')
    await setHealth(market, endpointId, { lastSuccessAt: SINCE })
    expect(await installed()).toContain(`<bdi>App ${app.appId}</bdi> is told of changes at once.`)
    const page = await operated()
    expect(page).toContain('1 endpoint: 1 healthy.')
    expect(page).toContain('<bdi>https://hooks.example.com</bdi>')
    for (const text of [page, await installed()]) expect(text).not.toContain('s3cret')
  })

  test('is said with the time since when they fail', async () => {
    await setHealth(market, endpointId, { failingSince: SINCE })
    const since = '<time datetime="2026-11-20T09:30:00.000Z">2026-11-20 09:30 UTC</time>'
    expect(await installed()).toContain(`could not always be reached since ${since}.`)
    const page = await operated()
    expect(page).toContain('1 endpoint: 1 failing.')
    expect(page).toContain(`Since ${since}`)
  })

  test('is said with the reason when they are disabled', async () => {
    await market.deps.db.webhookEndpoint.update({
      where: { id: endpointId },
      data: { disabledAt: SINCE, disabledReason: 'failing' },
    })
    expect(await installed()).toContain('may have missed changes since')
    expect(await operated()).toContain('after it failed for five days')
  })

  test('is not said once the app is uninstalled', async () => {
    await market.deps.db.installation.update({
      where: { id: installationId },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    expect(await installed()).not.toMatch(/told\s+of changes|be reached|missed changes/)
  })
})
