import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hasDoubledNames,
  hasTooManyValues,
  hostileValue,
} from '../../../src/base/values/hostile-json.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { demoUser, signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** A JSON text of just less than 1 MiB. */
const filled = (unit: string) => `[${unit.repeat(Math.floor(1_048_000 / unit.length))}1]`

describe('sign-in takes 16 KiB, from whoever sends it', () => {
  test.each([
    ['/v1/Auth', JSON.stringify({ clientId: 'a', password: 'x'.repeat(16_384) }), {}],
    ['/v1/Account/Auth', JSON.stringify({ email: 'a', password: 'x'.repeat(16_384) }), {}],
    ['/login', `email=a&password=${'x'.repeat(16_384)}`, FORM],
  ])('%s', async (path, body, headers) => {
    expectProblem(await call(market, 'POST', path, { body, headers }), 'payload_too_large')
  })
})

describe('a JSON body of more values than any endpoint takes', () => {
  const token = async () => {
    const [developer] = market.demo.developers
    const { clientId, password } = developer as NonNullable<typeof developer>
    return (await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })).body.token
  }

  test.each(['1,', '{},', '[],', '"",', '{"a":1},'])('is refused: %s', async (unit) => {
    const body = filled(unit)
    const answer = await call(market, 'POST', '/v1/Developer/Apps', { token: await token(), body })
    expectProblem(answer, 'invalid_request')
    expect(answer.body.detail).toBe('The body has more than 100,000 values and names.')
  })

  test('is recognised before it is parsed', () => {
    const isTooMuch = (text: string) => hasTooManyValues(Buffer.from(text))
    expect(isTooMuch(`[${'1,'.repeat(99_998)}1]`)).toBe(false)
    expect(isTooMuch(`[${'1,'.repeat(99_999)}1]`)).toBe(true)
    expect(isTooMuch(`{${'"a":1,'.repeat(50_000)}"a":1}`)).toBe(true)
    // What stands in a text is no value, however it is quoted.
    expect(isTooMuch(JSON.stringify('[{,:'.repeat(200_000)))).toBe(false)
    expect(isTooMuch(JSON.stringify('\\",'.repeat(200_000)))).toBe(false)
    expect(isTooMuch(`"${'\\'.repeat(200_001)}`)).toBe(false)
  })
})

describe('the walk over a parsed body', () => {
  test('finds the first offence and the way to it', () => {
    expect(hostileValue({ a: [1, { 'b/c': ['x', { d: '\0' }] }], e: '\ud800' })).toEqual({
      pointer: '/a/1/b~1c/1/d',
      detail: 'The text holds a NUL character.',
    })
    expect(hostileValue([JSON.parse('{"ok":{"__proto__":1}}')])?.pointer).toBe('/0/ok/__proto__')
    expect(hostileValue({ a: { 'b\0': 1 } })).toEqual({
      pointer: '/a',
      detail: 'A name in it: The text holds a NUL character.',
    })
  })

  test('takes 1,000 names in an object and no more', () => {
    const names = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, null]))
    expect(hostileValue([names(1_000)])).toBeUndefined()
    expect(hostileValue([names(1_001)])).toEqual({
      pointer: '/0',
      detail: 'It has more than 1,000 names.',
    })
  })

  // The dearest bodies that are parsed at all. A path for each value took 900 ms.
  test.each([
    ['numbers', `[${'1,'.repeat(99_990)}1]`],
    ['empty objects', `[${'{},'.repeat(49_990)}1]`],
    ['names that are all different', JSON.stringify(objects(49, 1_000))],
    ['small objects', JSON.stringify(objects(24_900, 1))],
    ['a long text', JSON.stringify('ä'.repeat(520_000))],
    ['escapes', `"${'\\u0041'.repeat(174_000)}"`],
  ])('takes no time worth the name: %s', (_name, text) => {
    const before = process.threadCpuUsage()
    const bytes = Buffer.from(text)
    expect(hasTooManyValues(bytes)).toBe(false)
    expect(hostileValue(JSON.parse(text))).toBeUndefined()
    const { user, system } = process.threadCpuUsage(before)
    // 60 ms are asked for; the rest is for machines with much else to do.
    expect((user + system) / 1000).toBeLessThan(600)
  })
})

function objects(count: number, names: number) {
  return Array.from({ length: count }, (_, object) =>
    Object.fromEntries(Array.from({ length: names }, (_, index) => [`o${object}k${index}`, 1])),
  )
}

describe('a form', () => {
  const post = async (body: string) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...FORM, cookie }
    return call(market, 'POST', '/Apps/price-sync/Install', { body, headers })
  }

  test('has at most 1,000 fields', async () => {
    expectProblem(await post('a=&'.repeat(1_000)), 'invalid_csrf_token')
    for (const field of ['a=&', 'a&', '&a', '=&']) {
      const answer = await post(field.repeat(1_001))
      expectProblem(answer, 'invalid_request')
      expect(answer.body.detail).toBe('The form has more than 1,000 fields.')
    }
  })

  test.each(['q=%ED%A0%80', 'q=%ff', '%C3=1', 'a=b&q=%e2%82'])('%s is not UTF-8', async (body) => {
    const answer = await post(body)
    expectProblem(answer, 'invalid_request')
    expect(answer.body.detail).toBe('The form is not UTF-8.')
  })

  test('may hold a percent sign that begins no code', async () => {
    expectProblem(await post('q=100%&r=%zz&s=%'), 'invalid_csrf_token')
  })
})

test.each([
  ['{"name":"x","name":"y"}', true],
  ['{"a":{"b":[{"c":1,"c":1}]}}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['[{"a":"x:y"},{"a":"\\":\\""}]', false],
  ['{"a":{"a":{"a":[]}},"b":":"}', false],
  ['"a:b"', false],
  ['[]', false],
])('whether %s has a name twice: %s', (text, isDoubled) => {
  expect(hasDoubledNames(Buffer.from(text), JSON.parse(text))).toBe(isDoubled)
})
