import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  createCredential,
  removeOwnCredential,
} from '../../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { inviteByOperator } from '../../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, authorWith } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
  sandboxUser,
} from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept } from '../../../setup/people.ts'
import { heldRows } from '../../../setup/turns.ts'

// Transactions that need the same rows take them in one order, so that none fails because two wait
// for each other. Each test stops one of them between two of its locks.

let market: TestMarketplace
let operator: OperatorCalls
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  operator = await operatorCalls(market)
  customer = await newCustomer(market)
})

const { hold, waiting, letGo, statuses } = heldRows(() => market)

describe('a developer', () => {
  test('makes a credential with one that is being removed', async () => {
    const { deps } = market
    const { id: developerId } = await createDeveloper(deps, { name: randomUUID() })
    const { id: usedId } = await deps.db.developerCredential.findFirstOrThrow({
      where: { developerId },
    })
    await hold('SELECT 1 FROM developer_credentials WHERE id = $1 FOR SHARE', usedId)
    try {
      const own = { developerId, usedId: undefined, actor: SYSTEM }
      const removed = removeOwnCredential(deps, own, usedId)
      await waiting(1)
      await createCredential(deps, developerId, {}, SYSTEM, usedId)
      await letGo()
      await removed
    } finally {
      await letGo()
    }
  })

  test('is renamed while an installation of its sandbox changes', async () => {
    const developer = await author(market)
    const { id: appId } = fullDraft()
    await developer.create(fullDraft({ id: appId }))
    const { token } = developer
    const sandbox = `/v1/Developer/Apps/${appId}/Sandbox`
    const { body } = await call(market, 'POST', sandbox, { token })
    const app = await market.deps.db.app.findUniqueOrThrow({
      where: { id: appId },
      include: { developer: true },
    })
    const { id, name, sandboxPartyId } = app.developer
    await hold('SELECT 1 FROM parties WHERE id = $1 FOR NO KEY UPDATE', sandboxPartyId)
    try {
      const renamed = operator('PATCH', `Developers/${id}`, { name: `${name} 2` })
      await waiting(1)
      const path = `/v1/Developer/Installations/${body.id}`
      const suspended = await call(market, 'POST', `${path}/Suspend`, {
        token,
        body: { reason: 'Paused.' },
      })
      expect(suspended.status).toBe(200)
      await letGo()
      expect((await renamed).status).toBe(200)
    } finally {
      await letGo()
    }
    await operator('PATCH', `Developers/${id}`, { name })
  })

  test('changes an installation whose upgrade waits for the app', async () => {
    const { token } = await author(market)
    const { id: appId } = await listedApp(authorWith(market, token), fullDraft())
    const { id } = (await customer.install({ appId, purchaseOptionId: 'free' })).body
    await authorWith(market, token).put(fullDraft({ id: appId, version: '2.0.0' }))
    await hold('SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', appId)
    try {
      const upgraded = customer.upgrade(id, { version: '2.0.0' })
      await waiting(1)
      const path = `/v1/Developer/Installations/${id}/AdminSettings`
      const changed = await call(market, 'PATCH', path, { token, body: {} })
      expect(changed.status).toBe(200)
      await letGo()
      expect((await upgraded).status).toBe(200)
    } finally {
      await letGo()
    }
  })

  test('replaces the installation in its sandbox while the settings of that change', async () => {
    const developer = await author(market)
    const app = fullDraft()
    await developer.create(app)
    const sandbox = () =>
      call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
        token: developer.token,
        body: { purchaseOptionId: 'full' },
      })
    const { body } = await sandbox()
    const user = await sandboxUser(market)
    await hold('SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id)
    try {
      const changed = user.patch(body.id, { text: 'new' })
      await waiting(1)
      const replaced = sandbox()
      await waiting(2)
      await letGo()
      expect(await statuses([changed, replaced])).toEqual([200, 201])
    } finally {
      await letGo()
    }
  })

  test('is closed while its app is installed', async () => {
    const { app, developerId } = await appOfNewDeveloper()
    await hold('SELECT 1 FROM parties WHERE id = $1 FOR UPDATE', customer.party.id)
    try {
      const installed = customer.install({ appId: app.id, purchaseOptionId: 'free' })
      await waiting(1)
      const closed = operator('POST', `Developers/${developerId}/Close`)
      await waiting(2)
      await letGo()
      expect(await statuses([installed, closed])).toEqual([201, 409])
    } finally {
      await letGo()
    }
  })

  test('is closed while it uninstalls an app from its sandbox', async () => {
    const { app, developerId, token } = await appOfNewDeveloper()
    const { body } = await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
      token,
      body: { purchaseOptionId: 'full' },
    })
    await hold('SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id)
    try {
      const removed = call(market, 'DELETE', `/v1/Developer/Installations/${body.id}`, { token })
      await waiting(1)
      const closed = operator('POST', `Developers/${developerId}/Close`)
      await waiting(2)
      await letGo()
      expect(await statuses([removed, closed])).toEqual([204, 200])
    } finally {
      await letGo()
    }
  })

  test('is renamed while the closing uninstalls an app from its sandbox', async () => {
    const { app, developerId, token } = await appOfNewDeveloper()
    const { body } = await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
      token,
      body: { purchaseOptionId: 'full' },
    })
    await hold('SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id)
    try {
      const closed = operator('POST', `Developers/${developerId}/Close`)
      await waiting(1)
      const renamed = operator('PATCH', `Developers/${developerId}`, { name: randomUUID() })
      await waiting(2)
      await letGo()
      expect(await statuses([closed, renamed])).toEqual([200, 200])
    } finally {
      await letGo()
    }
  })

  test('is closed while somebody joins it and its sandbox', async () => {
    const developer = await createDeveloper(market.deps, { name: randomUUID() })
    const { id: developerId, sandboxPartyId } = developer
    const invited = { email: customer.user.email, name: 'Kim', developerId }
    const { link } = await inviteByOperator(
      market.deps,
      { ...invited, partyIds: [sandboxPartyId] },
      SYSTEM,
    )
    await hold('SELECT 1 FROM parties WHERE id = $1 FOR KEY SHARE', sandboxPartyId)
    try {
      const closed = operator('POST', `Developers/${developerId}/Close`)
      await waiting(1)
      const accepted = accept(market, link, undefined, customer.token)
      await waiting(2)
      await letGo()
      expect(await statuses([closed, accepted])).toEqual([200, 410])
    } finally {
      await letGo()
    }
    const where = { userId: customer.user.id, partyId: sandboxPartyId }
    expect(await market.deps.db.membership.count({ where })).toBe(0)
  })
})

test('an account is closed while a request of its member is accepted', async () => {
  const { deps } = market
  const { app } = await appOfNewDeveloper()
  const { party, user, token } = customer
  const { id } = await deps.db.installRequest.create({
    data: {
      ...{ partyId: party.id, userId: user.id, appId: app.id, version: '1.0.0' },
      ...{ purchaseOptionId: 'free', userSettings: {}, passwordKeys: [] },
      consent: { acknowledgements: [], termsDocument: null },
    },
  })
  await hold('SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', app.id)
  try {
    const path = `/v1/Account/Parties/${party.id}/InstallRequests/${id}/Accept`
    const accepted = call(market, 'POST', path, { token, body: {} })
    await waiting(1)
    expect((await operator('POST', `Parties/${party.id}/Close`)).status).toBe(200)
    await letGo()
    expect((await accepted).status).toBe(404)
  } finally {
    await letGo()
  }
})

test.each(['developer', 'account'])(
  'the %s is closed while a member asks for an app of it',
  async (what) => {
    const { app, developerId } = await appOfNewDeveloper()
    const { sandboxPartyId } = await market.deps.db.developer.findUniqueOrThrow({
      where: { id: developerId },
    })
    const partyId = what === 'developer' ? sandboxPartyId : customer.party.id
    const { token } = await newMemberOf(partyId)
    const first =
      what === 'developer' ? (['apps', app.id] as const) : (['parties', partyId] as const)
    await hold(`SELECT 1 FROM ${first[0]} WHERE id = $1 FOR UPDATE`, first[1])
    try {
      const path = what === 'developer' ? `Developers/${developerId}` : `Parties/${partyId}`
      const closed = operator('POST', `${path}/Close`)
      await waiting(1)
      const asked = call(market, 'POST', `/v1/Account/Parties/${partyId}/InstallRequests`, {
        token,
        body: { appId: app.id, purchaseOptionId: 'free', userSettings: {} },
      })
      await waiting(2)
      await letGo()
      const [closing, asking] = await statuses([closed, asked])
      expect(closing).toBe(200)
      expect([404, 422]).toContain(asking)
    } finally {
      await letGo()
    }
  },
)

async function newMemberOf(partyId: number) {
  const member = await newMember(market, partyId)
  return { token: await accountToken(market, member) }
}

/** A listed app of a developer who has nothing else. */
async function appOfNewDeveloper() {
  const made = await createDeveloper(market.deps, { name: randomUUID() })
  const { body } = await call(market, 'POST', '/v1/Auth', { body: made })
  const { token } = body
  const app = await listedApp(authorWith(market, token), fullDraft())
  return { app, developerId: made.id, token: token as string }
}
