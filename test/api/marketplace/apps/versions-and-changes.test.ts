import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHANGE_KINDS } from '../../../../src/marketplace/apps/versions/change-kinds.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  type Author,
  author,
  draft,
  everything,
  installedBy,
  newId,
  storedVersion,
} from '../../../setup/apps.ts'
import { BREAKING, HARMLESS, richApp } from '../../../setup/apps-change-cases.ts'
import { demoInstallation } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
let partyId: number
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  partyId = demoInstallation(market, 'catalog-sync', 'Seller').partyId
})
afterAll(() => market.close())

type Change = { kind: keyof typeof CHANGE_KINDS; pointer: string; breaking: boolean }

describe('a dry run of a creation', () => {
  const dryRun = (body: unknown) => developer.send('POST', '?dryRun=true', body)

  test('checks the definition and stores nothing: its id can still be taken', async () => {
    const definition = draft(newId())
    const before = await everything(market)
    const answer = await dryRun(definition)
    expect([answer.status, answer.body]).toEqual([200, { changes: [], breaking: false }])
    expect(answer.headers.get('location')).toBeNull()
    expectProblem(await dryRun({ ...definition, purchaseOptions: [] }), 'unprocessable')
    expect(await everything(market)).toEqual(before)
    expect((await developer.create(definition)).status).toBe(201)
  })

  test('tells an id and a name that are taken', async () => {
    const taken = draft(newId())
    await developer.create(taken)
    const answer = await dryRun({ ...taken, name: taken.name.toUpperCase() })
    expectProblem(answer, 'already_exists')
    expect(pointersOf(answer)).toEqual(['/id', '/name'])
    expect(pointersOf(await dryRun({ ...taken, id: newId() }))).toEqual(['/name'])
  })

  test('that says false, or something else, is none', async () => {
    const definition = draft(newId())
    expectProblem(await developer.send('POST', '?dryRun=yes', definition), 'invalid_request')
    expect((await developer.send('POST', '?dryRun=false', definition)).status).toBe(201)
  })
})

describe('with an unchanged version, what breaks is 409 version_required', () => {
  test.each(BREAKING)('%s', async (_, work, expected) => {
    const { id, edit } = await richApp(developer)
    const before = await everything(market)
    const answer = await developer.put(edit(work))
    expectProblem(answer, 'version_required')
    expect(answer.body.breaking).toBe(true)
    const breaking = expected.filter(([kind]) => CHANGE_KINDS[kind as Change['kind']].breaking)
    const found = answer.body.changes.map(({ kind, pointer }: Change) => [kind, pointer])
    expect(found).toEqual(breaking)
    expect(await everything(market)).toEqual(before)

    const preview = await developer.dryRun(edit(work))
    expect(preview.status).toBe(200)
    expect(preview.body.breaking).toBe(true)
    expect(preview.body.changes.map(({ kind, pointer }: Change) => [kind, pointer]).sort()).toEqual(
      expected.toSorted(),
    )
    expect(await everything(market)).toEqual(before)

    const published = await developer.put({ ...edit(work), version: '2.0.0' })
    expect([published.status, published.body.version]).toEqual([200, '2.0.0'])
    expect(
      (await developer.versions(id)).body.map((one: { version: string }) => one.version),
    ).toEqual(['2.0.0', '1.0.0'])
  })

  test('all at once: every breaking change is listed, and nothing that is harmless', async () => {
    const { edit } = await richApp(developer)
    const answer = await developer.put(
      edit((copy) => {
        copy.name += ' renamed'
        copy.permissions = []
        copy.purchaseOptions.pop()
        copy.settings.free = {}
        copy.acknowledgements.push({ id: 'b', title: 't', text: 't' })
      }),
    )
    expectProblem(answer, 'version_required')
    expect(answer.body.changes.map(({ pointer }: Change) => pointer)).toEqual([
      '/acknowledgements/b',
      '/permissions/products:read',
      '/permissions/profile:read',
      '/purchaseOptions/basic',
      '/settings/free/number',
      '/settings/free/secret',
      '/settings/free/text',
      '/settings/free/zone',
    ])
    expect(answer.body.changes.every(({ breaking }: Change) => breaking)).toBe(true)
  })
})

describe('with an unchanged version, what breaks nobody is stored', () => {
  test.each(HARMLESS)('%s', async (_, work, kind) => {
    const { id, edit } = await richApp(developer)
    const next = edit(work)
    const preview = await developer.dryRun(next)
    expect(preview.body).toMatchObject({ breaking: false })
    expect(preview.body.changes.map((one: Change) => one.kind)).toContain(kind)
    const answer = await developer.put(next)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('"2"')
    const read = await developer.read(id)
    expect(read.body).toEqual(answer.body)
    expect(read.body).toMatchObject({
      ...next,
      settings: next.settings,
      purchaseOptions: expect.arrayContaining(
        next.purchaseOptions.map((one) => expect.objectContaining(one)),
      ),
      acknowledgements: next.acknowledgements,
    })
    expect((await developer.versions(id)).body).toHaveLength(1)
  })

  test('the same definition again changes nothing, not even the ETag', async () => {
    const { id, definition } = await richApp(developer)
    const before = await everything(market)
    const answer = await developer.put(definition)
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"'])
    expect((await developer.dryRun(definition)).body).toEqual({ changes: [], breaking: false })
    expect(await everything(market)).toEqual(before)
    expect((await developer.read(id)).body).toEqual(answer.body)
  })
})

describe('what an old version held never changes under its installations', () => {
  test('whatever is published after it', async () => {
    const { id, edit } = await richApp(developer)
    await developer.putTerms(id, '# First terms')
    const installation = await installedBy(market, id, partyId)
    const { rows: installed } = await market.deps.pool.query(
      'SELECT * FROM installations WHERE id = $1',
      [installation],
    )
    const old = await storedVersion(market, id, '1.0.0')
    for (const [index, [, work]] of [...BREAKING, ...HARMLESS].entries()) {
      const answer = await developer.put({ ...edit(work), version: `2.${index}` })
      expect(answer.status).toBe(200)
    }
    await developer.putTerms(id, '# Other terms', 'text/markdown', '?version=3')
    await developer.send('DELETE', `/${id}/TermsDocument`)
    expect(await storedVersion(market, id, '1.0.0')).toEqual(old)
    const { rows } = await market.deps.pool.query('SELECT * FROM installations WHERE id = $1', [
      installation,
    ])
    expect(rows).toEqual(installed)
    const first = (await developer.versions(id)).body.at(-1)
    expect(first).toMatchObject({ version: '1.0.0', installations: 1, latest: false })
    expect(first.termsDocument).toMatchObject({ mediaType: 'text/markdown' })
  })
})
