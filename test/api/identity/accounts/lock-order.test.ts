import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createLink, renewToken } from '../../../../src/identity/links/link-tokens-service.ts'
import { inviteByOperator } from '../../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
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

describe('a user who is removed', () => {
  test('and whose invitation is being accepted', async () => {
    const developer = await createDeveloper(market.deps, { name: randomUUID() })
    const invited = { email: customer.user.email, name: 'Kim', developerId: developer.id }
    const { link } = await inviteByOperator(market.deps, invited, SYSTEM)
    await hold('SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', developer.id)
    try {
      const accepted = accept(market, link, undefined, customer.token)
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
      return renewToken(deps, id, { mailed: true })
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

test('a mailed invitation gives an unproved user to its owner while a new password is set by a link', async () => {
  const { deps } = market
  const { id: userId, email } = customer.user
  await deps.db.user.update({ where: { id: userId }, data: { emailProved: false } })
  const reset = await createPasswordReset(deps, userId, SYSTEM)
  const { id } = await inviteByOperator(deps, { email, name: 'Kim' }, SYSTEM)
  const token = await renewToken(deps, id, { mailed: true })
  await hold('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', userId)
  try {
    const accepted = accept(market, `http://mailed.example/?token=${token}`, randomUUID())
    await waiting(1)
    const completed = complete(market, { link: '', ...reset }.link, randomUUID())
    await waiting(2)
    await letGo()
    expect(await statuses([accepted, completed])).toEqual([200, 410])
  } finally {
    await letGo()
  }
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

/** A session that ends so many seconds from now. */
async function newSession(userId: string, seconds: number): Promise<Uint8Array> {
  const id = new Uint8Array(randomBytes(32))
  const time = market.deps.now()
  const times = { createdAt: time, lastSeenAt: time }
  const expiresAt = new Date(time.getTime() + seconds * 1000)
  await market.deps.db.session.create({ data: { id, userId, ...times, expiresAt } })
  return id
}
