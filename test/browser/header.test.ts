import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { emulateUntilShown } from '../setup/accessible.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author, draft } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { listedApp, newCustomer } from '../setup/customer.ts'
import { demoDeveloper } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

/** Signs in in a browser of its own, and goes to a page. */
const VISITORS: Record<string, () => Promise<Page>> = {
  'a visitor': () => opened('/Apps', async () => {}),
  'an owner of a developer': async () => {
    const [name, email] = ['Olga Owner', 'olga.owner@a-long-name-of-a-company.example']
    const user = await createUser(market.deps, { email, name, partyIds: [] })
    const developer = await createDeveloper(market.deps, { name: 'Northwind Connectors Company' })
    await addDeveloperMember(market.deps, developer.id, { userId: user.id, role: 'owner' }, SYSTEM)
    return opened('/Developer', (page) => signInOn(page, market, user))
  },
  'an owner who chooses one of several developers': async () => {
    const [name, email] = ['Sally Several', 'sally.several@a-long-name-of-a-company.example']
    const user = await createUser(market.deps, { email, name, partyIds: [] })
    for (const company of ['Northwind Adapters', 'Northwind Feeds']) {
      const developer = await createDeveloper(market.deps, { name: company })
      const member = { userId: user.id, role: 'owner' } as const
      await addDeveloperMember(market.deps, developer.id, member, SYSTEM)
    }
    return opened('/Developer/Choose', (page) => signInOn(page, market, user))
  },
  'an operator of several accounts': async () => {
    const partyIds = market.demo.users.map(({ partyId }) => partyId)
    const [name, email] = ['Olaf Operator', 'olaf.operator@a-long-name-of-a-company.example']
    const user = await createUser(market.deps, { email, name, partyIds, operator: true })
    return opened('/Apps', (page) => signInOn(page, market, user))
  },
}

async function opened(path: string, signIn: (page: Page) => Promise<void>): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page)
  await page.goto(market.url + path)
  return page
}

type Look = { rows: number[]; height: number; wide: boolean; cut: string[] }

/** Where the parts of the header stand, and which of its words are cut off but for the account's name. */
const LOOK = `(() => {
  const shown = [...document.querySelectorAll('.site-header :is(.brand, .site-nav a, .switch, summary, .sign-in)')]
  const middles = shown.map((one) => {
    const { top, height } = one.getBoundingClientRect()
    return Math.round(top + height / 2)
  })
  const isCut = (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1
  return {
    rows: [...new Set(middles)],
    height: document.querySelector('.site-header').offsetHeight,
    wide: document.documentElement.scrollWidth > innerWidth,
    cut: [...document.querySelectorAll('.site-nav a, .who-name, .who-email, .menu-item')].filter(isCut).map((one) => one.textContent),
  }
})()`

const WIDTHS = [320, 360, 480, 640, 641, 700, 768, 895, 896, 1024, 1087, 1088, 1280]

describe.each(Object.keys(VISITORS))('the header for %s', (who) => {
  test('is one row at any width, and its menu names the visitor', async () => {
    const page = await (VISITORS[who] as () => Promise<Page>)()
    const menu = page.locator('.user-menu > summary')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 600 })
      const { rows, height, wide } = (await page.evaluate(LOOK)) as Look
      expect([width, rows.length, wide]).toEqual([width, 1, false])
      expect(height).toBeLessThan(70)
      if ((await menu.count()) === 0) continue
      await menu.click()
      const opened = (await page.evaluate(LOOK)) as Look
      expect([width, opened.wide, opened.cut]).toEqual([width, false, []])
      expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false)
    }
    await page.context().close()
  })
})

test('the menu opens and closes with the keyboard, and by a click elsewhere', async () => {
  const page = await opened('/Apps', (shown) => signInOn(shown, market, market.demo.operator))
  const menu = page.locator('.user-menu')
  const isOpen = () => menu.evaluate((one) => (one as { open?: boolean }).open)
  await menu.locator('summary').press('Enter')
  expect(await isOpen()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Account')
  await page.keyboard.press('Escape')
  expect([await isOpen(), await page.evaluate('document.activeElement.tagName')]).toEqual([
    false,
    'SUMMARY',
  ])
  await menu.locator('summary').click()
  await page.getByRole('heading', { level: 1 }).click()
  expect(await isOpen()).toBe(false)
  await page.context().close()
})

test.each([
  ['operator', '/Operator/Audit'],
  ['developer', '/Developer/Credentials'],
])(
  'on a phone the parts of the %s console are one row with the current one in view',
  async (who, path) => {
    const page = await opened('/', (shown) =>
      who === 'operator'
        ? signInOn(shown, market, market.demo.operator)
        : signInOn(shown, market, demoDeveloper(market).person),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(market.url + path)
    const seen = await page.evaluate(`(() => {
    const tabs = [...document.querySelectorAll('.tab')].map((one) => one.getBoundingClientRect())
    const { left, right } = document.querySelector('.tab[aria-current]').getBoundingClientRect()
    return [new Set(tabs.map(({ top }) => top)).size, left >= 0, right <= innerWidth]
  })()`)
    expect(seen).toEqual([1, true, true])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.context().close()
  },
)

/** Of each link of a navigation: whether it is the current one, and whether a line marks it. */
const MARKS = `[...document.querySelectorAll(':is(.site-nav, .tabs, .docs-nav) a')].map((one) => {
  const { textDecorationLine, borderBlockEndColor, borderBlockEndWidth } = getComputedStyle(one)
  const ground = getComputedStyle(document.body).backgroundColor
  const hasBorder = borderBlockEndWidth !== '0px' && borderBlockEndColor !== ground
  return [one.hasAttribute('aria-current'), hasBorder || textDecorationLine === 'underline']
})`

test('with forced colours a line marks the current links of the navigation, and no others', async () => {
  const page = await opened('/', (shown) => signInOn(shown, market, market.demo.operator))
  for (const path of ['/Operator/Apps', '/docs/apps']) {
    await page.goto(market.url + path)
    let links: [boolean, boolean][] = []
    const mismarked = async () => {
      await emulateUntilShown(page, { forcedColors: 'active' }, '(forced-colors: active)')
      links = (await page.evaluate(MARKS)) as typeof links
      return links.filter(([isCurrent, isMarked]) => isCurrent !== isMarked)
    }
    await expect.poll(mismarked).toEqual([])
    expect(links.filter(([isCurrent]) => isCurrent).length).toBeGreaterThan(0)
  }
  await page.context().close()
})

/** What does not fit: the page itself, buttons and badges beyond their card, squeezed names. */
const MISFITS = `(() => {
  const textOf = (one) => one.textContent.trim().slice(0, 60)
  const beyond = [...document.querySelectorAll('main :is(.button, .badge)')].filter((one) => {
    const card = one.closest('.card') ?? one.closest('main')
    const edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight)
    return one.getBoundingClientRect().right > edge + 1
  })
  const squeezed = [...document.querySelectorAll('.row-text')].filter((one) => one.offsetWidth < 90)
  const wide = document.documentElement.scrollWidth - innerWidth
  return [...(wide > 0 ? ['wider by ' + wide] : []), ...[...beyond, ...squeezed].map(textOf)]
})()`

/** Whether the first letter of a name can be seen in the part of the header that shows it. */
const showsBeginning = (part: string) => `(() => {
  const name = document.querySelector('.site-header ${part} bdi').firstChild
  const box = document.querySelector('.site-header ${part}').getBoundingClientRect()
  const first = document.createRange()
  first.setStart(name, 0)
  first.setEnd(name, 1)
  const { left, right } = first.getBoundingClientRect()
  return left >= box.left - 1 && right <= box.right + 1
})()`

describe('a phone of 320 pixels', () => {
  const phone = async (page: Page, path: string) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(market.url + path)
    return page.evaluate(MISFITS)
  }

  test('fits the pages of an account, with a long name too', async () => {
    const { deps, demo } = market
    const name = 'Bergmann & Söhne Elektrogroßhandel GmbH & Co. KG'
    const party = await createParty(deps, { name, type: 'Seller' })
    const [other = 0] = demo.users.map(({ partyId }) => partyId)
    const user = await createUser(deps, {
      email: 'berg@a-long-name-of-a-company.example',
      name: 'Bergmann',
      partyIds: [party.id, other],
    })
    const page = await opened('/', (shown) => signInOn(shown, market, user))
    for (const path of ['/Apps/price-sync', '/Apps/stock-watch', '/Account', '/Account/Security']) {
      expect([path, await phone(page, path)]).toEqual([path, []])
    }
    await page.context().close()
  })

  test('fits the longest names and versions in its badges', async () => {
    const { deps } = market
    const developer = await author(market)
    const app = await listedApp(developer, draft('long-version'))
    const name = `Bergmann & Söhne ${'Elektrogroßhandel'.repeat(7)}`
    const party = await createParty(deps, { name, type: 'Seller' })
    const { user, install } = await newCustomer(market, 'Seller', [party.id])
    await install({ appId: app.id, partyId: party.id, purchaseOptionId: 'free' })
    const page = await opened('/', (shown) => signInOn(shown, market, user))
    const path = `/Apps/${app.id}?partyId=${party.id}`
    expect(await phone(page, path)).toEqual([])
    await page.locator('.badge', { hasText: 'Installed for Bergmann' }).waitFor()

    await developer.put({ ...draft(app.id), version: `2.0.0-${'build'.repeat(11)}` })
    expect(await phone(page, '/Installed')).toEqual([])
    expect(await page.locator('.listing .badges').textContent()).toContain('Version 2.0.0-build')
    await page.context().close()
  })

  test('shows the beginning of a long name, also of one that is read from the right', async () => {
    const { deps } = market
    const name = 'متجر التطبيقات لمزامنة الأسعار والمخزون مع اسم طويل جدا'
    const [one, other] = await Promise.all([
      createParty(deps, { name, type: 'Seller' }),
      createParty(deps, { name: 'Another', type: 'Seller' }),
    ])
    const partyIds = [one.id, other.id]
    const user = await createUser(deps, { email: 'rtl@example.com', name, partyIds })
    const page = await opened('/', (shown) => signInOn(shown, market, user))
    expect(await phone(page, `/Account/Choose?next=%2FApps`)).toEqual([])
    await page.getByRole('button', { name }).click()
    await page.locator('.user-menu > summary').click()
    for (const part of ['.who', '.switch']) {
      expect([part, await page.evaluate(showsBeginning(part))]).toEqual([part, true])
    }
    await page.context().close()
  })

  test('has the sign-in beside the brand, in the reference too', async () => {
    const page = await opened('/', async () => {})
    expect(await phone(page, '/docs/api')).toEqual([])
    const { rows } = (await page.evaluate(LOOK)) as Look
    expect(rows.length).toBe(1)
    await page.context().close()
  })
})
