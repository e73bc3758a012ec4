import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: string
let writer: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await developerToken(market)
  writer = await installationToken(market, demoInstallation(market, 'catalog-sync'))
})
afterAll(() => market.close())

const TERMS = '/v1/Developer/Apps/price-sync/TermsDocument'
const FORM = 'application/x-www-form-urlencoded'

test.each([
  ['POST', '/v1/Auth', 'application/json'],
  ['POST', '/login', FORM],
  ['POST', '/v1/Products/Import', 'text/csv or application/x-ndjson'],
  ['PUT', TERMS, 'application/pdf or text/plain or text/markdown, in UTF-8'],
])('%s %s names the types it takes in its 415', async (method, path, types) => {
  const token = path === TERMS ? developer : writer
  const headers = { 'content-type': 'image/png' }
  const answer = await call(market, method, path, { token, body: 'x', headers })
  expectProblem(answer, 'unsupported_media_type')
  expect(answer.body.detail).toBe(`The Content-Type must be ${types}.`)
})

test('POST /oauth/token names its type in the words of OAuth', async () => {
  const { status, body } = await call(market, 'POST', '/oauth/token', { body: {} })
  expect([status, body.error_description]).toEqual([415, expect.stringContaining(FORM)])
})

test.each([
  ['POST', '/v1/Auth', 'application/json', 16_384],
  ['POST', '/v1/Developer/Apps', 'application/json', 1_048_576],
  ['PUT', TERMS, 'text/plain', 5_242_880],
])('%s %s names its limit in its 413', async (method, path, type, limit) => {
  const body = 'x'.repeat(limit + 1)
  const headers = { 'content-type': type }
  const answer = await call(market, method, path, { token: developer, body, headers })
  expectProblem(answer, 'payload_too_large')
  expect(answer.body.detail).toBe(`The body may have at most ${limit.toLocaleString('en')} bytes.`)
})

test.each([
  ['/login', 16],
  ['/Account/Password', 64],
])('the page of a form to %s that is too large names its limit', async (path, kibibytes) => {
  const page = await webClient(market).submit(path, { a: 'x'.repeat(kibibytes * 1024) })
  expect(page.status).toBe(413)
  expect(page.text).toContain(`It can have up to ${kibibytes} KiB.`)
})
