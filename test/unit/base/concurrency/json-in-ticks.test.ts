import { expect, test } from 'vitest'
import { jsonInTicks, jsonPieces } from '../../../../src/base/concurrency/json-in-ticks.ts'

const LONG = `&<"'\u2028é\ud800`.repeat(3000)

test.each<[string, unknown]>([
  ['scalars', ['text', 1, true, null, undefined, -0, Number.NaN]],
  ['what is left out', { a: undefined, b: { c: undefined }, d: [undefined, {}] }],
  ['nothing', { a: {}, b: [], c: [[]], d: { e: [] } }],
  ['only left out', { texts: { long: LONG }, a: { b: { c: undefined }, d: undefined } }],
  ['dates', { at: new Date(0), list: [{ at: new Date(1) }] }],
  ['names with markup', { 'a"\n\ud800': { '': [{ '1': 1 }] } }],
  ['long texts', { one: LONG, two: [LONG, { three: LONG }] }],
  ['many members', Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`m${n}`, [n]]))],
  ['a long list', Array.from({ length: 30_000 }, (_, n) => ({ n, text: `text ${n}` }))],
  ['a text', 'text'],
])('%s in pieces are as JSON.stringify writes them', async (_, value) => {
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value))
  expect((await jsonInTicks(value)).toString()).toBe(JSON.stringify(value))
})

test('no piece of a long value is long', () => {
  const values = Array.from({ length: 500 }, (_, n) => [`s${n}`, 'text"'.repeat(1600)])
  const pieces = [...jsonPieces({ userSettings: Object.fromEntries(values) })]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(90_000)
})
