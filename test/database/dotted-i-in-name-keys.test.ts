import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameKey } from '../../src/base/values/names.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author, draft, newId } from '../setup/apps.ts'
import { expectProblem, pointersOf } from '../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const MIGRATION = readFileSync(
  new URL(
    '../../prisma/migrations/20261128040000_dotted_i_in_name_keys/migration.sql',
    import.meta.url,
  ),
  'utf8',
)

/** An app whose key is as the release before kept it: with the dot. */
async function storedApp(name: string): Promise<string> {
  const id = newId()
  const made = await developer.create({ ...draft(id), name: `${id} app` })
  expect(made.status, made.text).toBe(201)
  const former = name.toUpperCase()
  await market.deps.db.app.update({ where: { id }, data: { name, nameKey: former } })
  return id
}
const keyOf = async (id: string) =>
  (await market.deps.db.app.findUniqueOrThrow({ where: { id } })).nameKey

test('stored names get the key without the dot; names that would then be one keep theirs', async () => {
  const rest = randomUUID().toUpperCase()
  const [alone, plain, dotted] = [
    await storedApp(`\u0130zmir\u0130 ${rest}`),
    await storedApp(`Istanbul ${rest}`),
    await storedApp(`\u0130stanbul ${rest}`),
  ]
  await market.deps.pool.query(MIGRATION)
  expect(await keyOf(alone)).toBe(`IZMIRI ${rest}`)
  expect(await keyOf(alone)).toBe(nameKey(`\u0130zmir\u0130 ${rest}`))
  expect(await keyOf(plain)).toBe(`ISTANBUL ${rest}`)
  expect(await keyOf(dotted)).toBe(`\u0130STANBUL ${rest}`)

  await market.deps.pool.query(MIGRATION)
  expect(await keyOf(dotted)).toBe(`\u0130STANBUL ${rest}`)
  const taken = await developer.create({ ...draft(newId()), name: `izmiri ${rest}` })
  expectProblem(taken, 'already_exists')
  expect(pointersOf(taken)).toEqual(['/name'])
})
