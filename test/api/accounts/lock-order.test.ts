import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCredential, removeOwnCredential } from '../../../src/accounts/credentials-service.ts'
import { createDeveloper } from '../../../src/accounts/developers-service.ts'
import { createLink, renewToken } from '../../../src/links/link-tokens-service.ts'
import { inviteByOperator } from '../../../src/people/invitations-service.ts'
import { createPasswordReset } from '../../../src/people/password-resets-service.ts'
import { SYSTEM } from '../../../src/values/actor.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, authorWith } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { accept, complete, newAddress } from '../../setup/people.ts'
import { enrol, nextCode, tokenByCode } from '../../setup/second-factor.ts'
import { holdRows, untilWaiting } from '../../setup/turns.ts'
import { signedIn } from '../../setup/web-client.ts'

// Transactions that need the same rows take them in one order, so that none fails because two wait
// for each other. Each test stops one of them between two of its locks.

let market: TestMarketplace
let operator: OperatorCalls
let customer: Customer
let held: { release(): Promise<void> } | undefined
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  operator = await operatorCalls(market)
  customer = await newCustomer(market)
})

const hold = async (sql: string, ...values: unknown[]) => {
  held = await holdRows(market, sql, values)
}
const waiting = (count: number) => untilWaiting(market, count)

/** Lets go of the rows in any case: the next test begins with nobody waiting. */
async function letGo(): Promise<void> {
  await held?.release()
  held = undefined
}

async function statuses(answers: Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status)
}

describe('a user who is removed', () => {
  test('and whose invitation is being accepted', async () => {
    const developer = await createDeveloper(market.deps, { name: randomUUID() })
    const invited = { email: customer.user.email, name: 'Kim', developerId: developer.id }
    const { link } = await inviteByOperator(market.deps, invited, SYSTEM)
    await hold('SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', developer.id)
    try {
      const accepted = accept(market, link)
      await waiting(1)
      const removed = operator('DELETE', `Users/${customer.user.id}`)
      await waiting(2)
      await letGo()
      expect(await statuses([accepted, removed])).toEqual([200, 204])
    } finally {
      await letGo()
    }
    const where = { userId: customer.user.id }
    expect(await market.deps.db.developerMember.count({ where })).toBe(0)
  })

  test('and who turns the second factor off', async () => {
    const { secret } = await enrol(market, customer.user)
    const token = await tokenByCode(market, customer.user, secret)
    operator = await operatorCalls(market)
    await newSession(customer.user.id, 3600)
    const otp = nextCode(market, secret)
    await hold('SELECT 1 FROM memberships WHERE user_id = $1 FOR UPDATE', customer.user.id)
    try {
      const removed = operator('DELETE', `Users/${customer.user.id}`)
      await waiting(1)
      const path = '/v1/Account/SecondFactor/Remove'
      const off = call(market, 'POST', path, { token, body: { otp } })
      await waiting(2)
      await letGo()
      expect(await statuses([removed, off])).toEqual([204, 409])
    } finally {
      await letGo()
    }
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
      return renewToken(deps, id)
    }
    const confirm = (token: string | undefined) =>
      call(market, 'POST', '/v1/Account/EmailChange/Confirm', { body: { token } })
    expect((await confirm(await linkTo('from'))).status).toBe(200)
    const last = await linkTo('to')
    return () => confirm(last)
  }
  const holdUser = () => hold('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', customer.user.id)

  test('while a new password is set by a link', async () => {
    const confirm = await lastConfirmation()
    const made = await createPasswordReset(market.deps, customer.user.id, SYSTEM)
    const { link } = { link: '', ...made }
    await holdUser()
    try {
      const confirmed = confirm()
      await waiting(1)
      const reset = complete(market, link, randomUUID())
      await waiting(2)
      await letGo()
      expect(await statuses([confirmed, reset])).toEqual([200, 410])
    } finally {
      await letGo()
    }
  })

  test('while an operator makes another link for a new password', async () => {
    const confirm = await lastConfirmation()
    await createPasswordReset(market.deps, customer.user.id, SYSTEM)
    await holdUser()
    try {
      const confirmed = confirm()
      await waiting(1)
      const made = operator('POST', `Users/${customer.user.id}/PasswordReset`)
      await waiting(2)
      await letGo()
      expect(await statuses([confirmed, made])).toEqual([200, 201])
    } finally {
      await letGo()
    }
  })
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
      const accepted = accept(market, link)
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

/** A session that ends so many seconds from now. */
async function newSession(userId: string, seconds: number): Promise<Uint8Array> {
  const id = new Uint8Array(randomBytes(32))
  const time = market.deps.now()
  const times = { createdAt: time, lastSeenAt: time }
  const expiresAt = new Date(time.getTime() + seconds * 1000)
  await market.deps.db.session.create({ data: { id, userId, ...times, expiresAt } })
  return id
}

/** A listed app of a developer who has nothing else. */
async function appOfNewDeveloper() {
  const made = await createDeveloper(market.deps, { name: randomUUID() })
  const { body } = await call(market, 'POST', '/v1/Auth', { body: made })
  return { app: await listedApp(authorWith(market, body.token), fullDraft()), developerId: made.id }
}
