import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  createCredential,
  removeOwnCredential,
} from '../../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createLink, renewToken } from '../../../../src/identity/links/link-tokens-service.ts'
import { inviteByOperator } from '../../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../../src/identity/people/password-resets-service.ts'
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
import { accept, complete, newAddress } from '../../../setup/people.ts'
import { enrol, nextCode, tokenByCode } from '../../../setup/second-factor.ts'
import { heldRows } from '../../../setup/turns.ts'
import { signedIn } from '../../../setup/web-client.ts'

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

/** The statuses of two requests of which the first stops at a held row, and the second at the first. */
async function inOrder(
  [sql, ...values]: [string, ...unknown[]],
  first: () => Promise<{ status: number }>,
  second: () => Promise<{ status: number }>,
): Promise<number[]> {
  await hold(sql, ...values)
  try {
    const one = first()
    await waiting(1)
    const two = second()
    await waiting(2)
    await letGo()
    return await statuses([one, two])
  } finally {
    await letGo()
  }
}

describe('a user who is removed', () => {
  test('and whose invitation is being accepted', async () => {
    const developer = await createDeveloper(market.deps, { name: randomUUID() })
    const invited = { email: customer.user.email, name: 'Kim', developerId: developer.id }
    const { link } = await inviteByOperator(market.deps, invited, SYSTEM)
    const answers = await inOrder(
      ['SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', developer.id],
      () => accept(market, link, undefined, customer.token),
      () => operator('DELETE', `Users/${customer.user.id}`),
    )
    expect(answers).toEqual([200, 204])
    const where = { userId: customer.user.id }
    expect(await market.deps.db.developerMember.count({ where })).toBe(0)
  })

  test('and who turns the second factor off', async () => {
    const { secret } = await enrol(market, customer.user)
    const token = await tokenByCode(market, customer.user, secret)
    operator = await operatorCalls(market)
    await newSession(customer.user.id, 3600)
    const otp = nextCode(market, secret)
    const path = '/v1/Account/SecondFactor/Remove'
    const answers = await inOrder(
      ['SELECT 1 FROM memberships WHERE user_id = $1 FOR UPDATE', customer.user.id],
      () => operator('DELETE', `Users/${customer.user.id}`),
      () => call(market, 'POST', path, { token, body: { otp } }),
    )
    expect(answers).toEqual([204, 409])
  })
})

describe('a new email is confirmed', () => {
  /** Sends the second of the two confirmations. */
  async function lastConfirmation() {
    const { deps } = market
    const { id: userId, email } = customer.user
    const grants = { request: randomUUID(), from: email, to: newAddress() }
    const linkTo = async (side: 'from' | 'to') => {
      const scope = `${side} ${userId}`
      const to = { purpose: 'email_change', email: grants[side], scope } as const
      const { id } = await deps.db.$transaction((db) =>
        createLink({ ...deps, db }, { ...to, grants, userId, actor: SYSTEM }),
      )
      return renewToken(deps, id, { mailed: true })
    }
    const confirm = (token: string | undefined) =>
      call(market, 'POST', '/v1/Account/EmailChange/Confirm', { body: { token } })
    expect((await confirm(await linkTo('from'))).status).toBe(200)
    const last = await linkTo('to')
    return () => confirm(last)
  }

  test('while a new password is set by a link', async () => {
    const confirm = await lastConfirmation()
    const made = await createPasswordReset(market.deps, customer.user.id, SYSTEM)
    const { link } = { link: '', ...made }
    const answers = await inOrder(
      ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', customer.user.id],
      () => confirm(),
      () => complete(market, link, randomUUID()),
    )
    expect(answers).toEqual([200, 410])
  })

  test('while an operator makes another link for a new password', async () => {
    const confirm = await lastConfirmation()
    await createPasswordReset(market.deps, customer.user.id, SYSTEM)
    const answers = await inOrder(
      ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', customer.user.id],
      () => confirm(),
      () => operator('POST', `Users/${customer.user.id}/PasswordReset`),
    )
    expect(answers).toEqual([200, 201])
  })
})

test('a mailed invitation gives an unproved user to its owner while a new password is set by a link', async () => {
  const { deps } = market
  const { id: userId, email } = customer.user
  await deps.db.user.update({ where: { id: userId }, data: { emailProved: false } })
  const reset = await createPasswordReset(deps, userId, SYSTEM)
  const { id } = await inviteByOperator(deps, { email, name: 'Kim' }, SYSTEM)
  const token = await renewToken(deps, id, { mailed: true })
  const answers = await inOrder(
    ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', userId],
    () => accept(market, `http://mailed.example/?token=${token}`, randomUUID()),
    () => complete(market, { link: '', ...reset }.link, randomUUID()),
  )
  expect(answers).toEqual([200, 410])
})

test('somebody signs in while an expired session of somebody else is held', async () => {
  const id = await newSession(customer.user.id, -3600)
  await hold('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', Buffer.from(id))
  try {
    await signedIn(market, (await newCustomer(market)).user)
  } finally {
    await letGo()
  }
})

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
    const answers = await inOrder(
      ['SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id],
      () => user.patch(body.id, { text: 'new' }),
      () => sandbox(),
    )
    expect(answers).toEqual([200, 201])
  })

  test('is closed while its app is installed', async () => {
    const { app, developerId } = await appOfNewDeveloper()
    const answers = await inOrder(
      ['SELECT 1 FROM parties WHERE id = $1 FOR UPDATE', customer.party.id],
      () => customer.install({ appId: app.id, purchaseOptionId: 'free' }),
      () => operator('POST', `Developers/${developerId}/Close`),
    )
    expect(answers).toEqual([201, 409])
  })

  test('is closed while it uninstalls an app from its sandbox', async () => {
    const { app, developerId, token } = await appOfNewDeveloper()
    const { body } = await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
      token,
      body: { purchaseOptionId: 'full' },
    })
    const answers = await inOrder(
      ['SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id],
      () => call(market, 'DELETE', `/v1/Developer/Installations/${body.id}`, { token }),
      () => operator('POST', `Developers/${developerId}/Close`),
    )
    expect(answers).toEqual([204, 200])
  })

  test('is renamed while the closing uninstalls an app from its sandbox', async () => {
    const { app, developerId, token } = await appOfNewDeveloper()
    const { body } = await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
      token,
      body: { purchaseOptionId: 'full' },
    })
    const answers = await inOrder(
      ['SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', body.id],
      () => operator('POST', `Developers/${developerId}/Close`),
      () => operator('PATCH', `Developers/${developerId}`, { name: randomUUID() }),
    )
    expect(answers).toEqual([200, 200])
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
    const answers = await inOrder(
      ['SELECT 1 FROM parties WHERE id = $1 FOR KEY SHARE', sandboxPartyId],
      () => operator('POST', `Developers/${developerId}/Close`),
      () => accept(market, link, undefined, customer.token),
    )
    expect(answers).toEqual([200, 410])
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

/** A session that ends so many seconds from now. */
async function newSession(userId: string, seconds: number): Promise<Uint8Array> {
  const id = new Uint8Array(randomBytes(32))
  const time = market.deps.now()
  const times = { createdAt: time, lastSeenAt: time }
  const expiresAt = new Date(time.getTime() + seconds * 1000)
  await market.deps.db.session.create({ data: { id, userId, ...times, expiresAt } })
  return id
}

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
