import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, flat } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import {
  accountCalls,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Whatever a step answers has to be a success. */
async function done(answer: ReturnType<typeof call>) {
  const { status, body, text } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}

describe('an account and an app', () => {
  test('live together from the first click to the last, by API', async () => {
    const developer = await author(market)
    const app = await listedApp(
      developer,
      fullDraft({
        permissions: [
          { id: 'products:read', purpose: 'Reads your products.' },
          { id: 'settings:read', purpose: 'Reads your settings.' },
          { id: 'profile:read', purpose: 'Greets you.' },
        ],
        acknowledgements: [{ id: 'calls', title: 'Calls home', text: 'It calls us.', order: 1 }],
      }),
    )
    await done(developer.putTerms(app.id, '# Terms'))
    const runs = developerCalls(market, developer.token)
    const { user, party } = await newCustomer(market)

    // Sign in, and see for whom.
    const { token } = await done(call(market, 'POST', '/v1/Account/Auth', { body: user }))
    const account = accountCalls(market, token)
    expect((await done(account.account())).parties).toMatchObject([{ id: party.id }])

    // Find the app, read what it asks, what it costs and what it wants to know.
    const catalogue = await done(call(market, 'GET', '/v1/Apps'))
    expect(catalogue.map(({ id }: { id: string }) => id)).toContain(app.id)
    const listing = await done(call(market, 'GET', `/v1/Apps/${app.id}`))
    expect(Object.keys(listing.settings.full)).toContain('secret')

    // The first try forgets things; the answer names them all.
    const wish = { appId: app.id, partyId: party.id, purchaseOptionId: 'full' }
    const refused = await account.install(wish)
    expect(refused.status).toBe(422)
    const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.sort()).toEqual([
      ...['/acknowledgements', '/termsDocument'],
      ...['/userSettings/choice', '/userSettings/secret', '/userSettings/text'],
    ])

    // The second has them.
    const installed = await done(
      account.install({
        ...wish,
        userSettings: { text: 'jane', choice: 5, secret: 's3cret', amount: 0.3 },
        acknowledgements: listing.acknowledgements.map((one: { id: string; sha256: string }) => ({
          ...{ id: one.id, sha256: one.sha256 },
        })),
        termsDocument: { sha256: listing.termsDocument.sha256 },
      }),
    )
    const { id } = installed
    expect(installed).toMatchObject({ status: 'active', missingSettings: [], upgrade: null })

    // The developer sees it, with what the app needs, and completes it.
    const seen = await done(runs.list(`?partyId=${party.id}`))
    expect(seen).toMatchObject([{ id, userSettings: { secret: 's3cret', choice: 5 } }])
    await done(runs.patch(id, { adminMust: 'shard 7' }))

    // The app acts for the account.
    const minted = await done(runs.mint(id))
    const asApp = (path: string) => call(market, 'GET', path, { token: minted.token })
    expect(await done(asApp('/v1/Products'))).toEqual([])
    expect(await done(asApp('/v1/User/Profile'))).toMatchObject({ partyId: party.id, user: null })
    expect(await done(asApp('/v1/Installation'))).toMatchObject({
      userSettings: { text: 'jane', choice: 5, amount: 0.3 },
      adminSettings: { adminMust: 'shard 7' },
    })

    // Settings change; another option is looked at, and left alone.
    await done(account.patch(id, { amount: null, flag: true }))
    const preview = await done(account.previewOption(id, 'free'))
    expect(preview.settings).toMatchObject({ kept: [], needed: [] })
    expect(preview.price.before.monthlyCost - preview.price.after.monthlyCost).toBe(10)

    // The developer suspends and resumes.
    await done(runs.suspend(id, 'Maintenance'))
    expect((await asApp('/v1/Products')).status).toBe(401)
    expect(await done(account.read(id))).toMatchObject({ suspendedReason: 'Maintenance' })
    await done(runs.resume(id))
    expect((await asApp('/v1/Products')).status).toBe(200)

    // A new version comes; the account looks at it, agrees, and keeps its id.
    const { flag: _flag, ...rest } = EVERY_SETTING
    await done(
      developer.put({
        ...app,
        version: '2.0.0',
        permissions: [{ id: 'products:read', purpose: 'Reads your products.' }],
        purchaseOptions: [flat('full', 12)],
        settings: { full: rest },
      } as typeof app),
    )
    expect(await done(account.read(id))).toMatchObject({ upgrade: { version: '2.0.0' } })
    const upgrade = await done(account.previewUpgrade(id))
    expect(upgrade).toMatchObject({
      to: '2.0.0',
      permissions: { added: [], removed: ['settings:read', 'profile:read'] },
      settings: { dropped: ['flag'], needed: [] },
      acknowledgements: [],
      termsDocument: null,
    })
    const upgraded = await done(account.upgrade(id, { version: upgrade.to }))
    expect(upgraded).toMatchObject({ id, installedVersion: '2.0.0', quote: { monthlyCost: 12 } })
    expect((await asApp('/v1/Products')).status).toBe(401)

    // It leaves, for good.
    await done(account.uninstall(id))
    expect(await done(account.list())).toEqual([])
    expect(await done(account.list('?status=uninstalled'))).toMatchObject([{ id }])
    expect((await runs.mint(id)).status).toBe(403)

    // All of it is in the trail.
    const rows = await market.deps.db.auditEvent.findMany({
      where: { subjectKind: 'installation', subjectId: id },
      orderBy: { id: 'asc' },
    })
    expect(rows.map(({ action, actorKind }) => `${action} by ${actorKind}`)).toEqual([
      'installation.created by user',
      'installation.settings_changed by developer',
      'installation.settings_changed by user',
      'installation.suspended by developer',
      'installation.resumed by developer',
      'installation.upgraded by user',
      'installation.uninstalled by user',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ partyId: party.id, address: '127.0.0.1' })
    }
  })
})
