import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { newProductParty } from '../../setup/product-client.ts'

let market: SharedMarketplace
const tokens: { [audience: string]: string } = {}
beforeAll(async () => {
  market = await sharedMarketplace()
  tokens.developer = await developerToken(market)
  tokens.installation = (await newProductParty(market)).token
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

// `curl -d ''`, Net::HTTP of Ruby and axios name the type of forms, `fetch` with '' that of text.
describe.each([JSON_TYPE, FORM_TYPE, 'text/plain;charset=UTF-8', 'application/octet-stream'])(
  'an empty body of the type %s',
  (type) => {
    test.each([
      ['POST', '/v1/Developer/Apps/stock-watch/List', 200],
      ['POST', '/v1/Developer/Apps/stock-watch/Sandbox', 201],
      ['DELETE', '/v1/Developer/EventConsumers/nobody', 404],
      ['POST', '/v1/Developer/Token', 400],
    ])('is no body: %s %s', async (method, path, status) => {
      const answer = await send(method, path, '', type)
      expect(answer.status).toBe(status)
    })
  },
)

test('a body of a type that nobody reads is refused also where none is needed', async () => {
  const answer = await send('POST', '/v1/Developer/Apps/stock-watch/List', 'a=b', FORM_TYPE)
  expectProblem(answer, 'unsupported_media_type')
})

function send(method: string, path: string, body: string, type: string) {
  const headers = { 'content-type': type }
  return call(market, method, path, { token: tokens.developer as string, body, headers })
}

describe.each([
  ['POST', '/v1/Auth', JSON_TYPE, ''],
  ['POST', '/v1/Auth', FORM_TYPE, ''],
  ['POST', '/v1/Auth', 'x', ''],
  ['POST', '/v1/Account/PasswordReset', JSON_TYPE, ''],
  ['POST', '/oauth/token', FORM_TYPE, ''],
  ['POST', '/login', FORM_TYPE, ''],
  ['POST', '/nothing', JSON_TYPE, ''],
  ['GET', '/v1/Apps', JSON_TYPE, ''],
  ['POST', '/v1/Developer/Token', JSON_TYPE, 'developer'],
  ['POST', '/v1/Developer/Apps/stock-watch/List', JSON_TYPE, 'developer'],
  ['PUT', '/v1/Developer/Apps/stock-watch', JSON_TYPE, 'developer'],
  ['PUT', '/v1/Developer/Apps/stock-watch/TermsDocument', 'text/plain', 'developer'],
  ['PATCH', '/v1/Products/1', 'application/merge-patch+json', 'installation'],
  ['DELETE', '/v1/Products/1', JSON_TYPE, 'installation'],
  ['POST', '/v1/Products/Import', 'text/csv', 'installation'],
])('%s %s with the type %s, and neither a length nor a coding', (method, path, type, audience) => {
  test('is answered as with the length 0', async () => {
    const none = await ask({})
    expect(none).toEqual(await ask({ 'content-length': '0' }))
  })

  /** `fetch` sends a length with most methods. */
  async function ask(length: Record<string, string>) {
    const token = tokens[audience]
    const headers = {
      'content-type': type,
      ...length,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent = request(market.url + path, { method, headers })
    // Otherwise Node adds an empty chunked body to most methods.
    sent.useChunkedEncodingByDefault = false
    sent.end()
    return new Promise((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', async (answer) => {
        const body = await text(answer)
        const { code, detail } = body.startsWith('{') ? JSON.parse(body) : {}
        resolve({ status: answer.statusCode, code, detail })
      })
    })
  }
})
