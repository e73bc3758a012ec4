import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf } from '../../../../src/base/values/json-lines.ts'
import { jsonPointer } from '../../../../src/errors.ts'

const places = (value: unknown, path: string[] = []): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, child]) => [
        jsonPointer([...path, key]),
        ...places(child, [...path, key]),
      ])

describe('the lines of a JSON text', () => {
  test('are those of its keys and of the entries of its lists', () => {
    const text = `{
  "a": [
    1,
    { "b\\"/~": "{[,:" }, 3
  ],
  "c": {}, "d": []
}`
    expect(Object.fromEntries(linesOf(text, places(JSON.parse(text))))).toEqual({
      ...{ '/a': 2, '/a/0': 3, '/a/1': 4, '/a/1/b"~1~0': 4, '/a/2': 4 },
      ...{ '/c': 6, '/d': 6 },
    })
  })

  test('are those of a name that looks like an escape', () => {
    expect([...linesOf('{\n"a~1b": 1}', ['/a~01b'])]).toEqual([['/a~01b', 2]])
  })

  test('are found for every place of any document', () => {
    const documents = fc.jsonValue({ maxDepth: 6 }).filter((value) => typeof value === 'object')
    fc.assert(
      fc.property(documents, (value) => {
        const text = JSON.stringify(value, null, 2)
        const all = places(JSON.parse(text))
        const lines = linesOf(text, all)
        expect([...lines.keys()].sort()).toEqual([...all].sort())
        const numbers = [...lines.values()]
        expect(new Set(numbers).size).toBe(numbers.length)
        for (const place of all) {
          expect([...linesOf(text, [place])]).toEqual([[place, lines.get(place)]])
        }
      }),
    )
  })

  test('are kept for what is looked for and for nothing else', () => {
    const text = JSON.stringify({ a: Array(50_000).fill({ b: 1 }), c: 1 }, null, 1)
    const wanted = ['/a/40000/b', '/c', '/d', '/a/50000', '/a/0/b/0', '']
    expect([...linesOf(text, wanted)]).toEqual([
      ['/a/40000/b', 120_004],
      ['/c', 150_004],
    ])
  })

  test('of a name that comes twice are those of the last one, which counts', () => {
    expect([...linesOf('{"a":1,\n"b":2,\n"a":3}', ['/a'])]).toEqual([['/a', 3]])
  })

  test('of a text that is nested without end are found without delay', () => {
    const depth = 200_000
    expect(linesOf('['.repeat(depth) + ']'.repeat(depth), ['/0/0']).size).toBe(1)
    expect(linesOf('{"a":'.repeat(depth) + 1 + '}'.repeat(depth), ['/a/a']).size).toBe(1)
  })
})
