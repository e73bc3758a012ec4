import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  resumeInstallation,
  suspendInstallation,
} from '../../../../src/marketplace/installations/lifecycle-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { developerCalls, GOOD_SETTINGS } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type InstalledVersionOne, installedVersionOne } from '../../../setup/versions.ts'

let market: SharedMarketplace
let one: InstalledVersionOne
let stranger: ReturnType<typeof developerCalls>
beforeAll(async () => {
  market = await sharedMarketplace()
  stranger = developerCalls(market, await developerToken(market, 1))
})
beforeEach(async () => {
  one = await installedVersionOne(market)
})

const rowOf = () => market.deps.db.installation.findUniqueOrThrow({ where: { id: one.id } })
const own = (token: string) => call(market, 'GET', '/v1/Installation', { token })
const OPERATOR = { kind: 'operator' as const, id: null, address: null }
const asOperator = () => ({ installationId: one.id, where: {}, actor: OPERATOR })

describe('active -> suspended', () => {
  test('stops its tokens at the next request and makes no new ones', async () => {
    const { token } = (await one.calls.mint(one.id)).body
    const { status, body } = await one.calls.suspend(one.id, '  The ERP refuses us. ')
    expect(status).toBe(200)
    const suspended = { status: 'suspended', suspendedReason: 'The ERP refuses us.' }
    expect(body).toMatchObject({ id: one.id, ...suspended })
    expectProblem(await own(token), 'invalid_token')
    const minted = await one.calls.mint(one.id)
    expectProblem(minted, 'installation_suspended')
    expect(minted.body.detail).toBe('The installation is suspended: The ERP refuses us.')
  })

  test('tells the account why, trimmed, and takes the link away', async () => {
    await one.calls.suspend(one.id, '  The ERP refuses us.\n')
    expect((await one.seller.read(one.id)).body).toMatchObject({
      status: 'suspended',
      suspendedReason: 'The ERP refuses us.',
      openUrl: null,
    })
  })

  test.each(['x', 'x'.repeat(500), `${' '.repeat(600)}x`, 'line\nline', '<b>&"'])(
    'takes a reason of 1 to 500 characters: %#',
    async (reason) => {
      expect((await one.calls.suspend(one.id, reason)).status).toBe(200)
      expect((await rowOf()).suspendedReason).toBe(reason.trim())
    },
  )

  test.each(['', '   ', 'x'.repeat(501), 5, null, [], {}, undefined, 'a\0b', 'a\x07b', '\ud800'])(
    'takes no such reason: %j',
    async (reason) => {
      const answer = await one.calls.send('POST', `/${one.id}/Suspend`, { reason })
      expect([400, 422]).toContain(answer.status)
      expect(pointersOf(answer)).toEqual(['/reason'])
      expect((await rowOf()).status).toBe('active')
    },
  )

  test('twice changes the reason and keeps since when', async () => {
    await one.calls.suspend(one.id, 'First')
    const { suspendedAt } = await rowOf()
    expect((await one.calls.suspend(one.id, 'Second')).status).toBe(200)
    expect(await rowOf()).toMatchObject({ suspendedAt, suspendedReason: 'Second' })
    const where = { action: 'installation.suspended', subjectId: one.id }
    expect((await one.calls.suspend(one.id, 'Second')).status).toBe(200)
    expect(await market.deps.db.auditEvent.count({ where })).toBe(2)
  })

  test("is nobody else's: another developer's is 404 and stays active", async () => {
    expectProblem(await stranger.suspend(one.id), 'not_found')
    expect((await rowOf()).status).toBe('active')
  })
})

describe('suspended -> active', () => {
  test('brings its tokens back', async () => {
    const { token } = (await one.calls.mint(one.id)).body
    await one.calls.suspend(one.id)
    const { status, body } = await one.calls.resume(one.id)
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'active' })
    expect((await own(token)).status).toBe(200)
    expect(await rowOf()).toMatchObject({
      suspendedAt: null,
      suspendedReason: null,
      suspendedBy: null,
    })
  })

  test('twice is doing it once', async () => {
    await one.calls.suspend(one.id)
    const first = await one.calls.resume(one.id)
    const second = await one.calls.resume(one.id)
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
  })

  test('does not bring back tokens that were revoked meanwhile', async () => {
    const { token } = (await one.calls.mint(one.id)).body
    await one.calls.suspend(one.id)
    await market.deps.db.installation.update({
      where: { id: one.id },
      data: { tokenGeneration: { increment: 1 } },
    })
    await one.calls.resume(one.id)
    expectProblem(await own(token), 'invalid_token')
  })

  test("is nobody else's", async () => {
    await one.calls.suspend(one.id)
    expectProblem(await stranger.resume(one.id), 'not_found')
    expect((await rowOf()).status).toBe('suspended')
  })
})

describe('what the operator has suspended', () => {
  beforeEach(() => suspendInstallation(market.deps, asOperator(), 'Fraud'))

  test('the developer cannot resume', async () => {
    expectProblem(await one.calls.resume(one.id), 'conflict')
    expect(await rowOf()).toMatchObject({ status: 'suspended', suspendedBy: 'operator' })
  })

  test('the developer cannot take over with a suspension of its own', async () => {
    expectProblem(await one.calls.suspend(one.id, 'Mine'), 'conflict')
    expect(await rowOf()).toMatchObject({ suspendedBy: 'operator', suspendedReason: 'Fraud' })
  })

  test('the operator resumes', async () => {
    await resumeInstallation(market.deps, asOperator())
    expect((await rowOf()).status).toBe('active')
  })

  test('the account and the developer can still leave', async () => {
    expect((await one.seller.uninstall(one.id)).status).toBe(204)
    expect((await rowOf()).status).toBe('uninstalled')
  })
})

describe("what the developer has suspended, the operator can make the operator's", () => {
  test('and then the developer cannot resume', async () => {
    await one.calls.suspend(one.id)
    await suspendInstallation(market.deps, { ...asOperator(), actor: SYSTEM }, 'Fraud')
    expectProblem(await one.calls.resume(one.id), 'conflict')
  })
})

describe.each([
  ['the party', () => one.seller.uninstall(one.id)],
  ['the developer', () => one.calls.uninstall(one.id)],
])('uninstalled by %s', (_, uninstall) => {
  test('is final: tokens are dead, nothing changes it any more', async () => {
    const { token } = (await one.calls.mint(one.id)).body
    await one.publish('2')
    const answer = await uninstall()
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
    const before = await rowOf()
    expectProblem(await own(token), 'invalid_token')
    expectProblem(await one.calls.mint(one.id), 'installation_not_accessible')
    for (const refused of [
      await uninstall(),
      await one.seller.uninstall(one.id),
      await one.calls.uninstall(one.id),
      await one.calls.suspend(one.id),
      await one.calls.resume(one.id),
      await one.calls.patch(one.id, { adminText: 'x' }),
      await one.seller.patch(one.id, { text: 'x' }),
      await one.seller.changeOption(one.id, 'free'),
      await one.seller.upgrade(one.id, { version: '2' }),
    ]) {
      expectProblem(refused, 'conflict')
      expect(refused.body.detail).toContain('An uninstalled installation cannot be changed')
    }
    for (const preview of [
      await one.seller.previewOption(one.id, 'free'),
      await one.seller.previewUpgrade(one.id),
    ]) {
      expectProblem(preview, 'not_found')
    }
    expect(await rowOf()).toEqual(before)
  })

  test('erases the passwords from the database and keeps the rest to be read', async () => {
    await one.calls.patch(one.id, { adminSecret: 'hidden' })
    await uninstall()
    const rows = await market.deps.db.settingValue.findMany({ where: { installationId: one.id } })
    expect(rows.every(({ secret }) => secret === null)).toBe(true)
    expect((await one.seller.read(one.id)).body).toMatchObject({
      status: 'uninstalled',
      userSettings: { text: 'jane' },
      passwordsSet: [],
      openUrl: null,
      upgrade: null,
    })
    expect((await one.calls.read(one.id)).body.userSettings).not.toHaveProperty('secret')
  })

  test('leaves the evidence of what was accepted', async () => {
    await uninstall()
    expect(await one.evidence()).toHaveLength(1)
  })

  test('also from suspended', async () => {
    await one.calls.suspend(one.id)
    expect((await uninstall()).status).toBe(204)
    expect((await rowOf()).uninstalledAt).toBeInstanceOf(Date)
  })

  test('then installed again is another id with nothing of the former', async () => {
    await uninstall()
    const { status, body } = await one.seller.install({
      appId: one.app.id,
      purchaseOptionId: 'full',
      userSettings: { ...GOOD_SETTINGS, secret: 'another' },
      acknowledgements: (await one.evidence()).map(({ subjectId, sha256 }) => ({
        ...{ id: subjectId, sha256 },
      })),
    })
    expect(status).toBe(201)
    expect(body.id).not.toBe(one.id)
    expect(body.userSettings).toEqual({ text: 'jane', choice: 'eu' })
    expect((await one.calls.read(body.id)).body).toMatchObject({
      adminSettings: {},
      userSettings: { secret: 'another' },
    })
    expect((await one.seller.list(`?appId=${one.app.id}`)).body).toHaveLength(1)
  })
})

describe('an installation of others', () => {
  test('is 404 to another developer and to another user, whatever they ask', async () => {
    const before = await rowOf()
    const other = (await installedVersionOne(market)).seller
    for (const refused of [
      await stranger.read(one.id),
      await stranger.quote(one.id),
      await stranger.patch(one.id, { adminText: 'x' }),
      await stranger.uninstall(one.id),
      await other.read(one.id),
      await other.uninstall(one.id),
      await other.patch(one.id, { text: 'x' }),
      await other.changeOption(one.id, 'free'),
      await other.previewOption(one.id, 'free'),
      await other.previewUpgrade(one.id),
      await other.upgrade(one.id, { version: '2' }),
    ]) {
      expectProblem(refused, 'not_found')
    }
    expect(await rowOf()).toEqual(before)
  })

  test('is gone for a user who is no member any more', async () => {
    await market.deps.db.membership.deleteMany({ where: { userId: one.seller.user.id } })
    expectProblem(await one.seller.read(one.id), 'not_found')
    expectProblem(await one.seller.uninstall(one.id), 'not_found')
    expect((await one.seller.list()).body).toEqual([])
  })

  test.each([
    'x',
    'constructor',
    '%00',
    '1',
    'null',
    `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
  ])('has no such id: %s', async (id) => {
    expectProblem(await one.calls.read(id), 'not_found')
    expectProblem(await one.seller.read(id), 'not_found')
    expectProblem(await one.seller.uninstall(id), 'not_found')
    expectProblem(await one.calls.suspend(id), 'not_found')
  })
})
