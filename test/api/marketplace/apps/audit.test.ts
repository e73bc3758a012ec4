import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, installedBy, largeParts, newId } from '../../../setup/apps.ts'
import { type Answer, demoInstallation } from '../../../setup/client.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const auditOf = (id: string) =>
  market.deps.db.auditEvent.findMany({
    where: { subjectKind: 'app', subjectId: id },
    orderBy: { id: 'asc' },
  })

test('each change writes one entry: who, from where, what, before and after', async () => {
  const id = newId()
  const { developerId } = await market.deps.db.app.findUniqueOrThrow({
    where: { id: 'price-sync' },
  })
  const steps: [string, () => Promise<Answer>][] = [
    ['app.created', () => developer.create(draft(id))],
    ['app.changed', () => developer.put(draft(id, { description: 'Other' }))],
    ['app.published', () => developer.put(draft(id, { version: '2' }))],
    ['app.terms_changed', () => developer.putTerms(id, '# Terms')],
    ['app.terms_changed', () => developer.putTerms(id, '# More', 'text/markdown', '?version=3')],
    ['app.listed', () => developer.list(id)],
    ['app.unlisted', () => developer.unlist(id)],
    ['app.terms_removed', () => developer.send('DELETE', `/${id}/TermsDocument`)],
    ['app.deleted', () => developer.remove(id)],
  ]
  for (const [, step] of steps) expect((await step()).status).toBeLessThan(300)
  const entries = await auditOf(id)
  expect(entries.map(({ action }) => action)).toEqual(steps.map(([action]) => action))
  for (const entry of entries) {
    expect(entry).toMatchObject({
      actorKind: 'developer',
      actorId: 'northwind',
      address: '127.0.0.1',
      developerId,
    })
  }
  expect(entries[1]).toMatchObject({
    before: { version: '1.0.0' },
    after: { version: '1.0.0', changes: [{ kind: 'listing_changed', pointer: '/description' }] },
  })
  expect(entries[2]).toMatchObject({ before: { version: '1.0.0' }, after: { version: '2' } })
  expect(entries[4]).toMatchObject({
    before: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    after: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), version: '3' },
  })
})

test('the entry of many changes keeps the first 100, breaking ones first, and counts all', async () => {
  const id = newId()
  const large = largeParts()
  await developer.create(draft(id, large))
  const texts = Object.fromEntries(
    Object.entries(large.settings).map(([name, profile]) => [
      name,
      Object.fromEntries(
        Object.entries(profile).map(([key, setting]) => [
          key,
          { ...setting, name: '\u{1F600}'.repeat(50), description: 'Other', placeholder: 'x' },
        ]),
      ),
    ]),
  )
  const changed = draft(id, { ...large, settings: texts, permissions: [], version: '2' })
  const { body: preview } = await developer.dryRun(changed)
  expect(preview.changes.length).toBeGreaterThan(1000)
  expect((await developer.put(changed)).status).toBe(200)
  const after = (await auditOf(id)).at(-1)?.after as Record<string, unknown>
  expect(after).toMatchObject({ version: '2', changeCount: preview.changes.length })
  const kept = after.changes as Record<string, unknown>[]
  expect(kept).toHaveLength(100)
  expect(kept[0]).toMatchObject({ kind: 'permission_removed', breaking: true })
  expect(JSON.stringify(after).length).toBeLessThan(32 * 1024)
})

describe('no entry is left by', () => {
  const partyId = () => demoInstallation(market, 'catalog-sync', 'Seller').partyId
  test.each<[string, number, (id: string) => Promise<Answer>]>([
    ['a dry run', 200, (id) => developer.dryRun(draft(id, { version: '9' }))],
    ['the same definition again', 200, (id) => developer.put(draft(id))],
    ['an invalid definition', 422, (id) => developer.put(draft(id, { version: '' }))],
    ['a breaking change', 409, (id) => developer.put(draft(id, { permissions: [] }))],
    ['a name that is taken', 409, (id) => developer.put(draft(id, { name: 'Price Sync' }))],
    ['an id that is taken', 409, (id) => developer.create(draft(id, { name: 'x y z' }))],
    [
      'a stale If-Match',
      412,
      (id) => developer.put(draft(id, { name: 'abc' }), { 'if-match': '"9"' }),
    ],
    ['terms of an installed version', 409, (id) => developer.putTerms(id, '# Terms')],
    ['terms that are no text', 422, (id) => developer.putTerms(id, 'a\0', 'text/plain')],
    ['terms removed that are none', 404, (id) => developer.send('DELETE', `/${id}/TermsDocument`)],
    ['unlisting what is not listed', 200, (id) => developer.unlist(id)],
    ['deleting what is installed', 409, (id) => developer.remove(id)],
    ['a stranger', 404, async (id) => (await author(market, 1)).remove(id)],
  ])('%s', async (_, status, act) => {
    const id = newId()
    await developer.create(draft(id))
    await installedBy(market, id, partyId())
    const before = await market.deps.db.auditEvent.count()
    expect((await act(id)).status).toBe(status)
    expect(await market.deps.db.auditEvent.count()).toBe(before)
  })

  test('listing what is incomplete', async () => {
    const id = newId()
    await developer.create(draft(id, { description: '' }))
    const before = await market.deps.db.auditEvent.count()
    expect((await developer.list(id)).status).toBe(422)
    expect(await market.deps.db.auditEvent.count()).toBe(before)
  })
})
