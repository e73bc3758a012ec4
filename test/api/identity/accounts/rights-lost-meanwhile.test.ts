import { randomUUID } from 'node:crypto'
import argon2 from 'argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  createCredential,
  removeOwnCredential,
} from '../../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import {
  addDeveloperMember,
  changeDeveloperMember,
  removeDeveloperMember,
} from '../../../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { type Answer, accountToken, call } from '../../../setup/client.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls, operatorWithCode } from '../../../setup/operator.ts'
import { setReturnUrl } from '../../../setup/redirect.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { signedIn } from '../../../setup/web-client.ts'

// A request that somebody else's lock holds up is answered by the rights of when it goes on.

let market: TestMarketplace
let developer: Author
let operator: OperatorCalls
let admin: Customer
let app: { id: string }
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  operator = await operatorCalls(market)
})
afterAll(() => market.close())
beforeEach(async () => {
  admin = await newCustomer(market)
  app = await listedApp(developer, fullDraft())
})

/** Sends a request that stops at the held rows, takes the right meanwhile, and lets it go on. */
async function meanwhile<T>(
  [sql, ...values]: [sql: string, ...values: unknown[]],
  send: () => Promise<T>,
  takeRight: () => Promise<Answer>,
): Promise<T> {
  const held = await holdRows(market, sql, values)
  try {
    const answer = send()
    await untilWaiting(market, 1)
    expect((await takeRight()).status).toBeLessThan(300)
    await held.release()
    return await answer
  } finally {
    await held.release()
  }
}

const APP = 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE'
const REQUEST = 'SELECT 1 FROM install_requests WHERE party_id = $1 FOR UPDATE'
const INSTALLATION = 'SELECT 1 FROM installations WHERE id = $1 FOR UPDATE'
const membership = () => `Memberships/${admin.user.id}/${admin.party.id}`
const leave = () => operator('DELETE', membership())
const demote = () => operator('PATCH', membership(), { role: 'member' })
const removeUser = () => operator('DELETE', `Users/${admin.user.id}`)
const installed = () => market.deps.db.installation.count({ where: { partyId: admin.party.id } })

describe('an install that waits for the app is refused to whom meanwhile', () => {
  test.each([
    ['is no member any more', leave, 'not_found'],
    ['is an admin no more', demote, 'admin_required'],
    ['was removed', removeUser, 'not_found'],
  ] as const)('%s', async (_name, takeRight, code) => {
    const send = () => admin.install({ appId: app.id, purchaseOptionId: 'free' })
    expectProblem(await meanwhile([APP, app.id], send, takeRight), code)
    expect(await installed()).toBe(0)
  })
})

describe('a decision that waits for the request is refused to whom meanwhile', () => {
  test.each([
    ['Accept', undefined],
    ['Decline', { reason: 'We have one.' }],
  ])('is an admin no more: %s', async (action, body) => {
    const member = await newMember(market, admin.party.id)
    const token = await accountToken(market, member)
    const path = `/v1/Account/Parties/${admin.party.id}/InstallRequests`
    const asked = { appId: app.id, purchaseOptionId: 'free', userSettings: {} }
    const { id } = (await call(market, 'POST', path, { token, body: asked })).body
    const send = () =>
      call(market, 'POST', `${path}/${id}/${action}`, {
        token: admin.token,
        ...(body === undefined ? {} : { body }),
      })
    expectProblem(await meanwhile([REQUEST, admin.party.id], send, demote), 'admin_required')
    const { status } = await market.deps.db.installRequest.findUniqueOrThrow({ where: { id } })
    expect([status, await installed()]).toEqual(['pending', 0])
  })
})

describe('a change that waits for the installation is refused to whom meanwhile', () => {
  test.each([
    ['an uninstall', (id: string) => admin.uninstall(id)],
    ['settings', (id: string) => admin.patch(id, {})],
    ['another option', (id: string) => admin.changeOption(id, 'full')],
  ])('is an admin no more: %s', async (_name, send) => {
    const { id } = (await admin.install({ appId: app.id, purchaseOptionId: 'free' })).body
    const answer = await meanwhile([INSTALLATION, id], () => send(id), demote)
    expectProblem(answer, 'not_found')
    expect(await market.deps.db.installation.findUnique({ where: { id } })).toMatchObject({
      ...{ live: true, revision: 1, purchaseOptionId: 'free' },
    })
  })
})

test('a redirect that waits hands nothing over for a user who was removed meanwhile', async () => {
  await setReturnUrl(market, app.id, 'https://app.example/return')
  await admin.install({ appId: app.id, purchaseOptionId: 'free' })
  const member = await newMember(market, admin.party.id)
  const browser = await signedIn(market, member)
  const path = `/Apps/Authenticate/${app.id}`
  expect((await browser.get(path)).location).toContain('token=')
  const held = await market.deps.pool.connect()
  try {
    await held.query('BEGIN')
    await held.query('LOCK TABLE apps IN ACCESS EXCLUSIVE MODE')
    const answer = browser.get(path)
    await untilWaiting(market, 1)
    expect((await operator('DELETE', `Users/${member.id}`)).status).toBe(204)
    await held.query('COMMIT')
    const { status, location } = await answer
    expect([status, location]).toEqual([404, null])
  } finally {
    held.release()
  }
})

test('an owner who becomes a member while a removal waits removes no credential', async () => {
  const { deps } = market
  const { id: developerId } = await createDeveloper(deps, { name: randomUUID() })
  const { id: userId } = await createUser(deps, person())
  const member = { userId, developerId }
  await addDeveloperMember(deps, developerId, { userId, role: 'owner' }, SYSTEM)
  const { id } = await deps.db.developerCredential.findFirstOrThrow({ where: { developerId } })
  const actor = { kind: 'user', id: userId, developerId, address: null } as const
  const held = await holdRows(
    market,
    'SELECT 1 FROM developer_members WHERE developer_id = $1 FOR UPDATE',
    [developerId],
  )
  try {
    const byOperator = { actor: SYSTEM, keepsAnOwner: false }
    const change = changeDeveloperMember(deps, member, { role: 'member' }, byOperator)
    await untilWaiting(market, 1)
    const removal = removeOwnCredential(deps, { developerId, usedId: undefined, actor }, id)
    const refusal = removal.catch((error: unknown) => error)
    await untilWaiting(market, 2)
    await held.release()
    expect((await change).role).toBe('member')
    expect(await refusal).toMatchObject({ code: 'owner_required' })
  } finally {
    await held.release()
  }
  expect(await deps.db.developerCredential.findUnique({ where: { id } })).toMatchObject({
    removedAt: null,
  })
})

test('an owner who is suspended while a removal waits removes nobody', async () => {
  const { deps } = market
  const { id: developerId } = await createDeveloper(deps, { name: randomUUID() })
  const [owner, other] = [await createUser(deps, person()), await createUser(deps, person())]
  for (const { id: userId } of [owner, other]) {
    await addDeveloperMember(deps, developerId, { userId, role: 'owner' }, SYSTEM)
  }
  const actor = { kind: 'user', id: owner.id, developerId, address: null } as const
  const refusal = await meanwhile(
    ['SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', developerId],
    () => {
      const byOwner = { actor, keepsAnOwner: true }
      const removal = removeDeveloperMember(deps, { userId: other.id, developerId }, byOwner)
      return removal.catch((error: unknown) => error)
    },
    () => operator('POST', `Users/${owner.id}/Suspend`, { reason: 'left' }),
  )
  expect(refusal).toMatchObject({ code: 'owner_required' })
  expect(await deps.db.developerMember.count({ where: { developerId } })).toBe(2)
})

/** Sends a request whose password waits for its hash, takes the right meanwhile, and lets it go on. */
async function whileHashing<T>(
  send: () => Promise<T>,
  takeRight: () => Promise<Answer>,
): Promise<T> {
  const { hash } = argon2
  const begun = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const spy = vi.spyOn(argon2, 'hash').mockImplementationOnce((async (
    ...given: Parameters<typeof hash>
  ) => {
    begun.resolve()
    await taken.promise
    return hash(...given)
  }) as never)
  try {
    const answer = send()
    // A request that is refused before its hash fails the test, instead of waiting for ever.
    await Promise.race([begun.promise, answer])
    expect((await takeRight()).status).toBeLessThan(300)
    taken.resolve()
    return await answer
  } finally {
    taken.resolve()
    spy.mockRestore()
  }
}

describe('what waits for the hash of a password is refused to whom meanwhile', () => {
  const user = (role: { operator?: boolean } = {}) =>
    createUser(market.deps, { ...person(), ...role })

  test('is no owner of the developer any more: a credential', async () => {
    const { id: developerId } = await createDeveloper(market.deps, { name: randomUUID() })
    const { id } = await user()
    const member = { userId: id, role: 'owner' } as const
    await addDeveloperMember(market.deps, developerId, member, SYSTEM)
    const actor = { kind: 'user', id, developerId, address: null } as const
    const made = () =>
      createCredential(market.deps, developerId, {}, actor).catch((error: unknown) => error)
    const remove = () => operator('DELETE', `Developers/${developerId}/Members/${id}`)
    expect(await whileHashing(made, remove)).toMatchObject({ code: 'owner_required' })
    const where = { developerId, removedAt: null }
    expect(await market.deps.db.developerCredential.count({ where })).toBe(1)
  })

  test.each([
    ['an operator', 'POST', () => 'Users', () => ({ ...person(), operator: true, partyIds: [] })],
    ['a password', 'PUT', (id: string) => `Users/${id}/Password`, () => ({})],
    ['a developer', 'POST', () => 'Developers', () => ({ name: randomUUID() })],
    ['a credential', 'POST', (_: string, id: string) => `Developers/${id}/Credentials`, () => ({})],
  ])('is no operator any more: %s', async (_what, method, pathOf, body) => {
    const second = await user({ operator: true })
    const { token } = await operatorWithCode(market, second)
    const { id: developerId } = await createDeveloper(market.deps, { name: randomUUID() })
    const path = pathOf(admin.user.id, developerId)
    const { deps } = market
    const counted = async () => [
      await deps.db.user.count(),
      await deps.db.developer.count(),
      await deps.db.developerCredential.count(),
      (await deps.db.user.findUniqueOrThrow({ where: { id: admin.user.id } })).passwordHash,
    ]
    const before = await counted()
    const answer = await whileHashing(
      () => call(market, method, `/v1/Operator/${path}`, { token, body: body() }),
      () => operator('PATCH', `Users/${second.id}`, { operator: false }),
    )
    expectProblem(answer, 'operator_required')
    expect(await counted()).toEqual(before)
  })
})

const person = () => ({ email: `${randomUUID()}@x.example`, name: 'Pat' })
