import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import {
  accountCalls,
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { redirectToken } from '../../../setup/redirect.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

/** An account with an installation, its admin, and a member. */
async function company() {
  const admin = await newCustomer(market)
  const user = await newMember(market, admin.party.id)
  const app = await listedApp(developer, fullDraft())
  const installed = await admin.install({ appId: app.id, purchaseOptionId: 'free' })
  const member = accountCalls(market, await accountToken(market, user))
  return { admin, user, member, app, installationId: installed.body.id as string }
}

function members({ party, token }: Pick<Customer, 'party' | 'token'>) {
  const path = `/v1/Account/Parties/${party.id}/Members`
  return {
    list: (query = '') => call(market, 'GET', `${path}${query}`, { token }),
    change: (userId: string, role: unknown) =>
      call(market, 'PATCH', `${path}/${userId}`, { token, body: { role } }),
    remove: (userId: string) => call(market, 'DELETE', `${path}/${userId}`, { token }),
  }
}

describe('a member', () => {
  test('sees and opens what is installed', async () => {
    const { member, user, installationId } = await company()
    expect((await member.list()).body).toMatchObject([{ id: installationId }])
    expect((await member.read(installationId)).status).toBe(200)
    expect((await member.previewUpgrade(installationId)).status).toBe(200)
    const token = await redirectToken(market, installationId, user.id)
    expect((await call(market, 'GET', '/v1/Installation', { token })).status).toBe(200)
  })

  test('changes nothing, and is told which admin to ask', async () => {
    const { member, app, installationId } = await company()
    const other = await listedApp(developer, fullDraft())
    for (const answer of [
      await member.install({ appId: other.id, purchaseOptionId: 'free' }),
      await member.patch(installationId, {}),
      await member.changeOption(installationId, 'full'),
      await member.upgrade(installationId, { version: app.version }),
      await member.uninstall(installationId),
    ]) {
      expectProblem(answer, 'admin_required')
      expect(answer.body.detail).toContain('Casey Customer')
    }
  })

  test('is told to ask none of the admins who cannot sign in', async () => {
    const { admin, member, installationId } = await company()
    const away = await newMember(market, admin.party.id)
    await members(admin).change(away.id, 'admin')
    const data = { name: 'Alex Away', suspendedAt: new Date() }
    await market.deps.db.user.update({ where: { id: away.id }, data })
    const { detail } = (await member.uninstall(installationId)).body
    expect(detail).toContain('Casey Customer')
    expect(detail).not.toContain('Alex Away')
  })

  test('sees that it is a member, and becomes an admin within a token', async () => {
    const { admin, member, user, installationId } = await company()
    expect((await member.account()).body.parties).toMatchObject([{ role: 'member' }])
    const changed = await members(admin).change(user.id, 'admin')
    expect(changed.body).toEqual({ userId: user.id, partyId: admin.party.id, role: 'admin' })
    expect((await member.account()).body.parties).toMatchObject([{ role: 'admin' }])
    expect((await member.uninstall(installationId)).status).toBe(204)
  })

  test('an admin who is made a member changes nothing from the next request on', async () => {
    const { admin, user, member, installationId } = await company()
    await members(admin).change(user.id, 'admin')
    const asUser = members({ party: admin.party, token: member.token })
    expect((await asUser.change(admin.user.id, 'member')).status).toBe(200)
    expectProblem(await admin.uninstall(installationId), 'admin_required')
    expectProblem(await members(admin).list(), 'admin_required')
  })
})

describe('the members of an account', () => {
  test('are listed page by page for its admins', async () => {
    const { admin, user } = await company()
    const { body } = await members(admin).list()
    expect(body).toHaveLength(2)
    expect(body).toContainEqual({
      userId: user.id,
      name: 'Morgan Member',
      email: user.email,
      role: 'member',
      suspended: false,
      joinedAt: expect.any(String),
    })
    const first = await members(admin).list('?limit=1')
    expect(first.body).toEqual(body.slice(0, 1))
    expect(first.headers.get('link')).toContain('rel="next"')
  })

  test('are nobody of another account', async () => {
    const { admin, user } = await company()
    const stranger = members({ party: admin.party, token: (await newCustomer(market)).token })
    expectProblem(await stranger.list(), 'not_found')
    expectProblem(await stranger.change(user.id, 'admin'), 'not_found')
    expectProblem(await stranger.remove(user.id), 'not_found')
    const foreign = await newCustomer(market)
    expectProblem(await members(admin).change(foreign.user.id, 'member'), 'not_found')
    expectProblem(await members(admin).remove(foreign.user.id), 'not_found')
  })

  test('have one of two roles', async () => {
    const { admin, user } = await company()
    expectProblem(await members(admin).change(user.id, 'owner'), 'unprocessable')
  })

  test('lose the account and its tokens when an admin removes them', async () => {
    const { admin, user, member, installationId } = await company()
    const token = await redirectToken(market, installationId, user.id)
    expect((await members(admin).remove(user.id)).status).toBe(204)
    expectProblem(await call(market, 'GET', '/v1/Installation', { token }), 'invalid_token')
    expectProblem(await member.read(installationId), 'not_found')
    const entries = await call(market, 'GET', '/v1/Account/Audit?action=membership.removed', admin)
    expect(entries.body[0]).toMatchObject({
      actor: { kind: 'user', id: admin.user.id },
      before: { userId: user.id, role: 'member' },
    })
  })
})

describe('a member who leaves', () => {
  test('needs no admin, and belongs to the account no longer', async () => {
    const { admin, user, member } = await company()
    const asUser = members({ party: admin.party, token: member.token })
    expect((await asUser.remove(user.id)).status).toBe(204)
    expect((await member.account()).body.parties).toEqual([])
    expect((await members(admin).list()).body).toMatchObject([{ userId: admin.user.id }])
    expectProblem(await asUser.remove(user.id), 'not_found')
  })

  test('takes nobody along', async () => {
    const { admin, member } = await company()
    const asUser = members({ party: admin.party, token: member.token })
    expectProblem(await asUser.remove(admin.user.id), 'admin_required')
    expect((await members(admin).list()).body).toHaveLength(2)
  })

  test('is a member: a stranger waits for nothing of the account', async () => {
    const [admin, stranger] = [await newCustomer(market), await newCustomer(market)]
    const lock = 'SELECT 1 FROM parties WHERE id = $1 FOR UPDATE'
    const held = await holdRows(market, lock, [admin.party.id])
    try {
      const asStranger = members({ party: admin.party, token: stranger.token })
      expectProblem(await asStranger.remove(stranger.user.id), 'not_found')
    } finally {
      await held.release()
    }
  })
})

describe('the last admin', () => {
  test('can neither leave nor become a member, even beside a suspended admin', async () => {
    const { admin, user } = await company()
    await members(admin).change(user.id, 'admin')
    await market.deps.db.user.update({
      where: { id: user.id },
      data: { suspendedAt: new Date() },
    })
    expectProblem(await members(admin).remove(admin.user.id), 'conflict')
    expectProblem(await members(admin).change(admin.user.id, 'member'), 'conflict')
  })

  test('is one of two who leave at the same moment', async () => {
    const { admin, user, member } = await company()
    await members(admin).change(user.id, 'admin')
    const other = members({ party: admin.party, token: member.token })
    const answers = await Promise.all([members(admin).remove(admin.user.id), other.remove(user.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  type Members = ReturnType<typeof members>
  const demote = (by: Members, userId: string) => by.change(userId, 'member')
  const remove = (by: Members, userId: string) => by.remove(userId)

  test.each([
    ['demote', demote, [200, 403]],
    ['remove', remove, [204, 404]],
  ])(
    'is one of two who %s each other at the same moment, while a third one stays',
    async (_verb, act, expected) => {
      const { admin, user, member } = await company()
      await members(admin).change(user.id, 'admin')
      const third = await newMember(market, admin.party.id)
      await members(admin).change(third.id, 'admin')
      const other = members({ party: admin.party, token: member.token })
      const lock = 'SELECT 1 FROM parties WHERE id = $1 FOR UPDATE'
      const held = await holdRows(market, lock, [admin.party.id])
      const answers = [act(members(admin), user.id), act(other, admin.user.id)]
      try {
        await untilWaiting(market, 2)
      } finally {
        await held.release()
      }
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.sort()).toEqual(expected)
    },
  )

  test('is at the disposal of the operator', async () => {
    const { admin } = await company()
    const token = await accountToken(market, market.demo.operator)
    const path = `/v1/Operator/Memberships/${admin.user.id}/${admin.party.id}`
    const changed = await call(market, 'PATCH', path, { token, body: { role: 'member' } })
    expect(changed.body).toMatchObject({ role: 'member' })
    expect((await call(market, 'DELETE', path, { token })).status).toBe(204)
  })
})
