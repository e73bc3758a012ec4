import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, draft, newId } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { type DeveloperConsole, developerConsole } from '../../setup/console.ts'
import { setReturnUrl } from '../../setup/redirect.ts'

const RETURN_URL = 'https://price-sync.example/back?keep=1'
const OPEN = '/Apps/price-sync/Sandbox/Open'

let market: TestMarketplace
let developer: DeveloperConsole

beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, 'price-sync', RETURN_URL)
  developer = await developerConsole(market)
})
afterAll(() => market?.close())

const users = () =>
  market.deps.db.user.findMany({
    where: { name: 'Test user' },
    include: { memberships: true },
    orderBy: { createdAt: 'asc' },
  })
const sandboxInstallation = () =>
  market.deps.db.installation.findFirstOrThrow({
    where: { appId: 'price-sync', partyType: 'None', live: true },
  })
const tokenIn = (location: string | null) =>
  new URL(location ?? 'none:').searchParams.get('token') ?? ''

describe('a developer opens an app in its sandbox', () => {
  test('by the redirect as it is for users, for a test user of the sandbox alone', async () => {
    const sent = await developer.send(OPEN)
    expect(sent.status).toBe(303)
    expect(sent.location?.startsWith(`${RETURN_URL}&token=`)).toBe(true)
    expect(sent.headers.get('cache-control')).toBe('no-store')
    expect(sent.headers.get('referrer-policy')).toBe('no-referrer')
    const [user, ...others] = await users()
    expect(others).toEqual([])
    const { partyId } = await sandboxInstallation()
    expect(user?.memberships).toMatchObject([{ partyId }])
    const token = tokenIn(sent.location)
    const { body } = await call(market, 'GET', '/v1/User/Profile', { token })
    expect(body).toMatchObject({
      partyId,
      user: { id: user?.id, name: 'Test user', email: expect.stringMatching(/@.*\.invalid$/) },
    })
  })

  test('several times at once, for one test user', async () => {
    const other = await developerConsole(market, 1)
    const own = await market.deps.db.developer.findFirstOrThrow({ where: { name: 'Contoso Sync' } })
    await setReturnUrl(market, 'catalog-sync', 'https://catalog-sync.example/back')
    await other.send('/Apps/catalog-sync/Sandbox', { purchaseOptionId: 'free' })
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => other.send(OPEN.replace('price-sync', 'catalog-sync'))),
    )
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    const made = (await users()).filter(({ email }) => email.includes(own.id))
    expect(made).toHaveLength(1)
  })

  test('never for somebody who has got the address of the test user', async () => {
    const { db } = market.deps
    const [user] = await users()
    const where = { id: user?.id ?? '' }
    const { passwordHash } = await db.user.findFirstOrThrow({ where: { operator: true } })
    await db.user.update({ where, data: { passwordHash } })
    const openedFor = async () => {
      const token = tokenIn((await developer.send(OPEN)).location)
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
    const [user] = await users()
    const where = { id: user?.id ?? '' }
    const suspend = (suspendedAt: Date | null) =>
      market.deps.db.user.update({ where, data: { suspendedAt } })
    onTestFinished(async () => {
      await suspend(null)
      await developer.send(`/Installations/${(await sandboxInstallation()).id}/Resume`)
    })
    await suspend(new Date())
    const refused = await developer.send(OPEN)
    expect([refused.status, refused.text.includes('suspended the test user')]).toEqual([422, true])
    await suspend(null)
    const { id } = await sandboxInstallation()
    await developer.send(`/Installations/${id}/Suspend`, { reason: 'For a while.' })
    expect((await developer.get(OPEN)).text).toContain('in your sandbox is suspended')
    expect((await developer.send(OPEN)).status).not.toBe(303)
  })

  test('not another developer, and nothing that is not installed or has no page', async () => {
    const other = await developerConsole(market, 1)
    expect((await other.get(OPEN)).status).toBe(404)
    expect((await other.send(OPEN)).status).toBe(404)
    const watch = OPEN.replace('price-sync', 'stock-watch')
    expect((await developer.get(watch)).text).toContain('Runs in the background')
    expect((await developer.get('/Apps/stock-watch')).text).toContain(
      'None: runs in the background',
    )
    expect((await developer.send(watch)).status).not.toBe(303)
    const { create } = await author(market)
    const id = newId()
    await create(draft(id, { authReturnUrl: RETURN_URL }))
    expect((await developer.get(`/Apps/${id}/Sandbox/Open`)).text).toContain('not in your sandbox')
    const refused = await developer.send(`/Apps/${id}/Sandbox/Open`)
    expect([refused.status, refused.text.includes('Install it there')]).toEqual([404, true])
  })
})
