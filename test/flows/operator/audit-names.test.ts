import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { author } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { filledForm } from '../../setup/install-form.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

const { market, operator, db, seller, userIdOf, aDeveloper } = operatorConsole()

/** The list of a page of the console as a reader has it. */
async function listOf(query: string): Promise<string> {
  const { status, text } = await operator().get(`/Operator/Audit?${query}`)
  expect(status).toBe(200)
  return (/<main.*<\/main>/s.exec(text)?.[0] ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
}

describe('a person is found by name', () => {
  test('with the accounts that the person was added to and removed from', async () => {
    const added = 'added Kim Keyline to Keyline Electronics'
    expect(await listOf('q=Kim')).toContain(added)
    const userId = await userIdOf(seller().email)
    const path = `/Operator/Users/${userId}/Memberships/${seller().partyId}/Remove`
    expect((await operator().send(path)).status).toBe(303)
    expect(await db().membership.count({ where: { userId } })).toBe(0)
    const list = await listOf('q=kim+key')
    expect(list).toContain(added)
    expect(list).toContain('removed Kim Keyline from Keyline Electronics')
    const party = `/Operator/Parties/${seller().partyId}`
    await operator().send(`${party}/Users`, { userId, role: 'admin' })
  })

  test('with the developers that the person worked for', async () => {
    const { id, name } = await aDeveloper()
    const email = `${randomUUID()}@names.example`
    const { id: userId } = await createUser(market().deps, { email, name: 'Vera Vanished' })
    const path = `/Operator/Developers/${id}/Members`
    await operator().send(path, { user: email, role: 'owner' })
    await operator().send(`${path}/${userId}/Remove`)
    const list = await listOf('q=vera')
    expect(list).toContain(`added Vera Vanished to ${name}`)
    expect(list).toContain(`removed Vera Vanished from ${name}`)
  })
})

test('the audit trail finds who was added to an account by a part of the name', async () => {
  const customer = await newCustomer(market())
  await db().auditEvent.create({
    data: {
      actorKind: 'system',
      action: 'membership.created',
      subjectKind: 'membership',
      subjectId: `${customer.user.id}/${customer.party.id}`,
      partyId: customer.party.id,
    },
  })
  const q = encodeURIComponent(customer.user.email)
  const { text } = await operator().get(`/Operator/Audit?q=${q}`)
  expect(text).toMatch(new RegExp(`added\\s.*${customer.user.name}.*to\\s`, 's'))
})

describe('an install request', () => {
  let admin: Customer
  let memberName: string
  let appId: string
  let appName: string
  let member: WebClient
  let adminBrowser: WebClient
  beforeEach(async () => {
    admin = await newCustomer(market())
    const user = await newMember(market(), admin.party.id)
    memberName = `Mo ${randomUUID().slice(0, 8)}`
    await db().user.update({ where: { email: user.email }, data: { name: memberName } })
    const app = await listedApp(await author(market()), fullDraft())
    appId = app.id
    appName = app.name
    member = await signedIn(market(), user)
    adminBrowser = await signedIn(market(), admin.user)
  })

  async function ask(): Promise<string> {
    const path = `/Apps/${appId}/Install`
    const review = await member.post(path, await filledForm(member, appId))
    return (await member.submit(path, hiddenFields(review.text))).location ?? ''
  }

  async function decide(browser: WebClient, path: string, fields: Record<string, string>) {
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const { location } = await browser.submit(path, { _csrf, ...fields })
    expect(location).not.toBeNull()
  }

  test.each([
    ['accepted', { decision: 'accept' }],
    ['declined', { decision: 'decline', reason: 'Not now.' }],
  ])('that is %s is found by who asked, with both names and the app', async (word, decision) => {
    await decide(adminBrowser, await ask(), decision)
    const list = await listOf(`q=${encodeURIComponent(memberName)}`)
    expect(list).toContain(`${memberName} asked to install ${appName}`)
    expect(list).toContain(`${word} the install request of ${memberName} for ${appName}`)
    expect(list).not.toContain('install request of undefined')
  })

  test('that is withdrawn names the app, and the member once the membership is gone', async () => {
    await decide(member, await ask(), { decision: 'withdraw' })
    const { id: userId } = await db().user.findFirstOrThrow({ where: { name: memberName } })
    const where = { userId_partyId: { userId, partyId: admin.party.id } }
    await db().membership.delete({ where })
    const list = await listOf(`q=${encodeURIComponent(memberName)}`)
    expect(list).toContain(`${memberName} asked to install ${appName}`)
    expect(list).toContain(`withdrew the install request of ${memberName} for ${appName}`)
  })
})

describe('a filter by an id', () => {
  const shown = async (path: string) => {
    const { text } = await operator().get(`/Operator/${path}`)
    return (/Only (.*?)·/s.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim()
  }

  test('says the name', async () => {
    const userId = await userIdOf(seller().email)
    const { id: developerId, name, credentials } = await aDeveloper()
    const { partyId } = seller()
    const party = 'Keyline Electronics'
    const client = credentials[0]?.clientId ?? ''
    const [installation] = await db().installation.findMany({
      where: { partyId },
      include: { app: true },
    })
    expect([
      await shown(`Audit?actorId=${userId}`),
      await shown(`Audit?actorId=${userId.toUpperCase()}`),
      await shown(`Audit?actorId=${client}`),
      await shown('Audit?actorId=cli'),
      await shown(`Audit?actorId=${installation?.id}`),
      await shown(`Audit?partyId=${partyId}`),
      await shown(`Apps?developerId=${developerId}`),
      await shown(`Parties?partnerId=${partyId}`),
      await shown(`Parties?memberId=${userId}`),
      await shown(`Users?partyId=${partyId}`),
    ]).toEqual([
      'actor Kim Keyline',
      'actor Kim Keyline',
      `actor ${name}`,
      'actor the command line',
      `actor ${installation?.app.name} of ${party}`,
      `account ${party}`,
      `developer ${name}`,
      `connected with account ${party}`,
      'user Kim Keyline',
      `account ${party}`,
    ])
  })

  test.each(['nobody', randomUUID(), '%00', '%F0%9F%92%A9', "'"])(
    'of actor %s, whom nobody knows, shows no name',
    async (id) => {
      expect((await operator().get(`/Operator/Audit?actorId=${id}`)).status).toBeLessThan(500)
    },
  )
})

test('entries name programs, endpoints, consumers and imports by what they are called', async () => {
  const { id: developerId, name, credentials } = await aDeveloper()
  const { partyId } = seller()
  const clientId = credentials[0]?.clientId ?? ''
  const { id: appId, name: appName } = await db().app.findFirstOrThrow({ where: { developerId } })
  const gone = { appId, origin: 'https://gone.example' }
  const common = { actorKind: 'developer', actorId: clientId, developerId }
  const [webhook, deleted] = [randomUUID(), randomUUID()]
  await db().auditEvent.createMany({
    data: [
      {
        ...common,
        action: 'webhook.deleted',
        subjectKind: 'webhook',
        subjectId: deleted,
        before: gone,
      },
      {
        ...common,
        action: 'webhook.enabled',
        subjectKind: 'webhook',
        subjectId: webhook,
        after: { appId },
      },
      {
        ...common,
        action: 'event_consumer.created',
        subjectKind: 'event_consumer',
        subjectId: 'erp',
      },
      {
        ...common,
        action: 'products.imported',
        subjectKind: 'product_import',
        subjectId: webhook,
        partyId,
      },
    ],
  })
  const list = await listOf(`actorId=${clientId}`)
  for (const said of [
    `deleted the webhook endpoint https://gone.example of ${appName}`,
    `enabled the webhook endpoint ${webhook} of ${appName}`,
    `created the event consumer erp of ${name}`,
    'imported products of the account Keyline Electronics',
  ]) {
    expect(list).toContain(`${name} ${clientId} Developer ${said}`)
  }
})
