import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import {
  createMembership,
  removeMembership,
} from '../../../src/identity/accounts/members/memberships-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { followFailing } from '../../../src/marketplace/webhooks/delivery/failing-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import { accountToken, call } from '../../setup/client.ts'
import {
  acceptAll,
  developerCalls,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { openTold, told, unreadOn } from '../../setup/notifications.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { mainOf, signedIn } from '../../setup/web-client.ts'
import { appWithWebhooks } from '../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

/** An account with an app, its admin, and a browser of the admin. */
async function customerWithApp(definition = fullDraft()) {
  const app = await listedApp(developer, definition)
  const customer = await newCustomer(market)
  const { body } = await customer.install({
    partyId: customer.party.id,
    ...{ appId: app.id, purchaseOptionId: 'free', ...(await acceptAll(market, app.id)) },
  })
  const browser = await signedIn(market, customer.user)
  return { ...customer, app, browser, installationId: body.id as string }
}

describe('requests for an app', () => {
  async function asked() {
    const customer = await newCustomer(market)
    const member = await newMember(market, customer.party.id)
    // That the member joined.
    await market.deps.db.notification.deleteMany({ where: { userId: customer.user.id } })
    const app = await listedApp(developer, fullDraft())
    const path = `/v1/Account/Parties/${customer.party.id}/InstallRequests`
    const token = await accountToken(market, member)
    const { body } = await call(market, 'POST', path, {
      token,
      body: { appId: app.id, purchaseOptionId: 'free' },
    })
    const decide = (what: string, reason?: object) =>
      call(market, 'POST', `${path}/${body.id}/${what}`, {
        token: customer.token,
        ...(reason && { body: reason }),
      })
    const [admin, asking] = [await signedIn(market, customer.user), await signedIn(market, member)]
    return { customer, member, app, id: body.id as string, decide, admin, asking, path, token }
  }

  test('an admin is told, opens it, and the bell is empty', async () => {
    const { customer, app, id, admin } = await asked()
    const { entries, unread } = await told(admin)
    const text = `Unread: Morgan Member asks you to install ${app.name} for ${customer.party.name}.`
    expect([unread, entries[0]?.text]).toEqual(['1', text])
    expect(unreadOn(await admin.get('/Apps'))).toBe('1')
    const opened = await openTold(admin, entries[0]?.open)
    expect([opened.status, opened.location]).toEqual([303, `/Account/Requests/${id}`])
    expect((await told(admin)).unread).toBe('0')
  })

  test.each([
    ['Accept', undefined, 'Your request was accepted: APP is installed for PARTY.'],
    ['Decline', { reason: 'No.' }, 'Your request to install APP for PARTY was declined.'],
  ])(
    'after %s the member is told, and nobody else has to read the request',
    async (what, reason, text) => {
      const { customer, app, decide, admin, asking } = await asked()
      expect((await decide(what, reason)).status).toBe(200)
      const expected = text.replace('APP', app.name).replace('PARTY', customer.party.name)
      expect((await told(asking)).texts).toEqual([`Unread: ${expected}`])
      expect((await told(admin)).unread).toBe('0')
    },
  )

  test('who leaves the account reads no name of it, app or person any more', async () => {
    const { customer, member, app, decide, asking } = await asked()
    await decide('Accept')
    await removeMembership(
      market.deps,
      { userId: member.id, partyId: customer.party.id },
      { kind: 'user', id: customer.user.id, address: null },
    )
    const { page, texts } = await told(asking)
    expect(texts).toEqual(['Unread: This was about an account that you do not belong to any more.'])
    for (const name of [customer.party.name, app.name]) expect(mainOf(page)).not.toContain(name)
    expect((await openTold(asking, (await told(asking)).entries[0]?.open)).location).toBe(
      '/Account/Notifications',
    )
  })

  test('an admin who becomes a member, or whose member leaves, reads no name either', async () => {
    const { customer, member, admin } = await asked()
    await market.deps.db.membership.update({
      where: { userId_partyId: { userId: customer.user.id, partyId: customer.party.id } },
      data: { role: 'member' },
    })
    expect((await told(admin)).texts).toEqual([
      'Unread: This was about an account that you do not manage any more.',
    ])
    await market.deps.db.membership.update({
      where: { userId_partyId: { userId: customer.user.id, partyId: customer.party.id } },
      data: { role: 'admin' },
    })
    await market.deps.db.membership.delete({
      where: { userId_partyId: { userId: member.id, partyId: customer.party.id } },
    })
    expect(mainOf((await told(admin)).page)).not.toContain('Morgan Member')
  })
})

describe('the admins of an account', () => {
  test('are told of a new version once, until they upgrade', async () => {
    const { app, party, browser, installationId, upgrade } = await customerWithApp()
    for (const version of ['2.0.0', '3.0.0']) {
      expect((await developer.put({ ...app, version })).status).toBe(200)
    }
    const { texts, entries } = await told(browser)
    expect(texts).toEqual([`Unread: A new version of ${app.name} is available for ${party.name}.`])
    expect((await openTold(browser, entries[0]?.open)).location).toBe(
      `/Installed/${installationId}/Upgrade`,
    )
    await developer.put({ ...app, version: '4.0.0' })
    expect((await told(browser)).unread).toBe('1')
    const upgraded = await upgrade(installationId, {
      ...{ version: '4.0.0', userSettings: {} },
      ...(await acceptAll(market, app.id)),
    })
    expect(upgraded.status).toBe(200)
    expect((await told(browser)).unread).toBe('0')
  })

  test('hear nothing of a version of an app that is a draft', async () => {
    const { app, browser } = await customerWithApp()
    await developer.hide(app.id)
    await developer.put({ ...app, version: '2.0.0' })
    expect((await told(browser)).texts).toEqual([])
  })

  test('are told of a suspension of each cause and its end, once however often its reason changes', async () => {
    const { app, party, browser, installationId } = await customerWithApp()
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id: app.id } })
    const reason = { reason: 'Why.' }
    const own = developerCalls(market, developer.token)
    await own.suspend(installationId, 'One.')
    await own.suspend(installationId, 'Two.')
    await own.send('POST', `/${installationId}/Resume`)
    for (const path of [`Apps/${app.id}`, `Parties/${party.id}`, `Developers/${developerId}`]) {
      await operator('POST', `${path}/Suspend`, reason)
      await operator('POST', `${path}/Suspend`, { reason: 'Another.' })
      await operator('POST', `${path}/Resume`)
    }
    const [name, account] = [app.name, party.name]
    expect((await told(browser)).texts.reverse()).toEqual(
      [
        `${name} was suspended for ${account}.`,
        `${name} was resumed for ${account}.`,
        `The operator suspended ${name}, which ${account} has installed.`,
        `The operator resumed ${name}, which ${account} has installed.`,
        `The operator suspended ${account}. Its apps do not work.`,
        `The operator resumed ${account}.`,
        `The operator suspended the developer of ${name}, which ${account} has installed.`,
        `The operator resumed the developer of ${name}, which ${account} has installed.`,
      ].map((text) => `Unread: ${text}`),
    )
  })

  test('are told who joins, whose name cannot turn round the page; who joins is not', async () => {
    const customer = await newCustomer(market)
    const name = `\u202eeve<b>`
    const user = await createUser(market.deps, { email: newAddress(), name: 'Eve' })
    await market.deps.db.user.update({ where: { id: user.id }, data: { name } })
    const member = { userId: user.id, partyId: customer.party.id, role: 'admin' as const }
    await createMembership(market.deps, member, SYSTEM)
    const { page, texts } = await told(await signedIn(market, customer.user))
    expect(texts).toHaveLength(1)
    expect(mainOf(page)).toContain('<bdi>\u202eeve&lt;b&gt;</bdi> joined')
    expect((await told(await signedIn(market, user))).texts).toEqual([])
  })

  test('a member who is no admin hears of none of it', async () => {
    const { app, party, installationId } = await customerWithApp()
    const member = await signedIn(market, await newMember(market, party.id))
    await developerCalls(market, developer.token).suspend(installationId)
    await developer.put({ ...app, version: '2.0.0' })
    expect((await told(member)).texts).toEqual([])
  })
})

describe('the people of a developer', () => {
  async function person() {
    const { demo, deps } = market
    const clientId = demo.developers[0]?.clientId ?? ''
    const { developerId } = await deps.db.developerCredential.findUniqueOrThrow({
      where: { clientId },
    })
    return { developerId, ...(await developerPerson(market, 'member', [{ id: developerId }])) }
  }

  test('are told who installs and uninstalls, and open it as that developer', async () => {
    const { id: otherId } = await createDeveloper(market.deps, { name: `Dev ${randomUUID()}` })
    const { user, browser } = await person()
    await market.deps.db.developerMember.create({
      data: { developerId: otherId, userId: user.id, role: 'member' },
    })
    const { app, party, uninstall, installationId } = await customerWithApp()
    await uninstall(installationId)
    const { texts, entries } = await told(browser)
    expect(texts.slice(0, 2)).toEqual([
      `Unread: ${party.name} uninstalled ${app.name}.`,
      `Unread: ${party.name} installed ${app.name}.`,
    ])
    const { location } = await openTold(browser, entries[0]?.open)
    expect(location).toBe(`/Developer/Installations/${installationId}`)
    expect((await browser.get(location ?? '')).status).toBe(200)
  })

  test('are told of an endpoint that fails and is disabled, not of one that they disabled', async () => {
    const { developerId, browser } = await person()
    const hooks = await appWithWebhooks(developer)
    const [one, two] = [(await hooks.create()).body, (await hooks.create()).body]
    const url = one.url as string
    const tried = { appId: hooks.appId, developerId, endpointId: one.id as string, url }
    const fail = async (days: number) => {
      const failingSince = new Date(market.deps.now().getTime() - days * 86_400_000)
      await market.deps.db.webhookEndpoint.update({ where: { id: one.id }, data: { failingSince } })
      const { noticedPercent } = await market.deps.db.webhookEndpoint.findUniqueOrThrow({
        where: { id: one.id },
      })
      const state = { failingSince, noticedPercent }
      await followFailing(market.deps, tried, state as Parameters<typeof followFailing>[2])
    }
    for (const days of [2.6, 3.6, 5.1]) await fail(days)
    await hooks.patch(two.id, { enabled: false })
    const { name } = await market.deps.db.app.findUniqueOrThrow({ where: { id: hooks.appId } })
    const { texts, entries } = await told(browser)
    expect(texts.filter((text) => text.includes('endpoint'))).toEqual([
      `Unread: A webhook endpoint of ${name} was disabled after five days of failures.`,
      `Unread: A webhook endpoint of ${name} is failing. After five days of failures it is disabled.`,
    ])
    expect((await openTold(browser, entries[0]?.open)).location).toBe(
      `/Developer/Apps/${hooks.appId}/Webhooks/${one.id}`,
    )
  })

  test('are told when the operator suspends and resumes the app, and when somebody else lists it', async () => {
    const { browser } = await person()
    const app = await listedApp(developer, fullDraft())
    await operator('POST', `Apps/${app.id}/Suspend`, { reason: 'Why.' })
    await operator('POST', `Apps/${app.id}/Resume`)
    await developer.unlist(app.id)
    expect((await told(browser)).texts).toEqual(
      [
        `${app.name} was unlisted from the catalogue.`,
        `The operator resumed ${app.name}.`,
        `The operator suspended ${app.name}.`,
        `${app.name} was listed in the catalogue.`,
      ].map((text) => `Unread: ${text}`),
    )
  })

  test('read no name when they have left', async () => {
    const { user, browser } = await person()
    const { app } = await customerWithApp()
    await market.deps.db.developerMember.deleteMany({ where: { userId: user.id } })
    const { page, texts } = await told(browser)
    expect(texts[0]).toBe('Unread: This was about a developer that you do not work for any more.')
    expect(mainOf(page)).not.toContain(app.name)
  })
})

test('operators are told what other operators suspend, and not what they do themselves', async () => {
  const other = await createUser(market.deps, {
    ...{ email: newAddress(), name: 'Olga Operator', operator: true },
  })
  const [browser, own] = [await signedIn(market, other), await operatorBrowser(market)]
  const user = await createUser(market.deps, { email: newAddress(), name: 'Sam Stopped' })
  await operator('POST', `Users/${user.id}/Suspend`, { reason: 'Why.' })
  const { texts, entries } = await told(browser)
  expect(texts).toEqual(['Unread: Sam Stopped was suspended.'])
  expect((await told(own)).texts).not.toContain('Unread: Sam Stopped was suspended.')
  expect((await openTold(browser, entries[0]?.open)).location).toBe(`/Operator/Users/${user.id}`)
  await market.deps.db.user.update({ where: { id: other.id }, data: { operator: false } })
  expect((await told(browser)).texts).toEqual(['This was for operators of the marketplace.'])
})
