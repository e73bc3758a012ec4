import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { developerToken, userToken } from '../../setup/client.ts'
import { cookieLine, demoUser, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let browser: WebClient
beforeAll(async () => {
  market = await startMarketplace()
  browser = await signedIn(market, demoUser(market, 'Seller'))
})
afterAll(() => market.close())

type Raw = { status: number; headers: Record<string, string>; bytes: Buffer }

/** `fetch` would decode the answer. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(market.url + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(named),
          bytes: Buffer.concat(chunks),
        })
      })
    })
    sent.on('error', reject).end()
  })
}

const cookie = () => cookieLine(market, browser.cookies)
const decoded = ({ headers, bytes }: Raw): string => {
  const coding = headers['content-encoding']
  const plain =
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  return plain.toString('utf8')
}
const varies = (answer: Raw) => answer.headers.vary?.split(', ')

const SHARED = [
  '/docs',
  '/docs/errors',
  '/openapi.json',
  '/assets/style.css',
  '/assets/script.js',
  '/v1/Apps',
]
const OWN = ['/Apps', '/Installed', '/Apps/price-sync']

describe.each([...SHARED, ...OWN])('%s', (path) => {
  const send = (headers: Record<string, string>, method = 'GET') =>
    ask(path, { cookie: cookie(), accept: 'text/html', ...headers }, method)

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['identity', undefined],
    ['deflate', undefined],
    ['br;q=0', undefined],
  ])('asked for in %s comes in %s', async (accepted, coding) => {
    const [answer, plain] = [await send({ 'accept-encoding': accepted }), await send({})]
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(varies(answer)).toEqual(varies(plain))
    expect(varies(answer)?.filter((name) => name === 'Accept-Encoding')).toHaveLength(1)
    const withoutTokens = (text: string) => text.replaceAll(/name="_csrf" value="[^"]+"/g, '')
    expect(withoutTokens(decoded(answer))).toBe(withoutTokens(decoded(plain)))
    if (coding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 1.5)
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length)
  })

  test('has the same headers for HEAD', async () => {
    for (const accepted of ['br', 'identity']) {
      const headers = { 'accept-encoding': accepted }
      const [get, head] = [await send(headers), await send(headers, 'HEAD')]
      expect(head.status).toBe(200)
      expect(head.bytes.length).toBe(0)
      for (const name of ['content-encoding', 'content-type', 'etag', 'vary', 'cache-control']) {
        expect(head.headers[name]).toBe(get.headers[name])
      }
    }
  })
})

describe.each(SHARED)('the ETag of %s', (path) => {
  test('names the coding, and a condition is answered with the ETag that the client has', async () => {
    const plain = await ask(path)
    const coded = await ask(path, { 'accept-encoding': 'br' })
    const zipped = await ask(path, { 'accept-encoding': 'gzip' })
    const [tag, brTag, gzipTag] = [plain, coded, zipped].map(
      ({ headers }) => headers.etag as string,
    )
    expect(brTag).toBe(tag?.replace(/"$/, '-br"'))
    expect(gzipTag).toBe(tag?.replace(/"$/, '-gzip"'))
    for (const condition of [tag, brTag, gzipTag, `W/${brTag}`]) {
      for (const accepted of ['br', 'identity']) {
        const headers = { 'if-none-match': condition as string, 'accept-encoding': accepted }
        const answer = await ask(path, headers)
        expect(answer.status).toBe(304)
        expect(answer.bytes.length).toBe(0)
        expect(condition).toContain(answer.headers.etag)
        expect(answer.headers['content-encoding']).toBeUndefined()
      }
    }
    expect((await ask(path, { 'if-none-match': '"other-br"' })).status).toBe(200)
  })
})

describe('sent as it is', () => {
  const accepted = { 'accept-encoding': 'br, gzip' }

  test('what is smaller than 1 KiB', async () => {
    for (const path of ['/livez', '/assets/icon.svg', '/v1/nothing']) {
      expect((await ask(path, accepted)).headers['content-encoding']).toBeUndefined()
    }
  })

  test('a record whose ETag is its revision', async () => {
    const headers = { ...accepted, authorization: `Bearer ${await developerToken(market)}` }
    const answer = await ask('/v1/Developer/Apps/price-sync', headers)
    expect(answer.headers.etag).toMatch(/^"\d+"$/)
    expect(answer.headers['content-encoding']).toBeUndefined()
    const list = await ask('/v1/Developer/Apps', headers)
    expect(list.headers['content-encoding']).toBe('br')
  })

  // What it guesses it can put into the address, and it sees the length (BREACH).
  test.each(['cross-site', 'same-site'])('a page that another site asked for: %s', async (site) => {
    const headers = { ...accepted, cookie: cookie(), 'sec-fetch-site': site }
    const answer = await ask('/Apps?q=guess', headers)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
    for (const own of ['same-origin', 'none']) {
      const same = await ask('/Apps?q=guess', { ...headers, 'sec-fetch-site': own })
      expect(same.headers['content-encoding']).toBe('br')
    }
  })

  test('a page that shows a password', async () => {
    const operator = await signedIn(market, market.demo.operator)
    const page = await operator.get('/Operator/Developers/New', accepted)
    const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(page.text) ?? []
    const form = { _csrf, name: `Secrets ${Date.now()}` }
    const { location } = await operator.submit('/Operator/Developers/New', form)
    const made = await operator.get(location ?? '', accepted)
    expect(made.text).toContain('Copy the password now')
    expect(made.headers.get('content-encoding')).toBeNull()
    expect(made.headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(page.headers.get('content-encoding')).not.toBeNull()
  })
})

describe('JSON for one caller', () => {
  test('is compressed where it is long', async () => {
    const headers = {
      authorization: `Bearer ${await userToken(market)}`,
      'accept-encoding': 'gzip',
    }
    const answer = await ask('/v1/Account/Installations', headers)
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(decoded(answer)).length).toBeGreaterThan(0)
  })
})

describe('the token of a form', () => {
  // Compression tells of a text that is the same in many answers; of this one there is none.
  test('has another text in every answer', async () => {
    const texts = []
    for (let index = 0; index < 20; index++) {
      const { text } = await browser.get('/Apps')
      texts.push(/name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? '')
    }
    expect(new Set(texts).size).toBe(20)
    // The part that counts is made with a salt of its own; the owner's hash alone opens nothing.
    const proofs = texts.map((text) => text.slice(-43))
    expect(new Set(proofs).size).toBe(20)
    for (const [index, proof] of proofs.entries()) {
      const others = proofs.filter((_other, place) => place !== index).join(' ')
      expect(
        Array.from(proof, (_c, at) => proof.slice(at, at + 8)).some(
          (run) => run.length === 8 && others.includes(run),
        ),
      ).toBe(false)
    }
    const [owner = ''] = texts[0]?.split('-') ?? []
    expect((await browser.post('/logout', { _csrf: `${owner}-x-${proofs[0]}` })).status).toBe(403)
  })
})
