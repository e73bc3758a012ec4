import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchedLookUp } from '../../src/base/database/batched-look-up.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Says how many keys came with one, and nothing for those without a letter. */
const describeKey = batchedLookUp<{ key: string[]; together: number }>({
  name: 'describe-keys',
  text: `
    SELECT CASE WHEN k.name <> '' THEN json_build_object(
      'key', json_build_array(k.name, k.number::text), 'together', count(*) OVER ()) END
    FROM unnest((SELECT $1::text[]), (SELECT $2::int[])) WITH ORDINALITY AS k (name, number, position)
    ORDER BY k.position`,
})

test('calls that come together share one statement, and each gets its own row', async () => {
  const { pool } = market.deps
  const odd = 'a "quoted" \\ name, {with} signs'
  const answers = await Promise.all([
    describeKey(pool, 'one', '1'),
    describeKey(pool, '', '2'),
    describeKey(pool, odd, '3'),
    describeKey(pool, 'one', '1'),
  ])
  const one = { key: ['one', '1'], together: 3 }
  expect(answers).toEqual([one, undefined, { key: [odd, '3'], together: 3 }, one])
})

test('a failed statement fails its calls, and later ones are answered', async () => {
  const { pool } = market.deps
  const failures = ['x', 'y'].map((number) => describeKey(pool, 'two', number))
  for (const failure of failures) await expect(failure).rejects.toMatchObject({ code: '22P02' })
  expect(await describeKey(pool, 'two', '2')).toEqual({ key: ['two', '2'], together: 1 })
})
