import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { listedApp } from '../setup/customer.ts'
import { demoDeveloper } from '../setup/web-client.ts'
import { layOut, setDelivery, storedDeliveries } from '../setup/webhooks.ts'

/** Two in one text, where even a version has room for both. */
const PAYLOADS: [string, string][] = [
  ['<script>ran=1</script>', "{{constructor.constructor('ran=1')()}}"],
  ['<img src=x onerror=ran=1>', '</title></style><script>ran=1</script>'],
  ['"><svg onload=ran=1>', '<a href="javascript:ran=1">&lt;b&gt;</a>'],
  ["' onmouseover='ran=1' x='", '" autofocus onfocus="ran=1'],
  ['javascript:ran=1', '</textarea></select><script>ran=1</script>'],
]

let market: TestMarketplace
let browser: Browser
let developer: Author
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  developer = await author(market)
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

/** All that a page shows: its text, and what stands in its controls. */
async function shownOn(page: Page): Promise<string> {
  return (await page.evaluate(`[
    document.title,
    document.body.textContent,
    ...[...document.querySelectorAll('input, textarea')].flatMap((one) => [one.value, one.placeholder]),
  ].join('\\n')`)) as string
}

/** Twelve fields of an app's definition, each with the payload behind its own name. */
function textsOf(payload: string) {
  const text = (field: string) => `${field} ${payload}`
  return {
    appName: text('appName'),
    description: text('description'),
    optionName: text('optionName'),
    optionDescription: text('optionDescription'),
    purpose: text('purpose'),
    ackTitle: text('ackTitle'),
    ackText: text('ackText'),
    settingName: text('settingName'),
    settingDescription: text('settingDescription'),
    placeholder: text('placeholder'),
    choiceName: text('choiceName'),
    version: `v${payload}`,
    // Of accounts and users, not of the definition.
    partyName: text('partyName'),
    userName: text('userName'),
    typed: text('typed'),
    reason: text('reason'),
  }
}

function definitionOf(texts: ReturnType<typeof textsOf>) {
  return draft(newId(), {
    name: texts.appName,
    description: texts.description,
    version: texts.version,
    permissions: [{ id: 'products:read', purpose: texts.purpose }],
    purchaseOptions: [
      flat('full', 1, { name: texts.optionName, description: texts.optionDescription }),
      flat('free', 0),
    ],
    settings: {
      full: {
        note: {
          type: 'text',
          name: texts.settingName,
          description: texts.settingDescription,
          placeholder: texts.placeholder,
        },
        choice: {
          type: 'select',
          name: 'Choice',
          options: [{ name: texts.choiceName, value: 'x' }],
        },
      },
    },
    acknowledgements: [{ id: 'a', title: texts.ackTitle, text: texts.ackText, order: 1 }],
    authReturnUrl: 'https://app.example/return',
  })
}

describe.each(PAYLOADS)('the texts %j and %j', (first, second) => {
  const payload = first + second

  test('runs nowhere, and shows as it was typed', async () => {
    const texts = textsOf(payload)
    const definition = await listedApp(developer, definitionOf(texts))
    const { deps } = market
    const party = await createParty(deps, { name: texts.partyName, type: 'Seller' })
    const user = await createUser(deps, {
      email: `${definition.id}@hostile.example`,
      name: texts.userName,
      partyIds: [party.id],
    })
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    const expectShown = async (...fields: (keyof typeof texts)[]) => {
      const shown = await shownOn(page)
      for (const field of [...fields, 'userName' as const]) expect(shown).toContain(texts[field])
      expect(await page.evaluate('window.ran')).toBeUndefined()
    }
    await signInOn(page, market, user)
    await expectShown('partyName')

    await page.goto(`${market.url}/Apps?q=${encodeURIComponent(payload)}`)
    expect(await shownOn(page)).toContain(payload)
    const listing = `/Apps/${definition.id}`
    await page.goto(market.url + listing)
    await expectShown('appName', 'description', 'version', 'optionName', 'optionDescription')
    await expectShown('purpose', 'ackTitle', 'ackText', 'partyName')

    await page.goto(`${market.url}${listing}/Install?purchaseOptionId=full`)
    await expectShown('settingName', 'settingDescription', 'placeholder', 'choiceName')
    const note = page.locator('[name="s.note"]')
    await note.fill(texts.typed)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alert').waitFor()
    await expectShown('typed', 'ackTitle')
    await page.locator('[name="accept.a"]').check()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    await expectShown('typed', 'appName', 'version', 'optionName', 'settingName', 'purpose')
    await page.getByRole('button', { name: 'Install' }).click()
    await page.getByRole('status').waitFor()
    await expectShown('typed', 'appName', 'optionName', 'settingName', 'purpose', 'partyName')

    const view = page.url().split('?')[0] ?? ''
    await deps.db.installation.updateMany({
      where: { appId: definition.id },
      data: { status: 'suspended', suspendedAt: new Date(), suspendedReason: texts.reason },
    })
    await page.goto(view)
    await expectShown('reason')
    for (const action of ['Settings', 'Option?purchaseOptionId=free', 'Upgrade', 'Uninstall']) {
      await page.goto(`${view}/${action}`)
      await expectShown('appName', 'partyName')
    }
    await page.goto(`${market.url}/Account/Accounts`)
    await expectShown('partyName')
    await page.goto(`${market.url}/Installed`)
    await expectShown('appName', 'version')
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    await context.close()
  })

  test('runs nowhere in the developer console, and shows as it was typed', async () => {
    const texts = { ...textsOf(payload), appName: `own ${payload}` }
    const definition = definitionOf(texts)
    expect((await developer.create(definition)).status).toBe(201)
    const { deps } = market
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    const expectShown = async (...fields: (keyof typeof texts)[]) => {
      const shown = await shownOn(page)
      for (const field of fields) expect(shown).toContain(texts[field])
      expect(await page.evaluate('window.ran')).toBeUndefined()
    }
    const console = `${market.url}/Developer`
    await signInOn(page, market, demoDeveloper(market).person)
    await expectShown('appName', 'version')

    const app = `${console}/Apps/${definition.id}`
    await page.goto(app)
    await expectShown('appName', 'version')
    await page.goto(`${app}/Definition`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    await expectShown('appName', 'description', 'optionName', 'optionDescription')
    await expectShown('purpose', 'ackTitle', 'ackText', 'settingName', 'settingDescription')
    const field = page.getByLabel('Definition', { exact: true })
    expect(JSON.parse(await field.inputValue())).toMatchObject({ description: texts.description })
    await field.fill(texts.typed)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await expectShown('typed', 'appName')
    await field.fill(JSON.stringify({ ...definition, [first]: 1, [second]: 1, version: 'next' }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('unknown field').first().waitFor()
    const problems = await shownOn(page)
    for (const key of [first, second]) {
      expect(problems).toContain(`Line 1: unknown field "${key}"`)
    }
    await field.fill(JSON.stringify({ ...definition, description: texts.typed }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    await page.goto(`${app}/Versions`)
    await expectShown('appName', 'version')
    await page.goto(`${app}/Terms`)
    await page.getByLabel('Document').fill(texts.typed)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(`${app}/Terms`)
    await expectShown('typed', 'appName')
    await page.goto(`${app}/Sandbox`)
    await expectShown('optionName', 'optionDescription')
    await page.goto(`${app}/Sandbox?purchaseOptionId=full`)
    await expectShown('settingName', 'placeholder', 'choiceName')
    await page.locator('[name="s.note"]').fill(texts.typed)
    await page.getByRole('button', { name: 'Install in the sandbox' }).click()
    await page.getByRole('status').waitFor()
    await expectShown('typed', 'appName', 'optionName', 'settingName', 'purpose')

    const view = page.url().split('?')[0] ?? ''
    await page.goto(`${view}/Suspend`)
    await page.getByLabel(/^Reason/).fill(texts.reason)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('status').waitFor()
    await expectShown('reason')
    const where = { id: view.split('/').at(-1) ?? '' }
    const { partyId } = await deps.db.installation.findUniqueOrThrow({ where })
    await deps.db.party.update({ where: { id: partyId }, data: { name: texts.partyName } })
    await page.goto(`${console}/Installations`)
    await expectShown('partyName', 'appName', 'version')
    for (const path of [view, `${view}/Tokens`, `${view}/Uninstall`, `${view}/Settings`]) {
      await page.goto(path)
      await expectShown('partyName', 'appName')
    }
    await page.goto(`${app}/Delete`)
    await expectShown('appName')
    await page.goto(`${console}/Credentials`)
    await page.getByLabel('Client id').fill(texts.typed)
    await page.getByRole('button', { name: 'Create credential' }).click()
    await page.getByRole('alert').waitFor()
    await expectShown('typed')
    expect(complaints.filter((text) => !/\b(401|422)\b/.test(text))).toEqual([])
    await context.close()
  })

  test('runs nowhere as the answer of a receiver, nor as what was typed for a webhook', async () => {
    const definition = await listedApp(developer, draft(newId()))
    const url = `https://hooks.example.com/?${encodeURIComponent(payload)}`
    const { body } = await developer.send('POST', `/${definition.id}/Webhooks`, { url })
    await developer.send('POST', `/${definition.id}/Unlist`)
    await layOut(market, definition.id)
    const delivery = (await storedDeliveries(market, body.id)).at(-1)?.id ?? ''
    await setDelivery(market, delivery, {
      attempts: [{ outcome: 'failed', status: 500, reason: payload, response: payload }],
    })
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await signInOn(page, market, demoDeveloper(market).person)
    const expectShown = async (...texts: string[]) => {
      const shown = await shownOn(page)
      for (const text of texts) expect(shown).toContain(text)
      expect(await page.evaluate('window.ran')).toBeUndefined()
    }
    const list = `${market.url}/Developer/Apps/${definition.id}/Webhooks`
    const endpoint = `${list}/${body.id}`
    await page.goto(`${endpoint}/Deliveries/${delivery}`)
    expect(await page.locator('[aria-label="Response to attempt 1"]').textContent()).toBe(payload)
    await expectShown(payload, url)
    for (const path of ['', '/Deliveries']) {
      await page.goto(endpoint + path)
      await expectShown(payload, url)
    }
    for (const path of ['/Change', '/Secret', '/Delete', '/Recover']) {
      await page.goto(endpoint + path)
      await expectShown(url)
    }
    const filter = encodeURIComponent(payload)
    await page.goto(`${endpoint}/Deliveries?installationId=${filter}`)
    await expectShown(payload)
    await page.goto(`${market.url}/Developer/Events?installationId=${filter}`)
    await expectShown(payload)
    await page.goto(list)
    await page.getByLabel(/^URL/).fill(`https://${payload}`)
    await page.getByText('Request headers').click()
    await page.getByLabel('Header name 1').fill(payload)
    await page.getByLabel('Value 1').fill('x')
    await page.evaluate(`document.querySelector('form[action$="/Webhooks"]').noValidate = true`)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('alert').waitFor()
    await expectShown(payload)
    expect(complaints.filter((text) => !/\b422\b/.test(text))).toEqual([])
    await context.close()
  })
})
