import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import {
  demoDeveloper,
  demoUser,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})
afterAll(() => market.close())

/** The rows of the card that says what needs attention; empty without it. */
const needsOn = (text: string) =>
  text.split('id="needs"')[1]?.split('</section>')[0]?.split('<li class="row">').slice(1) ?? []

async function installed(definition: ReturnType<typeof fullDraft>) {
  const wish = { appId: definition.id, purchaseOptionId: 'free' }
  return (await customer.install(wish)).body.id as string
}

describe('what needs attention on the start page', () => {
  test('is nothing where all works', async () => {
    await installed(await listedApp(developer, fullDraft()))
    expect(needsOn((await browser.get('/')).text)).toEqual([])
  })

  test('is an upgrade, for an admin of the account', async () => {
    const definition = await listedApp(developer, fullDraft())
    const id = await installed(definition)
    expect((await developer.put({ ...definition, version: '2.0.0' })).status).toBe(200)
    const [row, ...others] = needsOn((await browser.get('/')).text)
    expect(others).toEqual([])
    expect(row).toContain('Version <bdi>2.0.0</bdi> is available')
    expect(row).toContain(`href="/Installed/${id}/Upgrade"`)
    const member = await signedIn(market, await newMember(market, customer.party.id))
    expect(needsOn((await member.get('/')).text)).toEqual([])
  })

  test('is no upgrade that is not offered to the account', async () => {
    const definition = await listedApp(developer, fullDraft())
    await installed(definition)
    const next = { ...definition, version: '2.0.0', partyTypes: ['Buyer'] }
    expect((await developer.put(next)).status).toBe(200)
    expect(needsOn((await browser.get('/')).text)).toEqual([])
  })

  test('is an app whose endpoint fails', async () => {
    const definition = await listedApp(developer, fullDraft())
    await installed(definition)
    const { db } = market.deps
    const { developerId } = await db.app.findUniqueOrThrow({ where: { id: definition.id } })
    const url = 'https://receiver.example/'
    const failingSince = new Date()
    const secret = Buffer.from('x')
    await db.webhookEndpoint.create({
      data: {
        ...{ developerId, appId: definition.id, slot: 1, url, secret, failingSince },
        ...{ eventTypes: [], headerNames: [] },
      },
    })
    const [row, ...others] = needsOn((await browser.get('/')).text)
    expect(others).toEqual([])
    expect(row).toContain('Could not always be reached since')
  })
})

describe('the first steps of an account', () => {
  const listOn = (text: string) => text.split('id="checklist"')[1]?.split('</section>')[0]

  test('are read off what there is, and gone when all are done', async () => {
    const fresh = listOn((await browser.get('/')).text)
    expect(fresh).toContain('value="0"')
    expect(fresh).toContain('<a href="/Apps">Install your first app</a>')
    expect(fresh).toContain(`href="/Account/Members/Invite?partyId=${customer.party.id}"`)
    expect(fresh).toContain('href="/Account/Security"')
    await installed(await listedApp(developer, fullDraft()))
    await newMember(market, customer.party.id)
    const later = listOn((await browser.get('/')).text)
    expect(later).toContain('value="2"')
    expect(later).not.toContain('href="/Apps"')
    await market.deps.db.secondFactor.create({
      data: {
        userId: customer.user.id,
        secret: Buffer.from('x'),
        guessesSince: new Date(),
        createdAt: new Date(),
        confirmedAt: new Date(),
      },
    })
    expect(listOn((await browser.get('/')).text)).toBeUndefined()
  })

  test('are for admins', async () => {
    const member = await signedIn(market, await newMember(market, customer.party.id))
    expect(listOn((await member.get('/')).text)).toBeUndefined()
  })
})

test('who is not signed in finds a search and some of the apps', async () => {
  const { id } = await listedApp(developer, fullDraft())
  const { text } = await webClient(market).get('/')
  expect(text).toContain('<form class="search" method="get" action="/Apps" role="search">')
  expect(text).toContain(`<h3><a href="/Apps/${id}">`)
  expect(text).toContain('href="/Developer"')
  expect(text).toContain('href="/Operator"')
})

test('the ways at the foot of a page lead everybody somewhere', async () => {
  const { demo } = market
  const people = [demoUser(market, 'Buyer'), demo.operator, demoDeveloper(market).person]
  const browsers = await Promise.all(people.map((person) => signedIn(market, person)))
  for (const browser of [webClient(market), ...browsers]) {
    const foot = (await browser.get('/')).text.split('<footer')[1] ?? ''
    const ways = [...foot.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(ways).toHaveLength(2)
    for (const way of ways) {
      const { status, location } = await browser.get(way)
      const isThere = status === 200 || location?.startsWith('/login') === true
      expect([way, isThere]).toEqual([way, true])
    }
  }
})
