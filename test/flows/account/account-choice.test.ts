import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let appId: string
let first: Customer
/** Member of both accounts. */
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await sharedMarketplace()
  appId = (await listedApp(await author(market), fullDraft())).id
})
beforeEach(async () => {
  first = await newCustomer(market)
  customer = await newCustomer(market, 'Seller', [first.party.id])
  browser = await signedIn(market, customer.user)
})

const choose = async (partyId: number | string, next = '/Apps', by = browser) => {
  const { text } = await by.get(`/Account/Choose?next=${encodeURIComponent(next)}`)
  return by.post('/Account/Choose', { ...hiddenFields(text), partyId: String(partyId) })
}
/** What the header says: whom the pages are about. */
const headerOf = async (path = '/Apps', by = browser) =>
  /class="switch"[^>]*><span class="switch-for">For <\/span>(?:<bdi>)?([^<]*)</.exec(
    (await by.get(path)).text,
  )?.[1]
const install = async ({ party }: Customer) => {
  const answer = await customer.install({ appId, partyId: party.id, purchaseOptionId: 'free' })
  expect(answer.status).toBe(201)
  return answer.body.id as string
}
/** The accounts whose apps a page lists. */
const listedOn = async (path: string) => {
  const { text } = await browser.get(path)
  const main = text.split('<main')[1] ?? ''
  return [first, customer].filter(({ party }) =>
    main.replaceAll(/<option.*?<\/option>/gs, '').includes(`<bdi>${party.name}</bdi>`),
  )
}

describe('the account that a user of several chooses', () => {
  test('is carried from page to page, as the header says, until it is taken back', async () => {
    expect(await headerOf()).toBe('All accounts')
    for (const { party } of [customer, first]) {
      const answer = await choose(party.id)
      expect([answer.status, answer.location]).toEqual([303, '/Apps'])
      for (const path of ['/', '/Apps', `/Apps/${appId}`, '/Installed', '/Account']) {
        expect(await headerOf(path)).toBe(party.name)
      }
      const listing = await browser.get(`/Apps/${appId}`)
      expect(listing.text).toContain(`Prices for <strong><bdi>${party.name}</bdi></strong>`)
      const install = await browser.get(`/Apps/${appId}/Install`)
      expect(install.text).toContain(`Prices for <bdi>${party.name}</bdi>`)
      expect(install.text).toMatch(new RegExp(`name="partyId"\\s+value="${party.id}"\\s+checked`))
      const review = await browser.get(`/Apps/${appId}/Install?purchaseOptionId=free`)
      expect(hiddenFields(review.text).partyId).toBe(String(party.id))
    }
    await choose('')
    expect(await headerOf()).toBe('All accounts')
  })

  test.each(['/', () => `/Apps/${appId}`])(
    'an address names no account of others',
    async (page) => {
      const path = typeof page === 'string' ? page : page()
      for (const [named, told] of [
        ['999999', 'You do not belong to account 999999'],
        ['x', 'You do not belong to account x'],
        ['9'.repeat(50), 'You do not belong to this account'],
      ]) {
        const answer = await browser.get(`${path}?partyId=${named}`)
        expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(told ?? '')])
      }
    },
  )

  test('narrows lists, which an address that names another account, or all, overrules', async () => {
    await install(first)
    await install(customer)
    expect(await listedOn('/Installed')).toEqual([first, customer])
    await choose(first.party.id)
    for (const path of ['/', '/Installed']) {
      expect(await listedOn(path)).toEqual([first])
      expect(await listedOn(`${path}?partyId=${customer.party.id}`)).toEqual([customer])
      expect(await listedOn(`${path}?partyId=`)).toEqual([first, customer])
      expect(await listedOn(`${path}?partyId=999999`)).toEqual([])
    }
    const all = await browser.get('/Installed?partyId=')
    expect(all.text).toContain('href="/Installed?partyId=&amp;status=uninstalled"')
    const other = await browser.get(`/Apps/${appId}?partyId=${customer.party.id}`)
    expect(other.text).toContain(`Prices for <strong><bdi>${customer.party.name}</bdi></strong>`)
  })

  test('decides what the directory calls installed', async () => {
    await install(first)
    const badge = /class="ticked">Installed</
    await choose(first.party.id)
    expect((await browser.get(`/Apps?q=${appId}`)).text).toMatch(badge)
    await choose(customer.party.id)
    expect((await browser.get(`/Apps?q=${appId}`)).text).not.toMatch(badge)
  })

  test('is chosen no more once the user has left it, or it is suspended', async () => {
    const { db } = market.deps
    const membership = { userId: customer.user.id, partyId: first.party.id }
    await newCustomer(market).then(({ party }) =>
      db.membership.create({ data: { userId: customer.user.id, partyId: party.id } }),
    )
    await choose(first.party.id)
    await db.party.update({ where: { id: first.party.id }, data: { suspendedAt: new Date() } })
    expect(await headerOf()).toBe('All accounts')
    expect((await browser.get('/Account/Choose')).text).not.toContain(first.party.name)
    await db.party.update({ where: { id: first.party.id }, data: { suspendedAt: null } })
    expect(await headerOf()).toBe(first.party.name)
    await db.membership.delete({ where: { userId_partyId: membership } })
    for (const path of ['/', '/Apps', `/Apps/${appId}`, '/Installed', '/Account']) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(200)
      expect(text).not.toContain(first.party.name)
      expect(await headerOf(path)).toBe('All accounts')
    }
  })

  test.each(['somebody else’s', 'suspended', '0', 'x', '-1', '99999999999999999999'])(
    'cannot be one that the user may not act for: %s',
    async (what) => {
      const stranger = await newCustomer(market)
      if (what === 'suspended') {
        const { id } = first.party
        await market.deps.db.party.update({ where: { id }, data: { suspendedAt: new Date() } })
      }
      await choose(customer.party.id)
      const ids: Record<string, number> = {
        'somebody else’s': stranger.party.id,
        suspended: first.party.id,
      }
      const answer = await choose(ids[what] ?? what)
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('Choose one of the accounts below')
      expect(answer.text).not.toContain(stranger.party.name)
      expect(await headerOf()).toBe(customer.party.name)
    },
  )

  test('belongs to the session: it outlives a new password, and no sign-in', async () => {
    await choose(first.party.id)
    const newPassword = 'quite another password'
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const changed = await browser.post('/Account/Password', {
      _csrf,
      currentPassword: customer.user.password,
      newPassword,
      repeatedPassword: newPassword,
    })
    expect(changed.status).toBe(303)
    expect(await headerOf()).toBe(first.party.name)
    const other = await signedIn(market, { ...customer.user, password: newPassword })
    expect(await headerOf('/Apps', other)).toBe('All accounts')
  })

  test('does not decide for which account an app is opened or installed', async () => {
    await install(first)
    await install(customer)
    await choose(first.party.id)
    const chooser = await browser.get(`/Apps/Authenticate/${appId}?state=s`)
    expect(chooser.status).toBe(200)
    for (const { party } of [first, customer]) {
      expect(chooser.text).toContain(`name="partyId" value="${party.id}"`)
    }
    const other = await listedApp(await author(market), fullDraft())
    const path = `/Apps/${other.id}/Install`
    const form = hiddenFields((await browser.get(`${path}?purchaseOptionId=free`)).text)
    const { partyId: _shown, ...rest } = form
    const answer = await browser.post(path, rest)
    expect(answer.status).toBe(422)
    expect(await market.deps.db.installation.count({ where: { appId: other.id } })).toBe(0)
  })
})

describe('the switch', () => {
  test('leads on the choice itself nowhere else', async () => {
    const address = '/Account/Choose?next=%2FApps%3Fq%3Da'
    const { text } = await browser.get(`${address}%26partyId%3D7`)
    expect(text).toContain(`class="switch" href="${address}"`)
  })

  test('lets who keeps the account go back to the same address', async () => {
    const next = '/Account/Members/Remove?partyId=7&userId=x'
    const { text } = await browser.get(`/Account/Choose?next=${encodeURIComponent(next)}`)
    expect(text).toContain(`href="${next.replace('&', '&amp;')}">Keep the current account<`)
  })

  test('is not shown to who has one account or none, or is not signed in', async () => {
    const single = await signedIn(market, first.user)
    const operator = await signedIn(market, market.demo.operator)
    for (const one of [single, operator]) expect(await headerOf('/Apps', one)).toBeUndefined()
  })

  test.each([
    ['/Apps/x?partyId=7&q=a', '/Apps/x?q=a'],
    ['/Installed?partyId=7&status=uninstalled&cursor=abc', '/Installed?status=uninstalled'],
    ['/Account/Members/Remove?partyId=7&userId=x', '/Account/Members'],
    ['/account/choose/?next=%2FApps', '/'],
    ['//evil.example', '/'],
    ['https://evil.example/?partyId=1', '/'],
  ])('leads back to %s for the new account: %s', async (next, location) => {
    expect((await choose(first.party.id, next)).location).toBe(location)
  })
})
