import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import { type Answer, accountToken, call } from '../../setup/client.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import { holdRows, untilWaiting } from '../../setup/turns.ts'
import { signedIn } from '../../setup/web-client.ts'

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
