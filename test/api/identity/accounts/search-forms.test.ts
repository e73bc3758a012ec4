import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../../setup/operator.ts'

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
