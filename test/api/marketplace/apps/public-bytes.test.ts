import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'

let market: TestMarketplace
let mine: Author

beforeAll(async () => {
  market = await startMarketplace()
  mine = await author(market)
})
afterAll(() => market?.close())

const read = (id: string, headers = {}) => call(market, 'GET', `/v1/Apps/${id}`, { headers })
const terms = (id: string) => call(market, 'GET', `/v1/Apps/${id}/TermsDocument`)

async function listed() {
  const id = newId()
  await mine.create(draft(id))
  await mine.putTerms(id, 'Terms of before')
  await mine.list(id)
  // From now on both are in memory.
  expect([(await read(id)).status, (await terms(id)).text]).toEqual([200, 'Terms of before'])
  return id
}

test('an app in memory is answered as it is now', async () => {
  const id = await listed()
  const before = await read(id)
  expect((await read(id)).body).toEqual(before.body)
  expect((await read(id, { 'if-none-match': before.headers.get('etag') ?? '' })).status).toBe(304)
  await mine.put(draft(id, { description: 'Another text.' }))
  const after = await read(id)
  expect(after.body.description).toBe('Another text.')
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  await mine.putTerms(id, 'Terms of now')
  expect((await read(id)).body.termsDocument.sha256).not.toBe(before.body.termsDocument.sha256)
  expect((await terms(id)).text).toBe('Terms of now')
})

test('an app in memory has the name that its developer has now', async () => {
  const id = await listed()
  const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id } })
  const operator = await operatorCalls(market)
  await operator('PATCH', `Developers/${developerId}`, { name: 'Renamed Developer' })
  expect((await read(id)).body.developerName).toBe('Renamed Developer')
})

test('an app in memory is gone once it is a draft, suspended or deleted, and so are its terms', async () => {
  const operator = await operatorCalls(market)
  const [hidden, suspended, deleted] = [await listed(), await listed(), await listed()]
  await mine.hide(hidden)
  await operator('POST', `Apps/${suspended}/Suspend`, { reason: 'It misbehaves.' })
  await mine.remove(deleted)
  for (const id of [hidden, suspended, deleted]) {
    expectProblem(await read(id), 'not_found')
    expectProblem(await terms(id), 'not_found')
  }
  await mine.list(hidden)
  await operator('POST', `Apps/${suspended}/Resume`)
  for (const id of [hidden, suspended]) expect((await read(id)).status).toBe(200)
})

test('many that ask at once for what is not in memory get the same', async () => {
  const id = newId()
  const document = `&<"'é`.repeat(300_000)
  await mine.create(draft(id))
  await mine.putTerms(id, document)
  const token = mine.token
  const path = `/v1/Developer/Apps/${id}/TermsDocument`
  const all = await Promise.all([1, 2, 3].map(() => call(market, 'GET', path, { token })))
  for (const { text } of all) expect(text === document).toBe(true)
})
