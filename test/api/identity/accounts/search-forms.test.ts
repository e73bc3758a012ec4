import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../../setup/operator.ts'

const MIGRATION = readFileSync(
  new URL(
    '../../../../prisma/migrations/20261128050000_canonical_texts/migration.sql',
    import.meta.url,
  ),
  'utf8',
)
const KEPT = 'Caf\u00e9 Zo\u00eb'
const TYPED = [
  'Cafe\u0301\u00a0Zo\u00eb',
  'caf\u00e9\u3000zoe\u0308\u200b',
  '\u200fCAFE\u0301 ZO\u00cb',
]

let market: TestMarketplace
let operator: OperatorCalls
const ids: Record<string, string | number> = {}
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  const name = 'Cafe\u0301\u00a0Zoe\u0308'
  for (const [path, more] of [
    ['Parties', { type: 'Seller' }],
    ['Developers', {}],
    ['Users', { email: `${newId()}@example.com`, partyIds: [] }],
  ] as const) {
    const { body } = await operator('POST', path, { ...more, name })
    expect(body.name).toBe(KEPT)
    ids[path] = body.id
  }
  const developer = await author(market)
  const app = draft(newId(), { name, description: 'Ro\u0308sti' })
  const { body } = await developer.create(app)
  expect([body.name, body.description]).toEqual([KEPT, 'R\u00f6sti'])
  ids.Apps = app.id
  await developer.list(app.id)
})
afterAll(() => market.close())

const idsOf = ({ body }: { body: { id: string | number }[] }) => body.map(({ id }) => id)

test.each(TYPED)('the lists of the operator find %j', async (q) => {
  for (const path of ['Parties', 'Developers', 'Users', 'Apps']) {
    const answer = await operator('GET', `${path}?${new URLSearchParams({ q })}`)
    expect(idsOf(answer)).toContain(ids[path])
  }
})

test.each([...TYPED, 'ro\u0308sti', 'R\u00d6STI\u00ad'])('the catalogue finds %j', async (q) => {
  const search = new URLSearchParams({ q })
  expect(idsOf(await call(market, 'GET', `/v1/Apps?${search}`))).toContain(ids.Apps)
  expect((await call(market, 'GET', `/Apps?${search}`)).text).toContain(KEPT)
})

test.each(TYPED)('the audit trail finds %j', async (q) => {
  const { body } = await operator('GET', `Audit?${new URLSearchParams({ q })}`)
  const subjects = body.map(({ subject }: { subject: { id: string } }) => subject.id)
  for (const path of ['Parties', 'Developers', 'Users']) {
    expect(subjects).toContain(String(ids[path]))
  }
})

test('what shows nothing is nobody', async () => {
  expect((await operator('GET', 'Audit?q=%E2%80%8B')).body).toEqual([])
})

test('a form finds who is meant, and says that a name is taken', async () => {
  const browser = await operatorBrowser(market)
  const [typed = ''] = TYPED
  const search = new URLSearchParams({ party: typed })
  const found = await browser.get(`/Operator/Users/${ids.Users}/Memberships?${search}`)
  expect(found.location).toContain(`partyId=${ids.Parties}`)
})

test('names that are there already get the form', async () => {
  const { db, pool } = market.deps
  const old = 'Cafe\u0301\u00a0Old'
  const where = { id: Number(ids.Parties) }
  await db.party.update({ where, data: { name: old } })
  await db.user.update({ where: { id: String(ids.Users) }, data: { name: old } })
  await db.developer.update({ where: { id: String(ids.Developers) }, data: { name: old } })
  const { revision } = await db.app.update({
    where: { id: String(ids.Apps) },
    data: { name: old, description: 'Ro\u0308sti' },
  })
  await pool.query(MIGRATION)
  const kept = 'Caf\u00e9 Old'
  for (const path of ['Parties', 'Developers', 'Users']) {
    expect((await operator('GET', `${path}/${ids[path]}`)).body.name).toBe(kept)
  }
  const app = await db.app.findUniqueOrThrow({ where: { id: String(ids.Apps) } })
  expect(app).toMatchObject({ name: kept, description: 'R\u00f6sti', revision: revision + 1 })
})
