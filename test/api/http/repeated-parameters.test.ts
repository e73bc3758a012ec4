import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutTooManyParameters } from '../../../src/http/ambiguous-requests.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'

let market: TestMarketplace
let token: string
beforeAll(async () => {
  market = await startMarketplace()
  token = await developerToken(market)
})
afterAll(() => market.close())

test.each([
  ['limit', '1', '2'],
  ['partyType', 'Seller', 'Buyer'],
  ['secrets', 'omit', 'omit'],
])('a parameter %s that comes twice is refused, and says so', async (name, first, second) => {
  const path = `/v1/Developer/Installations?${name}=${first}&${name}=${second}`
  const answer = await call(market, 'GET', path, { token })
  expectProblem(answer, 'invalid_request')
  expect(answer.body.errors).toEqual([{ pointer: `/${name}`, detail: 'is given more than once' }])
})

test.each(['/v1/Developer/Apps', '/v1/Apps', '/Apps', '/nothing'])(
  'a query with more than 100 parameters is refused without a look at them: %s',
  async (path) => {
    const ask = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `a${index}`)
      return call(market, 'GET', `${path}?${names.join('&')}`, { token })
    }
    const answer = await ask(101)
    expectProblem(answer, 'invalid_request')
    expect(answer.body).not.toHaveProperty('errors')
    expect(answer.body.detail).toBe('The query has more than 100 parameters.')
    expect((await ask(100)).body?.detail).not.toBe(answer.body.detail)
  },
)

test('nor are they parsed', () => {
  const address = (count: number) => `/Apps?${'a&'.repeat(count - 1)}a`
  expect(withoutTooManyParameters(address(101))).toBe('/Apps')
  expect(withoutTooManyParameters(address(100))).toBe(address(100))
  expect(withoutTooManyParameters(`/${'a&'.repeat(200)}`)).toBe(`/${'a&'.repeat(200)}`)
})
