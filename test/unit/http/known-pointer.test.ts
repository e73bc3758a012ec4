import { expect, test } from 'vitest'
import { z } from 'zod'
import { knownPointer } from '../../../src/http/observability/known-pointer.ts'

type Tree = { name: string; children: Tree[] }
const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree) }))
const Body = z.strictObject({
  name: z.string().optional(),
  'a/b~c': z.string().nullable().default(null),
  tree: Tree,
  prepared: z.preprocess((value) => value, z.array(z.object({ id: z.string() }))),
  at: z.codec(z.object({ day: z.string() }), z.date(), {
    decode: () => new Date(0),
    encode: () => ({ day: '' }),
  }),
  price: z.union([z.object({ rate: z.number() }), z.object({ tiers: z.array(z.number()) })]),
  settings: z.record(z.string(), z.object({ value: z.string() })),
  both: z.intersection(z.object({ left: z.string() }), z.object({ right: z.string() })),
  pair: z.tuple([z.object({ first: z.string() })], z.object({ rest: z.string() })),
})
const Query = z.strictObject({ limit: z.string() })

test.each([
  ['', ''],
  ['/name', '/name'],
  ['/name/deeper', '/name/*'],
  ['/a~1b~0c', '/a~1b~0c'],
  ['/limit', '/limit'],
  ['/hunter2', '/*'],
  ['/hunter2/name', '/*/*'],
  ['/__proto__', '/*'],
  ['/constructor/name', '/*/*'],
  ['/tree/children/3/children/0/name', '/tree/children/3/children/0/name'],
  ['/tree/children/hunter2/name', '/tree/children/*/name'],
  ['/tree/children/99999999999', '/tree/children/*'],
  ['/prepared/0/id', '/prepared/0/id'],
  ['/at/day', '/at/day'],
  ['/price/rate', '/price/rate'],
  ['/price/tiers/2', '/price/tiers/2'],
  ['/settings/hunter2/value', '/settings/*/value'],
  ['/both/left', '/both/left'],
  ['/both/right', '/both/right'],
  ['/pair/0/first', '/pair/0/first'],
  ['/pair/4/rest', '/pair/4/rest'],
  [`/tree${'/children/0'.repeat(9)}`, `/tree${'/children/0'.repeat(9)}`.slice(0, 58)],
])('%s is logged as %s', (pointer, known) => {
  expect(knownPointer(pointer, [Body, Query])).toBe(known)
})

test('what is no schema declares nothing', () => {
  expect(knownPointer('/name', [undefined, { name: 1 }])).toBe('/*')
})
