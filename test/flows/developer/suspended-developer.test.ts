import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { operatorCalls } from '../../setup/operator.ts'
import { hiddenFields, type WebClient, webClient } from '../../setup/web-client.ts'

type Developer = Awaited<ReturnType<typeof createDeveloper>>
const REASON = 'It sent <b>prices</b> around.'
const SHOWN_REASON = '<bdi>It sent &lt;b&gt;prices&lt;/b&gt; around.</bdi>'

let market: SharedMarketplace
let developer: Developer
let other: Developer
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  developer = await createDeveloper(market.deps, { name: `Acme ${randomUUID()}` })
  other = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
})

async function suspend({ id }: Developer) {
  const operator = await operatorCalls(market)
  const { status } = await operator('POST', `Developers/${id}/Suspend`, { reason: REASON })
  expect(status).toBe(200)
}

const person = (...places: Developer[]) => developerPerson(market, 'owner', places)

async function expectToldWhy(browser: WebClient, path = '/Developer') {
  const { status, text, location } = await browser.get(path)
  expect([path, status, location]).toEqual([path, 403, null])
  expect(text).toContain(`<h1 id="heading"><bdi>${developer.name}</bdi> is suspended</h1>`)
  expect(text).toContain(SHOWN_REASON)
  expect(text).toContain('Contact the operator of this marketplace')
  return text
}

describe('the people of a suspended developer', () => {
  test('read who is suspended, why and whom to ask, wherever in the console they go', async () => {
    const { browser } = await person(developer)
    const form = hiddenFields((await browser.get('/Developer/Apps/New')).text)
    await suspend(developer)
    for (const path of ['/Developer', '/Developer/Apps/New', '/Developer/Choose']) {
      await expectToldWhy(browser, path)
    }
    const sent = await browser.submit('/Developer/Apps/New', { ...form, definition: '{}' })
    expect(sent.status).toBe(403)
    expect(sent.text).toContain(SHOWN_REASON)
    expect((await browser.get('/')).status).toBe(200)
  })

  test('get there with the sign-in of the marketplace, and no further', async () => {
    const { user } = await person(developer)
    await suspend(developer)
    const browser = webClient(market)
    expect((await browser.get('/Developer')).location).toBe('/login?next=%2FDeveloper')
    expect((await browser.login(user, '/Developer')).location).toBe('/Developer')
    await expectToldWhy(browser)
    const signIn = await browser.get('/login?next=/Developer')
    expect(signIn.location).toBe('/Developer')
  })

  test('can sign out there', async () => {
    const { browser } = await person(developer)
    await suspend(developer)
    const text = await expectToldWhy(browser)
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(text) ?? []
    const out = await browser.submit(action, hiddenFields(text))
    expect([out.status, out.location]).toEqual([303, '/signed-out'])
    expect((await browser.get('/Account')).location).toContain('/login')
  })

  test('read of each, if they work for several of them', async () => {
    const { browser } = await person(developer, other)
    await suspend(developer)
    await suspend(other)
    const { status, text } = await browser.get('/Developer')
    expect(status).toBe(403)
    expect(text).toContain('<h1 id="heading">Your developers are suspended</h1>')
    for (const { name } of [developer, other]) expect(text).toContain(`<bdi>${name}</bdi>`)
  })

  test('go on working for another one, and read why on the page that switches', async () => {
    const { browser } = await person(developer, other)
    await suspend(developer)
    const { status, text } = await browser.get('/Developer')
    expect(status).toBe(200)
    expect(text).toContain(`<bdi>${other.name}</bdi>`)
    const choice = (await browser.get('/Developer/Choose')).text
    expect(choice).toContain(`value="${other.id}"`)
    expect(choice).not.toContain(developer.id)
    expect(choice).toContain(`<strong><bdi>${developer.name}</bdi></strong>: `)
    expect(choice).toContain(SHOWN_REASON)
  })
})

test('a stranger learns nothing of it', async () => {
  await suspend(developer)
  const { browser } = await person(other)
  await market.deps.db.developerMember.deleteMany({ where: { developerId: other.id } })
  const { status, text } = await browser.get('/Developer')
  expect(status).toBe(403)
  expect(text).toContain('You do not work for a developer')
  expect(text).not.toContain(developer.name)
})
