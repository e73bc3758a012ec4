import { describe, expect, test } from 'vitest'
import { matchingTag, strongTags } from '../../../../src/base/values/etags.ts'

describe('If-None-Match', () => {
  test.each([
    ['"a"', '"a"'],
    ['W/"a"', '"a"'],
    ['"x","b"', '"b"'],
    ['"x" ,\tW/"b" , "y"', '"b"'],
    ['"b","a"', '"a"'],
    ['"aa","a"', '"a"'],
    [' * ', '"a"'],
    ['"aa"', undefined],
    ['a', undefined],
    ['"x"a"y"', undefined],
    ['X/"a"', undefined],
    ['"a"b', undefined],
    ['', undefined],
  ])('%s names %s', (condition, tag) => {
    expect(matchingTag(condition, ['"a"', '"b"'])).toBe(tag)
  })

  test('may name as many tags as headers can hold', () => {
    expect(matchingTag(`${'"x",'.repeat(4_000)}"a"`, ['"a"'])).toBe('"a"')
  })
})

describe('If-Match', () => {
  test.each([
    ['"1"', ['1']],
    ['"1", "2"', ['1', '2']],
    ['"1",W/"2"', ['1']],
    ['"a,b" , "2"', ['a,b', '2']],
    ['""', ['']],
  ])('%s has the strong tags %j', (list, tags) => {
    expect(strongTags(list)).toEqual(tags)
  })

  test.each([
    ['"1",,"2"', ['1', '2']],
    [',"1"', ['1']],
    [' , \t, "1" , , ', ['1']],
    ['"1",', ['1']],
    [',', []],
    ['', []],
    [','.repeat(16_000), []],
  ])('empty elements are ignored: %j', (list, tags) => {
    expect(strongTags(list)).toEqual(tags)
  })

  test.each(['1', '"1" "2"', '"1", x', '"1', '"1";"2"', '"1" 2'])('%s is malformed', (list) => {
    expect(strongTags(list)).toEqual([])
  })

  test('takes up to 100 tags', () => {
    const list = (count: number) => Array.from({ length: count }, (_, n) => `"${n}"`).join(',')
    expect(strongTags(list(100))).toHaveLength(100)
    expect(strongTags(list(101))).toEqual([])
  })
})
