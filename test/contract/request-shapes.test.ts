import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Audience } from '../../src/http/route-table.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { everything, flat } from '../setup/apps.ts'
import { call } from '../setup/client.ts'
import { expectProblem, pointersOf } from '../setup/expect-problem.ts'
import { assemble, type Cast, prepare, type Things } from './access-cast.ts'
import type { Row } from './access-row.ts'
import { ACCESS } from './access-table.ts'
import { endpointsOf } from './fuzz-answers.ts'
import type { Endpoint } from './fuzz-requests.ts'
import type { JsonSchema } from './fuzz-values.ts'
import { isClosed, misshapenBodies } from './request-shapes.ts'

const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
)
const { schemas } = DOCUMENT.components
/** They ignore what they do not know, as the specification's clients may count on. */
const TOLERANT = ['createDeveloperToken', 'createAccountToken', 'createInstallationToken']
/** The result of a record tells what is wrong with it; the other records are written. */
const BY_RECORD = 'upsertProducts'

const endpoints = endpointsOf(DOCUMENT).filter(({ path }) => path.startsWith('/v1/'))
const named = (list: readonly Endpoint[]) =>
  list.map((endpoint) => [endpoint.operation.operationId, endpoint] as const)
const strict = endpoints.filter(({ operation }) => !TOLERANT.includes(operation.operationId))
const bodyOf = ({ operation }: Endpoint): JsonSchema | undefined =>
  operation.requestBody?.content['application/json']?.schema

let market: TestMarketplace
let cast: Cast
let things: Things
beforeAll(async () => {
  market = await startMarketplace()
  cast = await assemble(market)
  things = await prepare(market, cast)
})
afterAll(() => market.close())

/** Asks as somebody who may. */
async function ask(endpoint: Endpoint, request: { query?: string; body?: unknown }) {
  const { method, path } = endpoint
  const key = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  const row = ACCESS[key] as Row
  const [role] = row.allowed
  const audience = Object.keys(endpoint.operation.security?.[0] ?? {})[0]?.replace('Token', '')
  const token = role && audience && cast.tokenOf(role, audience as Audience)
  const url = row.path(things)
  const query = request.query && `${url.includes('?') ? '&' : '?'}${request.query}`
  const { body = row.body?.(things) } = request
  return call(market, method, `${url}${query ?? ''}`, {
    ...(token ? { token } : {}),
    ...(body === undefined ? {} : { body }),
    ...(row.headers && request.body === undefined ? { headers: row.headers } : {}),
  })
}

describe('a member of a body with a value of another type, or left out although it is required, is 400', () => {
  const withBodies = endpoints.filter((one) => bodyOf(one) !== undefined)
  test.each(named(withBodies))('%s', async (_operationId, endpoint) => {
    const wrong = misshapenBodies(bodyOf(endpoint) as JsonSchema, schemas)
    for (const { what, pointer, body } of wrong) {
      const answer = await ask(endpoint, { body })
      if (endpoint.operation.operationId === BY_RECORD) {
        const [{ status, errors = [] }] = answer.body
        expect(status, `${pointer} ${what}: ${answer.text}`).toBe('refused')
        const pointers = errors.map((error: { pointer: string }) => `/0${error.pointer}`)
        expect(pointers, what).toContain(pointer)
        continue
      }
      expect(answer.status, `${pointer} ${what}: ${answer.text}`).toBe(400)
      expectProblem(answer, 'invalid_request')
      expect(pointersOf(answer), what).toContain(pointer)
    }
  })

  test('and every member of the definition of an app was tried', () => {
    const create = withBodies.find(({ operation }) => operation.operationId === 'createApp')
    const wrong = misshapenBodies(bodyOf(create as Endpoint) as JsonSchema, schemas)
    const tried = new Set(
      wrong.map(({ pointer }) => pointer.replaceAll(/\/(k?\d+)(?=\/|$)/g, '/*')),
    )
    for (const pointer of [
      ...['/id', '/partyTypes/*', '/purchaseOptions/*/currency', '/purchaseOptions/*/pricingModel'],
      ...['/purchaseOptions/*/bucketSize', '/settings/*/*/type', '/settings/*/*/scope'],
      ...['/settings/*/*/options/*/value', '/acknowledgements/*/text', '/authReturnUrl'],
    ]) {
      expect(tried).toContain(pointer)
    }
    expect(wrong.length).toBeGreaterThan(200)
  })
})

describe('an unknown query parameter is 400 and named', () => {
  test.each(named(strict))('%s', async (_operationId, endpoint) => {
    const before = await everything(market)
    const answer = await ask(endpoint, { query: 'nonsense=1' })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/nonsense'])
    expect(await everything(market)).toEqual(before)
  })
})

describe('an unknown member of a body is 400 and named, also where no body is asked for', () => {
  const changing = strict.filter(
    (one) =>
      one.method !== 'GET' &&
      (one.operation.requestBody === undefined || isClosed(bodyOf(one) ?? {}, schemas)) &&
      one.operation.operationId !== 'importProducts',
  )
  test.each(named(changing))('%s', async (_operationId, endpoint) => {
    const before = await everything(market)
    const answer = await ask(endpoint, { body: { nonsense: 1 } })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toContain('/nonsense')
    expect(await everything(market)).toEqual(before)
  })

  test.each(named(changing.filter((one) => one.operation.requestBody === undefined)))(
    '%s takes {} and nothing, but no other JSON',
    async (_operationId, endpoint) => {
      for (const body of ['[]', '5', '"x"', 'null', '[{}]']) {
        expectProblem(await ask(endpoint, { body }), 'invalid_request')
      }
    },
  )

  test('but for sign-ins and the exchange for an installation token, which ignore it', async () => {
    for (const [, endpoint] of named(endpoints)) {
      const { operationId } = endpoint.operation
      if (!TOLERANT.includes(operationId)) continue
      const { body } = ACCESS[`${endpoint.method} ${endpoint.path}`] as Row
      const answer = await ask(endpoint, {
        query: 'nonsense=1',
        body: { ...(body?.(things) as object), nonsense: 1 },
      })
      expect(answer.status, operationId).toBe(200)
    }
  })
})

describe('a well-formed value that breaks a rule is 422, unless something else has another shape', () => {
  const definition = (changes: { option?: object; setting?: object; partyTypes?: string[] }) => ({
    ...things.newApp,
    partyTypes: changes.partyTypes ?? ['Seller'],
    purchaseOptions: [flat('free', 0, changes.option)],
    settings: { free: { s: { type: 'text', name: 'S', ...changes.setting } } },
  })
  test.each([
    ['a currency', { option: { currency: 'XXX' } }, '/purchaseOptions/0/currency'],
    ['a pricing model', { option: { pricingModel: 'Free' } }, '/purchaseOptions/0/pricingModel'],
    ['a type of setting', { setting: { type: 'checkbox' } }, '/settings/free/s/type'],
    ['a scope', { setting: { scope: 'both' } }, '/settings/free/s/scope'],
    ['a party type', { partyTypes: ['None'] }, '/partyTypes/0'],
  ])('%s that there is not', async (_what, changes, pointer) => {
    const create = endpoints.find(({ operation }) => operation.operationId === 'createApp')
    const body = definition(changes)
    const refused = await ask(create as Endpoint, { body })
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual([pointer])
    const malformed = await ask(create as Endpoint, { body: { ...body, name: 5 } })
    expectProblem(malformed, 'invalid_request')
    expect(pointersOf(malformed)).toEqual(['/name', pointer])
  })
})
