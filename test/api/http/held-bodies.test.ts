import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const MIB = 1_048_576
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function developerToken(index: number): Promise<string> {
  const { clientId, password } = market.demo.developers[index] ?? {}
  return (await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })).body.token
}

type Sending = { sent: ClientRequest; status: Promise<number | undefined> }

/** Announces a body and sends the beginning of it: the rest never comes. */
function begin(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  beginning = 'a',
  localAddress = '127.0.0.1',
): Sending {
  const sent = request(`${market.url}${path}`, { method, headers, agent: false, localAddress })
  const status = once(sent, 'response').then(
    ([answer]: IncomingMessage[]) => {
      sent.destroy()
      return answer?.statusCode
    },
    () => undefined,
  )
  sent.on('error', () => {})
  sent.write(beginning)
  return { sent, status }
}

/** How many of so many bodies are refused; the others are waited for. */
async function refusedOf(count: number, one: () => Sending, held: number) {
  const all = Array.from({ length: count }, one)
  const refused: (number | undefined)[] = []
  for (const { status } of all) void status.then((code) => refused.push(code))
  await expect.poll(() => refused.length, { timeout: 10_000 }).toBe(count - held)
  return { refused, end: () => end(all) }
}

async function end(all: readonly Sending[]): Promise<void> {
  for (const { sent } of all) sent.destroy()
  await Promise.all(all.map(({ status }) => status))
}

describe('of long bodies that one caller sends at once the server holds 16 MiB', () => {
  test('from strangers, by their network', async () => {
    const headers = { ...FORM, 'content-length': MIB }
    const one = () => begin('POST', '/Developer/Apps/New', headers)
    const { refused, end } = await refusedOf(20, one, 16)
    expect(refused).toEqual([429, 429, 429, 429])
    // What is short is taken all the same, and so is what somebody else sends who is known.
    expect((await call(market, 'GET', '/livez')).status).toBe(200)
    const token = await developerToken(0)
    const body = { padding: 'a'.repeat(100_000) }
    const taken = await call(market, 'POST', '/v1/Developer/Apps', { token, body })
    expect(taken.status).toBe(400)
    await end()
  })

  test('from a developer, also in pieces of which nobody knows how many will come', async () => {
    const [token, other] = [await developerToken(0), await developerToken(1)]
    const path = '/v1/Developer/Apps/price-sync/TermsDocument'
    const type = { 'content-type': 'text/markdown', authorization: `Bearer ${token}` }
    const chunked = { ...type, 'transfer-encoding': 'chunked' }
    const one = () => begin('PUT', path, chunked, 'a'.repeat(5 * MIB))
    const { refused, end } = await refusedOf(5, one, 3)
    expect(refused).toEqual([429, 429])
    const ofOther = {
      token: other,
      body: 'a'.repeat(MIB),
      headers: { 'content-type': 'text/plain' },
    }
    const answer = await call(
      market,
      'PUT',
      '/v1/Developer/Apps/catalog-sync/TermsDocument',
      ofOther,
    )
    expect(answer.status).not.toBe(429)
    await end()
    // Those that are over make room.
    await expect
      .poll(async () => {
        const body = { padding: 'a'.repeat(900_000) }
        return (await call(market, 'POST', '/v1/Developer/Apps', { token, body })).status
      })
      .toBe(400)
  })

  test('and says when to come back', async () => {
    const token = await developerToken(0)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const one = () =>
      begin('POST', '/v1/Developer/Credentials', { ...headers, 'content-length': MIB })
    const { end } = await refusedOf(17, one, 16)
    const body = { padding: 'a'.repeat(100_000) }
    const answer = await call(market, 'POST', '/v1/Developer/Credentials', { token, body })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.body.detail).toBe(
      'At most 16 MiB of long bodies may be under way from one caller at once, and less while others have much. Wait until some have been answered.',
    )
    await end()
  })
})

test('bodies that strangers announce keep nobody out who has signed in', async () => {
  const token = await developerToken(0)
  const headers = { ...FORM, 'content-length': MIB }
  const all = Array.from({ length: 300 }, (_, index) =>
    begin('POST', '/Developer/Apps/New', headers, 'a', `127.1.${index % 2}.${1 + (index >> 1)}`),
  )
  try {
    expect(await Promise.race(all.map(({ status }) => status))).toBe(429)
    const body = { id: 'x'.repeat(MIB * 0.9) }
    expect((await call(market, 'POST', '/v1/Developer/Apps', { token, body })).status).toBe(400)
  } finally {
    await end(all)
  }
})

test('short bodies that come in pieces are all taken', async () => {
  const token = await developerToken(0)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const chunked = { ...headers, 'transfer-encoding': 'chunked' }
  const all = Array.from({ length: 40 }, () => begin('POST', '/v1/Developer/Token', chunked, '{'))
  for (const { sent } of all) sent.end('}')
  const statuses = await Promise.all(all.map(({ status }) => status))
  expect(new Set(statuses)).toEqual(new Set([400]))
})
