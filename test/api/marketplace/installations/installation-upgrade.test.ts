import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { flat } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { acceptAll, EVERY_SETTING } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import {
  type InstalledVersionOne,
  installedVersionOne,
  NEW_WORDS,
  OLD_WORDS,
} from '../../../setup/versions.ts'
import { signedIn } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let one: InstalledVersionOne
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  one = await installedVersionOne(market)
})

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

describe('an upgrade', () => {
  test('changes version, permissions, settings and evidence together and keeps the id', async () => {
    await one.publishTwo()
    const before = (await one.calls.read(one.id)).body
    const { status, body } = await one.seller.upgrade(one.id, await one.consentToTwo())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: one.id,
      installedVersion: '2',
      permissions: ['products:read', 'profile:read'],
      userSettings: { text: 'jane', choice: 'eu', extra: 'more', amount: 0.4 },
      passwordsSet: ['secret'],
      quote: { monthlyCost: 12 },
      upgrade: null,
      installDate: before.installDate,
    })
    const after = (await one.calls.read(one.id)).body
    expect(after.userSettings.secret).toBe('s3cret-one')
    expect(after.adminSettings).toEqual({ adminText: 'routing' })
    expect((await one.evidence()).map((row) => [row.version, row.kind, row.subjectId])).toEqual([
      ['1.0.0', 'acknowledgement', 'old'],
      ['2', 'acknowledgement', 'new'],
      ['2', 'terms', null],
    ])
  })

  test('kills tokens with other permissions at the next request; new ones have the new ones', async () => {
    const former = (await one.calls.mint(one.id)).body.token
    const own = (token: string) => call(market, 'GET', '/v1/Installation', { token })
    expect((await own(former)).status).toBe(200)
    await one.publishTwo()
    expect((await own(former)).status).toBe(200)
    await one.seller.upgrade(one.id, await one.consentToTwo())
    expectProblem(await own(former), 'invalid_token')
    const { token, permissions } = (await one.calls.mint(one.id)).body
    expect(permissions).toEqual(['products:read', 'profile:read'])
    expect((await own(token)).body.installedVersion).toBe('2')
  })

  test('leaves tokens alone when the permissions are the same', async () => {
    const { token } = (await one.calls.mint(one.id)).body
    await one.publish('2', {
      description: 'Better.',
      permissions: one.app.permissions.toReversed(),
    })
    expect((await one.seller.upgrade(one.id, { version: '2' })).status).toBe(200)
    expect((await call(market, 'GET', '/v1/Installation', { token })).status).toBe(200)
  })

  test('needs all new words and terms; stale ones alone are 409', async () => {
    await one.publishTwo()
    const { acknowledgements, termsDocument, ...rest } = await one.consentToTwo()
    const missing = await one.seller.upgrade(one.id, rest)
    expectProblem(missing, 'unprocessable')
    expect(pointersOf(missing)).toEqual(['/acknowledgements', '/termsDocument'])
    const stale = await one.seller.upgrade(one.id, {
      ...{ ...rest, acknowledgements, termsDocument: { sha256: 'ab'.repeat(32) } },
    })
    expectProblem(stale, 'acknowledgement_changed')
    expect((await one.seller.read(one.id)).body.installedVersion).toBe('1.0.0')
    expect(await one.evidence()).toHaveLength(1)
  })

  test('may be given the words that were accepted before, which are no second evidence', async () => {
    await one.publishTwo()
    const all = await acceptAll(market, one.app.id)
    expect(all.acknowledgements).toHaveLength(2)
    const { status } = await one.seller.upgrade(one.id, { ...(await one.consentToTwo()), ...all })
    expect(status).toBe(200)
    expect(await one.evidence()).toHaveLength(3)
  })

  test('asks again for words that have changed', async () => {
    await one.publish('2', { acknowledgements: [{ ...OLD_WORDS, text: 'As it is now.' }] })
    const { body } = await one.seller.previewUpgrade(one.id)
    expect(body.acknowledgements).toHaveLength(1)
    expectProblem(await one.seller.upgrade(one.id, { version: '2' }), 'unprocessable')
    const accepted = { version: '2', ...(await acceptAll(market, one.app.id)) }
    expect((await one.seller.upgrade(one.id, accepted)).status).toBe(200)
  })

  test('needs the settings that are needed, all problems at once, and changes nothing otherwise', async () => {
    await one.publishTwo()
    const before = (await one.calls.read(one.id)).body
    const answer = await one.seller.upgrade(one.id, {
      version: '2',
      userSettings: { note: 'x', amount: 0.5 },
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([
      ...['/acknowledgements', '/termsDocument', '/userSettings/amount', '/userSettings/extra'],
      '/userSettings/note',
    ])
    expect((await one.calls.read(one.id)).body).toEqual(before)
  })

  test('to an option that is gone is refused; another one is taken', async () => {
    await one.publish('2', { purchaseOptions: [flat('other', 1)], settings: {} })
    const gone = await one.seller.upgrade(one.id, { version: '2' })
    expectProblem(gone, 'unprocessable')
    expect(pointersOf(gone)).toEqual(['/purchaseOptionId'])
    const { body } = await one.seller.upgrade(one.id, { version: '2', purchaseOptionId: 'other' })
    expect(body).toMatchObject({ purchaseOptionId: 'other', userSettings: {}, passwordsSet: [] })
  })

  test('to a version that is not the latest is 409, and says which is', async () => {
    await one.publish('2')
    await one.publish('3')
    for (const version of ['2', '1.0.0', '4', 'constructor']) {
      const answer = await one.seller.upgrade(one.id, { version })
      expectProblem(answer, 'conflict')
      expect(answer.body.errors).toEqual([
        { pointer: '/version', detail: 'The latest version is 3.' },
      ])
    }
    expect((await one.seller.upgrade(one.id, { version: '3' })).status).toBe(200)
    expectProblem(await one.seller.upgrade(one.id, { version: '3' }), 'conflict')
  })

  test('is possible when the app is not listed any more', async () => {
    await one.publish('2')
    await one.developer.unlist(one.app.id)
    expect((await one.seller.upgrade(one.id, { version: '2' })).status).toBe(200)
  })

  test('waits while the installation is suspended', async () => {
    await one.publish('2')
    await one.calls.suspend(one.id)
    expectProblem(await one.seller.upgrade(one.id, { version: '2' }), 'installation_suspended')
    await one.calls.resume(one.id)
    expect((await one.seller.upgrade(one.id, { version: '2' })).status).toBe(200)
  })

  test('with a former ETag is 412', async () => {
    await one.publish('2')
    const answer = await one.seller.upgrade(one.id, { version: '2' }, { 'if-match': '"1"' })
    expectProblem(answer, 'precondition_failed')
  })

  test.each([
    [{}, '/version'],
    [{ version: 2 }, '/version'],
    [{ version: null }, '/version'],
    [{ version: '' }, '/version'],
    [{ version: 'x'.repeat(65) }, '/version'],
    [{ version: '2', userSettings: null }, '/userSettings'],
    [{ version: '2', userSettings: [] }, '/userSettings'],
    [{ version: '2', purchaseOptionId: 5 }, '/purchaseOptionId'],
    [{ version: '2', acknowledgements: null }, '/acknowledgements'],
    [{ version: '2', permissions: ['products:write'] }, '/permissions'],
  ])('with the body %j is refused', async (body, pointer) => {
    await one.publish('2')
    const answer = await one.seller.upgrade(one.id, body)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toContain(pointer)
    expect((await one.seller.read(one.id)).body.installedVersion).toBe('1.0.0')
  })
})
