import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  type Answer,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { internalNamesOf } from '../../setup/sabotage.ts'

/** An error may name what was sent by its pointer, but says none of it again. */
const TYPED = 'canary-typed-by-the-client'

let market: TestMarketplace
let operator: OperatorCalls
let developer: string
let token: string
let internalNames: RegExp
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  developer = await developerToken(market)
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  internalNames = await internalNamesOf(market)
})
afterAll(() => market.close())

describe('a refusal says what is wrong, not what was sent', () => {
  const secret = { password: TYPED }
  const cases: [string, () => Promise<Answer>, number][] = [
    ['JSON that breaks off', () => post('/v1/Auth', `{"password": "${TYPED}`), 400],
    ['a word that is no JSON', () => post('/v1/Auth', TYPED), 400],
    ['a wrong password', () => post('/v1/Auth', { clientId: 'northwind', ...secret }), 401],
    ['an unknown clientId', () => post('/v1/Auth', { clientId: TYPED, ...secret }), 401],
    ['a clientId of a wrong type', () => post('/v1/Auth', { clientId: [TYPED], ...secret }), 400],
    [
      'a password of a wrong type',
      () => post('/v1/Auth', { clientId: 'x', password: [TYPED] }),
      400,
    ],
    [
      'a password that is too long',
      () => post('/v1/Auth', { clientId: 'x', password: TYPED.repeat(50) }),
      401,
    ],
    ['a password with NUL', () => post('/v1/Auth', { clientId: 'x', password: `${TYPED}\0` }), 400],
    ['an email that is none', () => post('/v1/Account/Auth', { email: TYPED, ...secret }), 401],
    ['a token that is none', () => get('/v1/Products', TYPED), 401],
    ['a token in the query', () => get(`/v1/Products?access_token=${TYPED}`), 401],
    ['a cursor that is none', () => get(`/v1/Products?cursor=${TYPED}`, token), 400],
    ['a limit that is none', () => get(`/v1/Products?limit=${TYPED}`, token), 400],
    ['a product that is none', () => get(`/v1/Products/${TYPED}`, token), 404],
    [
      'an installation that is none',
      () => get(`/v1/Developer/Installations/${TYPED}`, developer),
      404,
    ],
    ['an address that is none', () => get(`/v1/${TYPED}`), 404],
    [
      'a body of an unknown type',
      () => post('/v1/Auth', TYPED, { 'content-type': 'text/csv' }),
      415,
    ],
    ['an If-Match that is none', () => patchAdmin({ routing: 'x' }, { 'if-match': TYPED }), 412],
    ['a setting of a wrong type', () => patchAdmin({ routing: { TYPED } }), 422],
    [
      'a user that exists',
      () =>
        operator('POST', 'Users', {
          email: 'kim@keyline.example',
          name: TYPED,
          partyIds: [],
          password: 'tangerine orbit 42',
        }),
      409,
    ],
    [
      'a password that is too short',
      () =>
        operator('POST', 'Users', {
          email: 'a@b.example',
          partyIds: [],
          name: TYPED,
          password: 'canary',
        }),
      422,
    ],
  ]
  const get = (path: string, bearer?: string) =>
    call(market, 'GET', path, bearer === undefined ? {} : { token: bearer })
  const post = (path: string, body: unknown, headers = {}) =>
    call(market, 'POST', path, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const patchAdmin = (body: object, headers = {}) => {
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    const path = `/v1/Developer/Installations/${id}/AdminSettings`
    return call(market, 'PATCH', path, { token: developer, body, headers })
  }

  test.each(cases)('%s', async (_name, request, status) => {
    const answer = await request()
    expect(answer.status).toBe(status)
    expectProblem(answer, answer.body.code)
    expect(answer.text).not.toMatch(/canary/)
    expect(answer.text).not.toMatch(internalNames)
    expect([...answer.headers].join()).not.toContain(TYPED)
  })
})
