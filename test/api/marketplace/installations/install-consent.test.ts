import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { acceptAll, type Customer, listedApp, newCustomer } from '../../../setup/customer.ts'
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

/** An app that asks for two acknowledgements and its terms. */
async function askingApp() {
  const app = await listedApp(developer, draft(newId(), { acknowledgements: ACKNOWLEDGEMENTS }))
  expect((await developer.putTerms(app.id, TERMS)).status).toBe(200)
  return app
}
const install = (appId: string, consent: object = {}) =>
  seller.install({ appId, purchaseOptionId: 'free', ...consent })
const evidence = (installationId: string) =>
  market.deps.db.acceptance.findMany({ where: { installationId }, orderBy: { id: 'asc' } })

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
      { ...common, kind: 'terms', subjectId: null, sha256: sha256(TERMS) },
    ])
    for (const { acceptedAt } of rows) {
      expect(acceptedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(acceptedAt.getTime()).toBeLessThanOrEqual(after)
    }
  })

  test('takes hashes in upper case and keeps them in lower case', async () => {
    const { id } = await askingApp()
    const { acknowledgements, termsDocument } = await acceptAll(market, id)
    const upper = ({ sha256 }: { sha256: string }) => ({ sha256: sha256.toUpperCase() })
    const { body } = await install(id, {
      acknowledgements: acknowledgements.map((one: { id: string; sha256: string }) => ({
        id: one.id,
        ...upper(one),
      })),
      termsDocument: upper(termsDocument ?? { sha256: '' }),
    })
    const hashes = (await evidence(body.id)).map((row) => row.sha256)
    expect(hashes).toHaveLength(3)
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  test('of an app that asks nothing is empty', async () => {
    const { id } = await listedApp(developer, draft(newId()))
    expect(await evidence((await install(id)).body.id)).toEqual([])
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
    const published = await developer.put({
      ...app,
      version: '2',
      acknowledgements: [{ ...first, text: 'It overwrites everything.' }, second],
    } as typeof app)
    expect(published.status).toBe(200)
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
    const option = await seller.install({
      ...{ appId: app.id, purchaseOptionId: 'none', termsDocument, acknowledgements: stale },
    })
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
    expect(await market.deps.db.installation.count({ where: { appId: id } })).toBe(0)
  })

  test('is refused when more than 100 things are accepted', async () => {
    const { id } = await askingApp()
    const acknowledgements = Array.from({ length: 101 }, () => ({ id: 'calls', sha256: 'x' }))
    expectProblem(await install(id, { acknowledgements }), 'unprocessable')
  })
})

describe('an install that names the version that was read', () => {
  test('is made while it is the latest', async () => {
    const app = await listedApp(developer, draft(newId()))
    const { status, body } = await install(app.id, { version: app.version })
    expect([status, body.installedVersion]).toEqual([201, app.version])
  })

  test('is 409 conflict once another is the latest, and names that one', async () => {
    const app = await listedApp(developer, draft(newId()))
    const price = [{ ...app.purchaseOptions[0], monthlyRate: 5 }]
    await developer.put({ ...app, version: '2', purchaseOptions: price })
    for (const version of [app.version, '3']) {
      const answer = await install(app.id, { version })
      expectProblem(answer, 'conflict')
      const errors = [{ pointer: '/version', detail: 'The latest version is 2.' }]
      expect(answer.body.errors).toEqual(errors)
    }
    expect(await market.deps.db.installation.count({ where: { appId: app.id } })).toBe(0)
    const { body } = await install(app.id)
    expect(body).toMatchObject({ installedVersion: '2', quote: { monthlyCost: 5 } })
  })

  test.each([[null], [2], [['1.0.0']], [''], [' 1.0.0'], ['1\n0'], ['x'.repeat(65)]])(
    '%j is no version',
    async (version) => {
      const app = await listedApp(developer, draft(newId()))
      const answer = await install(app.id, { version })
      expect([400, 422]).toContain(answer.status)
      expect(pointersOf(answer)).toEqual(['/version'])
    },
  )
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
