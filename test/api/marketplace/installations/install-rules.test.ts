import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acknowledgementSha256 } from '../../../../src/marketplace/apps/definition.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import {
  acceptAll,
  type Customer,
  fullDraft,
  GOOD_SETTINGS,
  INSTALLATIONS,
  listedApp,
  newCustomer,
  sandboxUser,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

const ACKNOWLEDGEMENTS = [
  { id: 'overwrites', title: 'Overwrites', text: 'It overwrites prices.', order: 1 },
  { id: 'calls', title: 'Calls home', text: 'It calls our servers.', order: 2 },
]
const TERMS = '# Terms\n\nBe kind.'

let market: TestMarketplace
let developer: Author
let seller: Customer
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  seller = await newCustomer(market)
})
afterAll(() => market.close())

const published = (changes: Record<string, unknown> = {}) =>
  listedApp(developer, draft(newId(), changes))
/** An app that asks for two acknowledgements and its terms. */
async function askingApp() {
  const app = await published({ acknowledgements: ACKNOWLEDGEMENTS })
  expect((await developer.putTerms(app.id, TERMS)).status).toBe(200)
  return app
}
const request = (appId: string, more = {}) => ({ appId, purchaseOptionId: 'free', ...more })
const install = (appId: string, more = {}) => seller.install(request(appId, more))
const installations = () => market.deps.db.installation.count()
const installationsOf = (appId: string) => market.deps.db.installation.count({ where: { appId } })
const evidence = (installationId: string) =>
  market.deps.db.acceptance.findMany({ where: { installationId }, orderBy: { id: 'asc' } })

async function expectRefused(body: unknown, ...pointers: string[]) {
  const before = await installations()
  const answer = await seller.install(body)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.toSorted())
  expect(await installations()).toBe(before)
  return answer
}

describe('an install', () => {
  test('makes the record that its answer shows, with version and permissions of this moment', async () => {
    const app = await listedApp(developer, fullDraft())
    const answer = await seller.install({
      appId: app.id,
      partyId: seller.party.id,
      purchaseOptionId: 'full',
      userSettings: { ...GOOD_SETTINGS, amount: 0.3, flag: true },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${INSTALLATIONS}/${answer.body.id}`)
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      appId: app.id,
      appName: app.name,
      partyType: 'Seller',
      partyId: seller.party.id,
      partyName: seller.party.name,
      installDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      purchaseOptionId: 'full',
      installedVersion: '1.0.0',
      userSettings: { amount: 0.3, choice: 'eu', flag: 'true', text: 'jane' },
      passwordsSet: ['secret'],
      missingSettings: [],
      status: 'active',
      suspendedReason: null,
      permissions: ['products:read', 'settings:read'],
      updatedAt: expect.any(String),
      quote: {
        ...{ purchaseOptionId: 'full', pricingModel: 'FlatMonthly', currency: 'USD', records: 0 },
        ...{ buckets: null, monthlyCost: 10, annualCharge: null, explanation: '10.00 a month' },
      },
      upgrade: null,
      webhooks: { status: 'none', since: null },
      openUrl: `${market.url}/Apps/Authenticate/${app.id}?partyId=${seller.party.id}`,
    })
    expect((await seller.read(answer.body.id)).body).toEqual(answer.body)
  })

  test('may leave partyId out when the user has one account', async () => {
    const { id } = await published()
    expect((await install(id)).body.partyId).toBe(seller.party.id)
  })

  test('needs partyId from a user of several accounts, and from one of none', async () => {
    const { id } = await published()
    const several = await newCustomer(market, 'Seller', [seller.party.id])
    const refused = await several.install(request(id))
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/partyId'])
    await market.deps.db.membership.deleteMany({ where: { userId: several.user.id } })
    expect(pointersOf(await several.install(request(id)))).toEqual(['/partyId'])
  })

  test('a second time is 409 already_installed and names the one that is there', async () => {
    const { id } = await published()
    const first = await install(id)
    const second = await install(id)
    expectProblem(second, 'already_installed')
    expect(second.body.installationId).toBe(first.body.id)
  })

  test('by another account of the same user is another installation', async () => {
    const { id } = await published()
    const several = await newCustomer(market, 'Seller', [seller.party.id])
    const answers = [
      await several.install(request(id, { partyId: seller.party.id })),
      await several.install(request(id, { partyId: several.party.id })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
  })
})

describe('the app', () => {
  test.each(['no-such-app', 'constructor', '__proto__', 'toString', ' ', ''])(
    'with the unknown id %j is a problem of /appId',
    async (appId) => {
      await expectRefused(request(appId), '/appId')
    },
  )

  test('that is not listed is as unknown as any other', async () => {
    const app = draft(newId())
    await developer.create(app)
    const hidden = await expectRefused(request(app.id), '/appId')
    const unknown = await expectRefused(request('no-such-app'), '/appId')
    expect(hidden.body.errors).toEqual(unknown.body.errors)
  })

  test('that was deleted is unknown', async () => {
    const { id } = await published()
    expect((await developer.remove(id)).status).toBe(204)
    await expectRefused(request(id), '/appId')
  })

  test('that is suspended cannot be installed', async () => {
    const { id } = await published()
    await market.deps.db.app.update({ where: { id }, data: { suspendedAt: new Date() } })
    await expectRefused(request(id), '/appId')
  })

  test('of a suspended developer cannot be installed', async () => {
    const { id } = await published()
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id } })
    const suspend = (suspendedAt: Date | null) =>
      market.deps.db.developer.update({ where: { id: developerId }, data: { suspendedAt } })
    await suspend(new Date())
    await expectRefused(request(id), '/appId').finally(() => suspend(null))
  })
})

describe('the account', () => {
  test.each([999_999, 2_147_483_647])('%d that the user is no member of is refused', async (id) => {
    const app = await published()
    await expectRefused(request(app.id, { partyId: id }), '/partyId')
  })

  test('of somebody else is refused in the same words as an unknown one', async () => {
    const { id } = await published()
    const other = await newCustomer(market)
    const foreign = await expectRefused(request(id, { partyId: other.party.id }), '/partyId')
    const unknown = await expectRefused(request(id, { partyId: 999_999 }), '/partyId')
    expect(foreign.body.errors).toEqual(unknown.body.errors)
  })

  test.each([0, -1, 2_147_483_648, 9_007_199_254_740_991, 1e300, 1.5, '3', null, [1], {}, true])(
    '%j is no partyId',
    async (partyId) => {
      const { id } = await published()
      await expectRefused(request(id, { partyId }), '/partyId')
    },
  )

  test('of a type that the app is not offered to is refused', async () => {
    const { id } = await published({ partyTypes: ['Buyer'] })
    const { body } = await expectRefused(request(id), '/partyId')
    expect(body.errors[0].detail).toContain('offered to Buyer, not to Seller')
  })

  test('that is suspended is refused', async () => {
    const { id } = await published()
    const customer = await newCustomer(market)
    const where = { id: customer.party.id }
    await market.deps.db.party.update({ where, data: { suspendedAt: new Date() } })
    expect(pointersOf(await customer.install(request(id)))).toEqual(['/partyId'])
  })

  test("that is a developer's sandbox takes no app of other developers, listed or not", async () => {
    const other = await author(market, 1)
    const app = await listedApp(other, draft(newId(), { partyTypes: ['Seller', 'Buyer'] }))
    const refused = await (await sandboxUser(market)).install(request(app.id))
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/partyId'])
    expect(await installationsOf(app.id)).toBe(0)
  })

  test("that is the developer's own sandbox takes its unlisted app", async () => {
    const app = draft(newId())
    await developer.create(app)
    const answer = await (await sandboxUser(market)).install(request(app.id))
    expect(answer.body).toMatchObject({ partyType: 'None', appId: app.id })
  })
})

describe('the purchase option', () => {
  test.each(['premium', 'constructor', '__proto__', 'toString', 'FREE', 'free ', ''])(
    '%j that the app lacks is refused',
    async (purchaseOptionId) => {
      const { id } = await published()
      const { body } = await expectRefused({ appId: id, purchaseOptionId }, '/purchaseOptionId')
      expect(body.errors).toHaveLength(1)
    },
  )

  test('of another app is refused', async () => {
    await published({ purchaseOptions: [flat('elsewhere', 1)] })
    const { id } = await published()
    await expectRefused(request(id, { purchaseOptionId: 'elsewhere' }), '/purchaseOptionId')
  })

  test('of a former version is refused', async () => {
    const app = await published()
    await developer.put({ ...app, version: '2', purchaseOptions: [flat('new', 1)] } as typeof app)
    await expectRefused(request(app.id), '/purchaseOptionId')
  })
})

describe('all problems', () => {
  test('come at once, each with its pointer', async () => {
    const app = await listedApp(
      developer,
      fullDraft({
        partyTypes: ['Buyer'],
        acknowledgements: [{ id: 'ack', title: 'Title', text: 'Text', order: 1 }],
      }),
    )
    await developer.putTerms(app.id, 'The terms')
    await expectRefused(
      {
        appId: app.id,
        purchaseOptionId: 'full',
        userSettings: { choice: 'us', amount: 0.25, adminText: 'x', unknown: 1 },
        acknowledgements: [{ id: 'other', sha256: 'aa' }],
      },
      ...['/partyId', '/userSettings/text', '/userSettings/secret', '/userSettings/choice'],
      ...['/userSettings/amount', '/userSettings/adminText', '/userSettings/unknown'],
      ...['/acknowledgements', '/acknowledgements/0/id', '/termsDocument'],
    )
  })

  test('include a foreign account', async () => {
    const app = await listedApp(developer, fullDraft())
    await expectRefused(
      { appId: app.id, partyId: 999_999, purchaseOptionId: 'full', userSettings: { amount: 2 } },
      ...['/partyId', '/userSettings/amount', '/userSettings/text', '/userSettings/choice'],
      '/userSettings/secret',
    )
    await expectRefused({ ...request('no-such-app'), partyId: 999_999 }, '/appId', '/partyId')
  })

  test('of a wrong shape come at once', () =>
    expectRefused(
      { appId: 5, purchaseOptionId: null, userSettings: [], acknowledgements: {}, more: 1 },
      ...['/appId', '/purchaseOptionId', '/userSettings', '/acknowledgements', '/more'],
    ))

  test.each([null, [], 'text', 5, true, '', '{', Buffer.from([0xff, 0xfe])])(
    'of the body %j are 400',
    async (body) => {
      const answer = await seller.install(body)
      expectProblem(answer, 'invalid_request')
    },
  )
})

describe('the evidence of an install', () => {
  test('says for each acknowledgement and the terms who, when, from where and in which words', async () => {
    const { id } = await askingApp()
    const before = Date.now()
    const { status, body } = await install(id, await acceptAll(market, id))
    const after = Date.now()
    expect(status).toBe(201)
    const rows = await evidence(body.id)
    const common = {
      id: expect.anything(),
      installationId: body.id,
      version: '1.0.0',
      actorKind: 'user',
      actorId: seller.user.id,
      address: '127.0.0.1',
      acceptedAt: expect.any(Date),
    }
    const { acknowledgements } = (await developer.read(id)).body
    expect(rows).toEqual([
      ...acknowledgements.map((one: { id: string; sha256: string }) => ({
        ...common,
        kind: 'acknowledgement',
        subjectId: one.id,
        sha256: one.sha256,
      })),
      {
        ...common,
        kind: 'terms',
        subjectId: null,
        sha256: createHash('sha256').update(TERMS).digest('hex'),
      },
      {
        ...common,
        kind: 'permission',
        subjectId: 'products:read',
        sha256: acknowledgementSha256({ title: 'Read products', text: 'Reads your products.' }),
      },
    ])
    for (const { acceptedAt } of rows) {
      expect(acceptedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(acceptedAt.getTime()).toBeLessThanOrEqual(after)
    }
  })

  test('takes hashes in upper case and keeps them in lower case', async () => {
    const { id } = await askingApp()
    const { acknowledgements, termsDocument } = await acceptAll(market, id)
    const upper = <One extends { sha256: string }>(one: One) => ({
      ...one,
      sha256: one.sha256.toUpperCase(),
    })
    const { body } = await install(id, {
      acknowledgements: acknowledgements.map(upper),
      termsDocument: upper(termsDocument ?? { sha256: '' }),
    })
    const hashes = (await evidence(body.id)).map((row) => row.sha256)
    expect(hashes).toHaveLength(4)
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  test('of an app that asks nothing has its permissions alone', async () => {
    const { id } = await published()
    const rows = await evidence((await install(id)).body.id)
    expect(rows.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
      ['permission', 'products:read'],
    ])
  })

  test('is only ever added to: UPDATE, DELETE and TRUNCATE are refused by the database', async () => {
    const { id } = await askingApp()
    const { body } = await install(id, await acceptAll(market, id))
    const before = await evidence(body.id)
    for (const sql of [
      `UPDATE acceptances SET sha256 = 'x' WHERE installation_id = '${body.id}'`,
      `UPDATE acceptances SET accepted_at = now()`,
      `DELETE FROM acceptances WHERE installation_id = '${body.id}'`,
      'TRUNCATE acceptances',
      'TRUNCATE installations CASCADE',
      `DELETE FROM installations WHERE id = '${body.id}'`,
    ]) {
      await expect(market.deps.pool.query(sql), sql).rejects.toThrow(/not allowed|foreign key/)
    }
    expect(await evidence(body.id)).toEqual(before)
  })
})

describe('an install without all acceptances', () => {
  test('is 422 with a pointer for each that is missing', async () => {
    const { id } = await askingApp()
    const answer = await install(id)
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toHaveLength(3)
    expect(pointersOf(answer)).toEqual(['/acknowledgements', '/termsDocument'])
  })

  test('is 409 acknowledgement_changed when only words have changed since they were read', async () => {
    const app = await askingApp()
    const read = await acceptAll(market, app.id)
    const [first, second] = ACKNOWLEDGEMENTS
    const acknowledgements = [{ ...first, text: 'It overwrites everything.' }, second]
    const put = await developer.put({ ...app, version: '2', acknowledgements })
    expect(put.status).toBe(200)
    const answer = await install(app.id, read)
    expectProblem(answer, 'acknowledgement_changed')
    expect(pointersOf(answer)).toEqual(['/acknowledgements/0/sha256'])
    expect((await install(app.id, await acceptAll(market, app.id))).status).toBe(201)
  })

  test('is 409 acknowledgement_changed when only the terms have changed', async () => {
    const app = await askingApp()
    const read = await acceptAll(market, app.id)
    await developer.putTerms(app.id, '# Other terms')
    const answer = await install(app.id, read)
    expectProblem(answer, 'acknowledgement_changed')
    expect(pointersOf(answer)).toEqual(['/termsDocument/sha256'])
  })

  test('is 422 when something else is wrong as well', async () => {
    const app = await askingApp()
    const { termsDocument, acknowledgements } = await acceptAll(market, app.id)
    const stale = [{ ...acknowledgements[0], sha256: '00' }, acknowledgements[1]]
    const missing = await install(app.id, { acknowledgements: stale })
    expectProblem(missing, 'unprocessable')
    expect(pointersOf(missing)).toEqual(['/acknowledgements/0/sha256', '/termsDocument'])
    const both = { termsDocument, acknowledgements: stale }
    const option = await install(app.id, { purchaseOptionId: 'none', ...both })
    expectProblem(option, 'unprocessable')
    expect(pointersOf(option)).toEqual(['/acknowledgements/0/sha256', '/purchaseOptionId'])
  })

  test('is 409 when the terms that were accepted are gone', async () => {
    const app = await askingApp()
    const read = await acceptAll(market, app.id)
    expect((await developer.send('DELETE', `/${app.id}/TermsDocument`)).status).toBe(204)
    expectProblem(await install(app.id, read), 'acknowledgement_changed')
  })

  test.each([
    ['an unknown id', { acknowledgements: [{ id: 'x', sha256: 'y' }] }, '/acknowledgements/0/id'],
    ['a null', { acknowledgements: [null] }, '/acknowledgements/0'],
    ['no list', { acknowledgements: {} }, '/acknowledgements'],
    ['no hash', { acknowledgements: [{ id: 'calls' }] }, '/acknowledgements/0/sha256'],
    ['a number', { acknowledgements: [{ id: 1, sha256: 'x' }] }, '/acknowledgements/0/id'],
    [
      'more than a hash',
      { acknowledgements: [{ id: 'calls', sha256: 'x', actorId: 'y' }] },
      '/acknowledgements/0/actorId',
    ],
    ['terms as text', { termsDocument: 'yes' }, '/termsDocument'],
    ['terms without a hash', { termsDocument: {} }, '/termsDocument/sha256'],
    [
      'terms with more than a hash',
      { termsDocument: { sha256: 'x', acceptedAt: 'y' } },
      '/termsDocument/acceptedAt',
    ],
  ])('is refused with a pointer: %s', async (_, consent, pointer) => {
    const { id } = await askingApp()
    const answer = await install(id, consent)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toContain(pointer)
    expect(await installationsOf(id)).toBe(0)
  })

  test('is refused when more than 100 things are accepted', async () => {
    const { id } = await askingApp()
    const acknowledgements = Array.from({ length: 101 }, () => ({ id: 'calls', sha256: 'x' }))
    expectProblem(await install(id, { acknowledgements }), 'unprocessable')
  })
})

describe('an install that names the version that was read', () => {
  test('is made while it is the latest', async () => {
    const app = await published()
    const { status, body } = await install(app.id, { version: app.version })
    expect([status, body.installedVersion]).toEqual([201, app.version])
  })

  test('is 409 conflict once another is the latest, and names that one', async () => {
    const app = await published()
    const price = [{ ...app.purchaseOptions[0], monthlyRate: 5 }]
    await developer.put({ ...app, version: '2', purchaseOptions: price })
    for (const version of [app.version, '3']) {
      const answer = await install(app.id, { version })
      expectProblem(answer, 'conflict')
      const errors = [{ pointer: '/version', detail: 'The latest version is 2.' }]
      expect(answer.body.errors).toEqual(errors)
    }
    expect(await installationsOf(app.id)).toBe(0)
    const { body } = await install(app.id)
    expect(body).toMatchObject({ installedVersion: '2', quote: { monthlyCost: 5 } })
  })

  test.each([[null], [2], [['1.0.0']], [''], [' 1.0.0'], ['1\n0'], ['x'.repeat(65)]])(
    '%j is no version',
    async (version) => {
      const app = await published()
      const answer = await install(app.id, { version })
      expect([400, 422]).toContain(answer.status)
      expect(pointersOf(answer)).toEqual(['/version'])
    },
  )
})
