import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { flat } from '../../../setup/apps.ts'
import { EVERY_SETTING } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import {
  type InstalledVersionOne,
  installedVersionOne,
  NEW_WORDS,
} from '../../../setup/versions.ts'
import { signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let one: InstalledVersionOne
beforeAll(async () => {
  market = await startMarketplace()
})
beforeEach(async () => {
  one = await installedVersionOne(market)
})
afterAll(() => market.close())

describe('a later version', () => {
  test('leaves everything as it was installed, and is offered', async () => {
    const before = (await one.seller.read(one.id)).body
    expect(before.upgrade).toBeNull()
    await one.publishTwo()
    expect((await one.seller.read(one.id)).body).toEqual({ ...before, upgrade: { version: '2' } })
    expect((await one.calls.mint(one.id)).body.permissions).toEqual([
      'products:read',
      'settings:read',
    ])
  })

  test('is not there: the preview says so and the upgrade is 409', async () => {
    const { body } = await one.seller.previewUpgrade(one.id)
    expect(body).toMatchObject({ from: '1.0.0', to: '1.0.0', upToDate: true, changes: [] })
    expect(body.acknowledgements).toEqual([])
    expectProblem(await one.seller.upgrade(one.id, { version: '1.0.0' }), 'conflict')
  })
})

describe('the preview', () => {
  test('shows the diff, what has to be accepted and the price', async () => {
    await one.publishTwo()
    const { status, body } = await one.seller.previewUpgrade(one.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: '1.0.0',
      to: '2',
      upToDate: false,
      permissions: {
        added: [{ id: 'profile:read', purpose: 'Greets you.' }],
        removed: ['settings:read'],
      },
      settings: {
        kept: ['choice', 'secret', 'text'],
        dropped: ['amount', 'note'],
        needed: ['extra'],
      },
      purchaseOptionId: 'full',
      purchaseOptionAvailable: true,
      price: { before: { monthlyCost: 10 }, after: { monthlyCost: 12 } },
      acknowledgements: [{ ...NEW_WORDS, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      termsDocument: {
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        mediaType: 'text/markdown',
      },
    })
    const kinds = body.changes.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(
      expect.arrayContaining([
        ...['permission_added', 'permission_removed', 'setting_removed', 'setting_narrowed'],
        ...['mandatory_setting_added', 'acknowledgement_added', 'terms_document_added'],
        ...['option_removed', 'option_added', 'option_price_changed', 'version_changed'],
      ]),
    )
  })

  test('of an app that is offered to other accounts now says so, and nothing leads there', async () => {
    await one.publish('2', { partyTypes: ['Buyer'] })
    expect((await one.seller.read(one.id)).body.upgrade).toBeNull()
    const { body } = await one.seller.previewUpgrade(one.id)
    expect(body.offered).toBe(false)
    expect(body.changes).toContainEqual(expect.objectContaining({ kind: 'party_type_removed' }))
    const refused = await one.seller.upgrade(one.id, { version: '2' })
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/version'])
    const { get } = await signedIn(market, one.seller.user)
    expect((await get(`/Installed/${one.id}/Upgrade`)).text).toContain('is not for Sellers.')
  })

  test('tells accounts nothing of the settings that the developer sets', async () => {
    const { adminFlag: _gone, ...rest } = EVERY_SETTING
    await one.publish('2', {
      settings: {
        full: {
          ...rest,
          adminText: { ...EVERY_SETTING.adminText, description: 'Ask Bob first.' },
          adminScore: { type: 'number', name: 'Fraud score', scope: 'admin' },
          note: { ...EVERY_SETTING.note, description: 'A note.' },
        },
      },
    })
    const { body } = await one.seller.previewUpgrade(one.id)
    const pointers = body.changes.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(['/settings/full/note/description', '/version'])
  })

  test('of an option that is gone says so; of another one shows that one', async () => {
    await one.publish('2', { purchaseOptions: [flat('other', 1)], settings: {} })
    expect((await one.seller.previewUpgrade(one.id)).body).toMatchObject({
      purchaseOptionAvailable: false,
      price: { after: null },
    })
    const other = await one.seller.previewUpgrade(one.id, '?purchaseOptionId=other')
    expect(other.body).toMatchObject({
      purchaseOptionId: 'other',
      purchaseOptionAvailable: true,
      settings: { kept: [], needed: [] },
      price: { after: { monthlyCost: 1 } },
    })
  })

  test.each(['constructor', '__proto__'])(
    'of the option %s says that there is none',
    async (name) => {
      const { status, body } = await one.seller.previewUpgrade(one.id, `?purchaseOptionId=${name}`)
      expect({ status, available: body.purchaseOptionAvailable }).toEqual({
        status: 200,
        available: false,
      })
    },
  )
})

test('a user has at most 8 previews at once; the others end as they would', async () => {
  const holder = await market.deps.pool.connect()
  let first: Awaited<ReturnType<typeof one.seller.previewUpgrade>>[]
  try {
    await holder.query('BEGIN; LOCK TABLE app_versions IN ACCESS EXCLUSIVE MODE')
    const asked = Array.from({ length: 9 }, () => one.seller.previewUpgrade(one.id))
    expectProblem(await Promise.race(asked), 'too_many_requests')
    await holder.query('ROLLBACK')
    first = await Promise.all(asked)
  } finally {
    holder.release(true)
  }
  const statuses = first.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(8).fill(200), 429])
  expect((await one.seller.previewUpgrade(one.id)).status).toBe(200)
})
