import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { demoInstallation } from '../setup/client.ts'
import { deliveriesOf, eventually } from '../setup/deliveries.ts'
import { demoDeveloper, demoUser } from '../setup/web-client.ts'
import { type Receiver, startReceiver } from '../setup/webhook-receiver.ts'

let market: TestMarketplace
let browser: Browser
let receiver: Receiver
/** Of the developer, and of a user of an account that has the app. */
let page: Page
let account: Page
let complaints: string[]
let secret: string
let endpointId: string

beforeAll(async () => {
  receiver = await startReceiver()
  ;[market, browser] = await Promise.all([
    startMarketplace({
      config: { webhookAllowedPrivateHosts: new Set([receiver.host]) },
      background: { loopMs: 20, random: () => 0 },
    }),
    openBrowser(),
  ])
  const newPage = async () => (await browser.newContext()).newPage()
  account = await newPage()
  await signInOn(account, market, demoUser(market, 'Seller'))
  page = await newPage()
  complaints = complaintsOf(page)
  await signInOn(page, market, demoDeveloper(market).person)
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
  await receiver?.close()
})

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string | RegExp) =>
  page.getByRole('main').getByRole('link', { name }).first().click()
const upTo = (name: string) =>
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name }).click()
const told = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
const inMain = (text: string | RegExp, on = page) =>
  on.getByRole('main').getByText(text).first().waitFor()
const untilStatus = (type: string, status: string) =>
  eventually(
    () => deliveriesOf(market, endpointId),
    (all) => all.some((one) => one.type === type && one.status === status && one.attempts > 0),
  )
const installed = () =>
  `${market.url}/Installed/${demoInstallation(market, 'price-sync', 'Seller').id}`

describe('in a browser, a developer', () => {
  test('adds an endpoint, after a mistake that loses nothing, and sees its secret once', async () => {
    await follow('Price Sync')
    await page
      .getByRole('navigation', { name: 'App' })
      .getByRole('link', { name: 'Webhooks' })
      .click()
    await heading('Webhooks')
    await page.getByLabel(/^URL/).fill('http://10.0.0.1/hook')
    await page.getByLabel('Only these types').check()
    await page.getByRole('checkbox', { name: /^installation\.suspended/ }).check()
    await page.getByText('Request headers').click()
    await page.getByLabel('Header name 1').fill('x-key')
    await page.getByLabel('Value 1').fill('k3y-of-the-header')
    await press('Add endpoint')
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^The URL must/ })
      .click()
    expect(await page.evaluate('document.activeElement?.id')).toBe('url')
    expect(await page.getByRole('checkbox', { name: /^installation\.suspended/ }).isChecked()).toBe(
      true,
    )
    expect(await page.getByLabel('Value 1').inputValue()).toBe('')
    await page.getByLabel(/^URL/).fill(receiver.url)
    await page.getByRole('checkbox', { name: /^installation\.resumed/ }).check()
    await press('Add endpoint')
    await told('The endpoint was added.')
    secret = (await page.getByRole('status').locator('dd code').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    endpointId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.reload()
    await heading(receiver.url)
    expect(await page.content()).not.toContain(secret)
    expect(await page.content()).not.toContain('k3y-of-the-header')
  })

  test('sends a test, which arrives with the signature and the header', async () => {
    // The receiver answers once the page has said that the delivery is on its way.
    const shown = Promise.withResolvers<void>()
    receiver.answerWith(async (response) => {
      await shown.promise
      response.writeHead(204).end()
    })
    await press('Send a test')
    await told('Test sent.')
    await page.locator('[data-live]').first().waitFor()
    shown.resolve()
    await receiver.until(1)
    const { body, headers } = receiver.received[0] as Receiver['received'][number]
    const event = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(event).toMatchObject({ type: 'webhook.test', data: { appId: 'price-sync', endpointId } })
    expect(headers['x-key']).toBe('k3y-of-the-header')
    await untilStatus('webhook.test', 'succeeded')
    // The page reads it again by itself.
    await inMain('Delivered')
    await page.locator('[aria-live]').filter({ hasText: 'webhook.test: Delivered' }).waitFor()
    await account.goto(installed())
    await inMain('is told of changes at once.', account)
  })

  test('sees why a receiver fails, in the delivery and as it answered', async () => {
    receiver.answerWith((response) => {
      response.writeHead(503, { 'content-type': 'text/html' })
      response.end('<h1>Maintenance</h1> since noon')
    })
    await press('Send a test')
    await untilStatus('webhook.test', 'pending')
    await inMain(/^Failing since/)
    await inMain(/^Retrying in /)
    await follow(/^webhook\.test at position/)
    await heading('webhook.test')
    await inMain('HTTP 503')
    await inMain('Your server returned HTTP 503.')
    await inMain('<h1>Maintenance</h1> since noon')
    await inMain('"type": "webhook.test"')
    await account.goto(installed())
    await inMain(/could not always be reached since/, account)
  })

  test('goes back and forward, and narrows the list of deliveries', async () => {
    await page.goBack()
    await heading(receiver.url)
    await page.goForward()
    await heading('webhook.test')
    await upTo('Deliveries')
    await heading('Deliveries')
    await page.getByLabel('State').selectOption('Pending')
    await press('Show')
    await follow(/^webhook\.test at position/)
    await page.goBack()
    expect(await page.getByLabel('State').inputValue()).toBe('pending')
    await upTo('Endpoint')
    await heading(receiver.url)
  })

  test('disables and enables it, recovers what it missed, and it works again', async () => {
    await follow('Disable…')
    await press('Disable')
    await told('The endpoint was disabled.')
    await untilStatus('webhook.test', 'failed')
    receiver.answerWith((response) => {
      response.writeHead(204).end()
    })
    await press('Enable')
    await told('The endpoint was enabled.')
    await follow('Resend missed events…')
    await heading('Resend missed events')
    await press('Resend events')
    await told(/\d deliver(y is|ies are) on the way\./)
    await eventually(
      () => deliveriesOf(market, endpointId),
      (all) => all.every(({ status }) => status === 'succeeded'),
    )
    await page.reload()
    await inMain('Healthy')
    expect(await page.getByText(/^Failing since/).count()).toBe(0)
    await account.reload()
    await inMain('is told of changes at once.', account)
  })

  test('rotates the secret, changes the endpoint and deletes it', async () => {
    await follow('Rotate the secret…')
    await inMain('For 24 hours each request has two signatures')
    await press('Rotate the secret')
    await told('The secret was rotated.')
    expect(await page.getByRole('status').locator('dd code').textContent()).not.toBe(secret)
    await follow('Change')
    await page.getByLabel('All events').check()
    expect(await page.getByLabel(/^app\.listed/).isVisible()).toBe(false)
    await page.getByLabel('Remove x-key').check()
    await press('Save')
    await told('The endpoint was saved.')
    const endpoint = await market.deps.db.webhookEndpoint.findUniqueOrThrow({
      where: { id: endpointId },
    })
    expect(endpoint).toMatchObject({ eventTypes: [], headerNames: [] })
    await follow('Delete…')
    await press('Delete')
    await told('The endpoint was deleted.')
    await inMain('No endpoints yet')
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
  })
})
