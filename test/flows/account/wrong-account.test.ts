import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { noteStatements } from '../../setup/statements.ts'
import { hiddenFields, mainOf, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
/** An app for Sellers only. */
let appId: string
let buyer: Customer
/** Member of the Buyer's account, and of its own, a Seller's. */
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  appId = (await listedApp(await author(market), fullDraft({ partyTypes: ['Seller'] }))).id
})
afterAll(() => market.close())
beforeEach(async () => {
  buyer = await newCustomer(market, 'Buyer')
  customer = await newCustomer(market, 'Seller', [buyer.party.id])
  browser = await signedIn(market, customer.user)
})

const listing = () => `/Apps/${appId}`
const install = () => `${listing()}/Install`
const choose = async (partyId: number | string, by = browser) => {
  const { text } = await by.get('/Account/Choose')
  const answer = await by.post('/Account/Choose', {
    ...hiddenFields(text),
    partyId: String(partyId),
  })
  expect(answer.status).toBe(303)
}
/** Random tokens may hold any three letters. */
const withoutTokens = (html: string) => html.replaceAll(/name="_csrf" value="[^"]*"/g, '')
const installed = () => market.deps.db.installation.count({ where: { appId, live: true } })

/** That a page offers nothing for the Buyer, and names the account that can have the app. */
function expectNotOffered(main: string) {
  expect(main).toContain('Not offered to Buyers.')
  expect(main).toContain(`Install for <bdi>${customer.party.name}</bdi> instead?`)
  expect(withoutTokens(main)).not.toMatch(/Prices|per month|Free<|USD/)
  expect(main).not.toContain(`href="${install()}`)
  expect(main).not.toContain('purchaseOptionId')
}

describe('an app that the account chosen in the header cannot have', () => {
  beforeEach(() => choose(buyer.party.id))

  test('shows no price and no install, on the listing and the install page', async () => {
    expectNotOffered(mainOf(await browser.get(listing())))
    for (const query of ['', '?purchaseOptionId=free', '?purchaseOptionId=free&step=choose']) {
      expectNotOffered(mainOf(await browser.get(install() + query)))
    }
    const all = mainOf(await browser.get(`/Apps?q=${appId}&partyType=`))
    expect(all).toContain('Not offered to Buyers.')
  })

  test('is left out of the directory, which counts it and leads to it', async () => {
    const { text } = await browser.get(`/Apps?q=${appId}`)
    expect(text).not.toContain(`href="/Apps/${appId}"`)
    expect(text).toContain('<option value="Buyer" selected>')
    expect(text.match(/No results/g)).toHaveLength(1)
    const [, chip = ''] = /class="chip" href="([^"]+)">For Buyers</.exec(text) ?? []
    const [, others = ''] = /href="([^"]+)">1 more app for Sellers</.exec(text) ?? []
    for (const href of [chip, others]) {
      const shown = await browser.get(href.replaceAll('&amp;', '&'))
      expect(shown.text).toContain(`href="/Apps/${appId}"`)
    }
  })

  test.each(['listing', 'install page'])(
    'is offered for the other account by one click on the %s, which switches to it',
    async (where) => {
      const page = await browser.get(where === 'listing' ? listing() : install())
      const form = /<form class="actions".*?<\/form>/s.exec(mainOf(page))?.[0] ?? ''
      const { _csrf = '', next = '' } = hiddenFields(form)
      const [, partyId = ''] = /name="partyId" value="(\d+)"/.exec(form) ?? []
      expect(partyId).toBe(String(customer.party.id))
      const answer = await browser.post('/Account/Choose', { _csrf, next, partyId })
      expect([answer.status, answer.location]).toEqual([303, next])
      const then = await browser.get(next)
      expect(then.text).toMatch(new RegExp(`>For </span><bdi>${customer.party.name}</bdi>`))
      expect(mainOf(then)).toContain(`<bdi>${customer.party.name}</bdi>`)
      expect(mainOf(then)).not.toContain('instead?')
    },
  )

  test('names nobody where no account of the user can have it', async () => {
    const single = await signedIn(market, buyer.user)
    for (const path of [listing(), install()]) {
      const main = mainOf(await single.get(path))
      expect(main).toContain('Not offered to Buyers.')
      expect(main).not.toMatch(/instead|per month|\/Install\?/)
    }
  })

  test('says of one that has it that it has, and offers the others', async () => {
    await choose(customer.party.id)
    const wish = { appId, partyId: customer.party.id, purchaseOptionId: 'free' }
    expect((await customer.install(wish)).status).toBe(201)
    const main = mainOf(await browser.get(install()))
    expect(main).toContain('already has this app.')
    expect(main).not.toContain('instead?')
  })
})

describe('an install is for the account that its page was about', () => {
  const formFor = async (partyId: number, by = browser) => {
    const page = await by.get(`${install()}?partyId=${partyId}&purchaseOptionId=free`)
    expect(page.status).toBe(200)
    return hiddenFields(page.text)
  }
  const second = async () => {
    const other = await newCustomer(market, 'Seller')
    await market.deps.db.membership.create({
      data: { userId: customer.user.id, partyId: other.party.id },
    })
    return other
  }

  test('which its form names, whatever was chosen since', async () => {
    const form = await formFor(customer.party.id)
    expect(form.partyId).toBe(String(customer.party.id))
    await choose(buyer.party.id)
    const answer = await browser.post(install(), form)
    expect(answer.status).toBe(303)
    const rows = await market.deps.db.installation.findMany({
      where: { appId, partyId: { in: [buyer.party.id, customer.party.id] } },
    })
    expect(rows.map(({ partyId }) => partyId)).toEqual([customer.party.id])
  })

  test.each(['another account of the user', 'an account it is not offered to', 'none'])(
    'a form that names %s is refused',
    async (what) => {
      const other = await second()
      const form = await formFor(customer.party.id)
      const before = await installed()
      const { partyId: _own, ...rest } = form
      const ids: Record<string, string> = {
        'another account of the user': String(other.party.id),
        'an account it is not offered to': String(buyer.party.id),
      }
      const partyId = ids[what]
      const answer = await browser.post(install(), { ...rest, ...(partyId && { partyId }) })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('Choose an account')
      expect(await installed()).toBe(before)
    },
  )

  test.each([
    ['of another user', () => formFor(customer.party.id)],
    [
      'of another app',
      async () => {
        const other = await listedApp(await author(market), fullDraft())
        const path = `/Apps/${other.id}/Install?partyId=${customer.party.id}&purchaseOptionId=free`
        return hiddenFields((await browser.get(path)).text)
      },
    ],
    ['of nobody', async () => ({ accountSeal: 'made-up' })],
  ] as const)('the proof %s is worth nothing', async (_whose, strange) => {
    const member = await newCustomer(market, 'Seller', [customer.party.id])
    const own = await signedIn(market, member.user)
    const form = await formFor(customer.party.id, own)
    const { accountSeal = '' } = await strange()
    const before = await installed()
    const answer = await own.post(install(), { ...form, accountSeal })
    expect(answer.status).toBe(422)
    expect(await installed()).toBe(before)
    expect((await own.post(install(), form)).status).toBe(303)
  })

  test('the form of an account that the user was removed from meanwhile says so', async () => {
    const form = await formFor(customer.party.id)
    const userId_partyId = { userId: customer.user.id, partyId: customer.party.id }
    await market.deps.db.membership.delete({ where: { userId_partyId } })
    const before = await installed()
    const answer = await browser.post(install(), form)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('You no longer belong to the account that this form was for.')
    expect(await installed()).toBe(before)
  })

  test('nothing is chosen by itself where several can have the app', async () => {
    await second()
    const page = await browser.get(`${install()}?purchaseOptionId=free`)
    expect(mainOf(page)).toContain('<legend>Account</legend>')
    expect(mainOf(page)).not.toMatch(/name="partyId"[^>]*checked/)
  })
})

describe('a listing, for a user of several accounts', () => {
  /** What the listing says of an account. */
  const lineOf = (main: string, { party }: Customer) =>
    main
      .split('<li class="row">')
      .slice(1)
      .find((line) => line.includes(party.name)) ?? ''

  test('says for which of them the app is installed, and for which it can be', async () => {
    const third = await newCustomer(market, 'Seller', [])
    await market.deps.db.membership.create({
      data: { userId: customer.user.id, partyId: third.party.id },
    })
    const wish = { appId, partyId: customer.party.id, purchaseOptionId: 'free' }
    const { id } = (await customer.install(wish)).body
    const main = mainOf(await browser.get(listing()))
    expect(main).toContain(`Installed for <bdi>${customer.party.name}</bdi>`)
    expect(lineOf(main, customer)).toContain('badge-on">Installed<')
    expect(lineOf(main, customer)).toContain(`href="/Installed/${id}"`)
    expect(lineOf(main, third)).not.toContain('Installed<')
    expect(lineOf(main, third)).toContain(`href="${install()}?partyId=${third.party.id}"`)
    expect(lineOf(main, buyer)).toContain('Not offered to Buyers.')
  })

  test('is silent about accounts to who has one', async () => {
    const single = await signedIn(market, buyer.user)
    expect(mainOf(await single.get(listing()))).not.toContain('Your accounts')
  })

  test('takes as many statements for many accounts as for a few', async () => {
    const statements = noteStatements(market.deps.pool)
    const { db } = market.deps
    /** Joins so many accounts, half of them as a member. */
    const join = async (count: number) => {
      const data = Array.from({ length: count }, (_, n) => ({
        name: `${n}`,
        type: 'Seller' as const,
      }))
      const parties = await db.party.createManyAndReturn({ data })
      const role = (n: number) => (n % 2 === 0 ? ('admin' as const) : ('member' as const))
      await db.membership.createMany({
        data: parties.map(({ id }, n) => ({
          userId: customer.user.id,
          partyId: id,
          role: role(n),
        })),
      })
    }
    const counted = async (path: string) => {
      statements.take()
      expect((await browser.get(path)).status).toBe(200)
      return statements.take().filter(({ ofRequest }) => ofRequest).length
    }
    const ofPages = async () => [await counted(listing()), await counted(install())]
    await join(2)
    const few = await ofPages()
    await join(20)
    expect(await ofPages()).toEqual(few)
  })
})

test('the form of an app that became a draft meanwhile says so at every step, and leads to the catalogue', async () => {
  const developer = await author(market)
  const app = await listedApp(developer, fullDraft())
  const path = `/Apps/${app.id}/Install`
  const query = `partyId=${customer.party.id}&purchaseOptionId=free`
  const form = hiddenFields((await browser.get(`${path}?${query}`)).text)
  expect((await developer.hide(app.id)).status).toBe(200)
  for (const step of [{}, { step: 'review' }, { step: 'settings' }]) {
    const { status, text } = await browser.post(path, { ...form, ...step })
    expect(status).toBe(404)
    expect(text).toContain('This app is no longer in the catalogue')
    expect(text).toContain('<a class="button primary" href="/Apps">')
  }
  expect(await market.deps.db.installation.count({ where: { appId: app.id } })).toBe(0)
})
