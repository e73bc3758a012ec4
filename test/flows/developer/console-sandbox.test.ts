import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, draft, newId } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import { fullDraft, listedApp } from '../../setup/customer.ts'

const RETURN_URL = 'https://app.example/back?keep=1'
const DEFINITION = {
  permissions: [{ id: 'profile:read', purpose: 'Greets you.' }],
  authReturnUrl: RETURN_URL,
}

let market: SharedMarketplace
let developerId: string
let developer: Author
let browser: DeveloperConsole
let appId: string

beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  ;({ id: developerId, developer, browser } = await newDeveloper(market))
  appId = (await listedApp(developer, fullDraft(DEFINITION))).id
})

const path = (id = appId) => `/Apps/${id}/Sandbox`
const open = (id = appId) => `${path(id)}/Open`
const sandboxed = () =>
  market.deps.db.installation.findMany({
    where: { appId, partyType: 'None', live: true },
    include: { settings: true },
  })
const users = () =>
  market.deps.db.user.findMany({
    where: { name: 'Test user', email: { contains: developerId } },
    include: { memberships: true },
  })
const tokenIn = (location: string | null) =>
  new URL(location ?? 'none:').searchParams.get('token') ?? ''

describe('the sandbox', () => {
  test('gets the app with what was typed, and sample values for the rest', async () => {
    const answer = await browser.send(path(), {
      ...{ purchaseOptionId: 'full', 's.text': 'typed', 's.choice': '', 's.secret': '' },
    })
    const [one, ...more] = await sandboxed()
    expect(more).toEqual([])
    expect(answer.location).toBe(`/Developer/Installations/${one?.id}`)
    const values = Object.fromEntries(one?.settings.map(({ key, value }) => [key, value]) ?? [])
    expect(values).toMatchObject({ text: 'typed', choice: 'eu' })
  })

  test('sent twice has it once', async () => {
    const form = { purchaseOptionId: 'free' }
    await Promise.all([1, 2].map(() => browser.send(path(), form)))
    expect(await sandboxed()).toHaveLength(1)
  })

  test('tells what is wrong beside the field', async () => {
    const answer = await browser.send(path(), {
      ...{ purchaseOptionId: 'full', 's.amount': '0.33', 's.note': 'kept' },
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('id="setting-amount-error"')
    expect(answer.text).toContain('\nkept</textarea>')
    const none = await browser.send(path(), { purchaseOptionId: 'no' })
    expect(none.status).toBe(422)
  })
})

describe('a developer opens an app in its sandbox', () => {
  beforeEach(async () => {
    await browser.send(path(), { purchaseOptionId: 'free' })
  })

  test('by the redirect as it is for users, for a test user of the sandbox alone', async () => {
    const sent = await browser.send(open())
    expect(sent.status).toBe(303)
    expect(sent.location?.startsWith(`${RETURN_URL}&token=`)).toBe(true)
    expect(sent.headers.get('cache-control')).toBe('no-store')
    expect(sent.headers.get('referrer-policy')).toBe('no-referrer')
    const [user, ...others] = await users()
    expect(others).toEqual([])
    const [{ partyId } = {}] = await sandboxed()
    expect(user?.memberships).toMatchObject([{ partyId }])
    const token = tokenIn(sent.location)
    const { body } = await call(market, 'GET', '/v1/User/Profile', { token })
    expect(body).toMatchObject({
      partyId,
      user: { id: user?.id, name: 'Test user', email: expect.stringMatching(/@.*\.invalid$/) },
    })
  })

  test('several times at once, for one test user', async () => {
    const sent = await Promise.all(Array.from({ length: 4 }, () => browser.send(open())))
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(await users()).toHaveLength(1)
  })

  test('never for somebody who has got the address of the test user', async () => {
    const { db } = market.deps
    await browser.send(open())
    const [user] = await users()
    const where = { id: user?.id ?? '' }
    const { passwordHash } = await db.user.findFirstOrThrow({ where: { operator: true } })
    await db.user.update({ where, data: { passwordHash } })
    const openedFor = async () => {
      const token = tokenIn((await browser.send(open())).location)
      const { body } = await call(market, 'GET', '/v1/User/Profile', { token })
      return (body as { user: { id: string; email: string } }).user
    }
    const opened = await openedFor()
    expect(opened.id).not.toBe(user?.id)
    expect(opened.email).toMatch(/^test-user-[0-9a-f]{16}@.*\.invalid$/)
    expect(await openedFor()).toEqual(opened)
    await db.user.delete({ where: { id: opened.id } })
    await db.user.update({ where, data: { passwordHash: 'none' } })
    expect(await openedFor()).toMatchObject(where)
  })

  test('not where the operator has suspended the test user or the installation', async () => {
    await browser.send(open())
    const [user] = await users()
    const where = { id: user?.id ?? '' }
    const suspend = (suspendedAt: Date | null) =>
      market.deps.db.user.update({ where, data: { suspendedAt } })
    await suspend(new Date())
    const refused = await browser.send(open())
    expect([refused.status, refused.text.includes('suspended the test user')]).toEqual([422, true])
    await suspend(null)
    const [{ id } = {}] = await sandboxed()
    await browser.send(`/Installations/${id}/Suspend`, { reason: 'For a while.' })
    expect((await browser.get(open())).text).toContain('in your sandbox is suspended')
    expect((await browser.send(open())).status).not.toBe(303)
  })

  test('not another developer, and nothing that is not installed or has no page', async () => {
    const { browser: other } = await newDeveloper(market)
    expect((await other.get(open())).status).toBe(404)
    expect((await other.send(open())).status).toBe(404)
    const background = newId()
    await developer.create(draft(background))
    await browser.send(path(background), { purchaseOptionId: 'free' })
    expect((await browser.get(open(background))).text).toContain('Runs in the background')
    expect((await browser.get(`/Apps/${background}`)).text).toContain(
      'None: runs in the background',
    )
    expect((await browser.send(open(background))).status).not.toBe(303)
    const id = newId()
    await developer.create(draft(id, { authReturnUrl: RETURN_URL }))
    expect((await browser.get(open(id))).text).toContain('not in your sandbox')
    const refused = await browser.send(open(id))
    expect([refused.status, refused.text.includes('Install it there')]).toEqual([422, true])
  })
})
