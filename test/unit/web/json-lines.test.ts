import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonPointer } from '../../../src/errors.ts'
import { linesOf } from '../../../src/web/developer/definition/json-lines.ts'

describe('the lines of a JSON text', () => {
  test('are those of its keys and of the entries of its lists', () => {
    const text = `{
  "a": [
    1,
    { "b\\"/~": "{[,:" }, 3
  ],
  "c": {}, "d": []
}`
    expect(Object.fromEntries(linesOf(text))).toEqual({
      ...{ '/a': 2, '/a/0': 3, '/a/1': 4, '/a/1/b"~1~0': 4, '/a/2': 4 },
      ...{ '/c': 6, '/d': 6 },
    })
  })

  test('name every place of any document, each once', () => {
    const places = (value: unknown, path: string[] = []): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, child]) => [
            jsonPointer([...path, key]),
            ...places(child, [...path, key]),
          ])
    const documents = fc.jsonValue({ maxDepth: 6 }).filter((value) => typeof value === 'object')
    fc.assert(
      fc.property(documents, (value) => {
        const lines = linesOf(JSON.stringify(value, null, 2))
        expect([...lines.keys()].sort()).toEqual(places(JSON.parse(JSON.stringify(value))).sort())
        const numbers = [...lines.values()]
        expect(new Set(numbers).size).toBe(numbers.length)
      }),
    )
  })

  test('of a text that is nested without end are found without delay', () => {
    const depth = 200_000
    expect(linesOf('['.repeat(depth) + ']'.repeat(depth)).size).toBeLessThan(20)
    expect(linesOf('{"a":'.repeat(depth) + 1 + '}'.repeat(depth)).size).toBeLessThan(20)
  })
})
