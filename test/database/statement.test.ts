import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrayText, pageStatement, queryTexts } from '../../src/base/database/statement.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

let market: TestMarketplace
let pool: pg.Pool
beforeAll(async () => {
  market = await startMarketplace()
  pool = market.deps.pool
})
afterAll(() => market.close())

test('columns arrive as texts and nulls, rows in their order', async () => {
  const text = 'SELECT n, NULL, n > 1 FROM generate_series(1, $1::int) AS n ORDER BY n'
  expect(await queryTexts(pool, { name: 'in-order', text }, ['2'])).toEqual([
    ['1', null, 'f'],
    ['2', null, 't'],
  ])
})

test.each([
  [['a', 'b c', '']],
  [['"', '\\', '\\"', '{', '}', ',', "'"]],
  [[null]],
  [[null, 'null', 'NULL', null]],
  [['測', '🙂', '\u202e']],
  [[]],
])('an array arrives as it was: %j', async (values) => {
  const text = 'SELECT to_json($1::text[])'
  const [row] = await queryTexts(pool, { text }, [arrayText(values)])
  expect(JSON.parse(String(row?.[0]))).toEqual(values)
})

test('numbers may be the entries of an array', async () => {
  const [row] = await queryTexts(pool, { text: 'SELECT to_json($1::bigint[])' }, [
    arrayText([0, -1, 9_007_199_254_740_991]),
  ])
  expect(row?.[0]).toBe('[0,-1,9007199254740991]')
})

describe('a statement that fails', () => {
  const halve = { name: 'halve', text: 'SELECT 1 / $1::int' }

  test('reports the reason, and its connection still works', async () => {
    for (let n = 0; n < 30; n++) {
      await expect(queryTexts(pool, halve, ['0'])).rejects.toMatchObject({ code: '22012' })
      expect(await queryTexts(pool, halve, ['1'])).toEqual([['1']])
    }
    expect(pool.totalCount).toBeLessThanOrEqual(pool.options.max)
  })

  test('is prepared anew when it could not be prepared', async () => {
    const client = await pool.connect()
    try {
      const later = { name: 'later', text: 'SELECT count(*) FROM made_later' }
      await expect(queryTexts(client, later, [])).rejects.toMatchObject({ code: '42P01' })
      await client.query('CREATE TEMPORARY TABLE made_later ()')
      expect(await queryTexts(client, later, [])).toEqual([['0']])
      await client.query('DROP TABLE made_later')
    } finally {
      client.release()
    }
  })
})

test('many statements at once, with and without a name, each get their own rows', async () => {
  const text = 'SELECT $1::int * 2'
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      queryTexts(pool, n % 2 === 0 ? { name: 'twice', text } : { text }, [`${n}`]),
    ),
  )
  expect(answers.map(([row]) => Number(row?.[0]))).toEqual(answers.map((_, n) => n * 2))
})

test('statements of pages of the usual lengths are prepared, whichever others came before, each under a short name of its own', async () => {
  const limits = Array.from({ length: 1000 }, (_, index) => index + 1)
  const shapes = ['', ' AND true'.repeat(20)]
  const made = (limit: number, shape: string) =>
    pageStatement({ family: 'family', limit, shape }, () => `SELECT ${limit} WHERE true${shape}`)
  const statements = limits.flatMap((limit) => shapes.map((shape) => made(limit, shape)))
  const prepared = statements.filter(({ name }) => name !== undefined)
  expect(new Set(prepared.map(({ name }) => name)).size).toBe(prepared.length)
  const usual = [1, 5, 10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]
  expect(prepared.map(({ text }) => Number(/\d+/.exec(text)))).toEqual(
    usual.flatMap((limit) => [limit, limit]),
  )
  expect(made(100, '')).toBe(made(100, ''))
  for (const statement of [...prepared, made(7, '')]) {
    const [limit = ''] = /\d+/.exec(statement.text) ?? []
    expect(await queryTexts(pool, statement, [])).toEqual([[limit]])
  }
})

test('a name says which statement it is, whichever a server was asked for first', () => {
  const nameOf = (family: string, limit: number) =>
    pageStatement({ family, limit }, () => `SELECT ${limit}`).name?.slice(family.length)
  const limits = [20, 50, 100]
  const names = limits.map((limit) => nameOf('one server', limit))
  const backwards = limits.toReversed().map((limit) => nameOf('another', limit))
  expect(backwards.toReversed()).toEqual(names)
})
