import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  type Author,
  author,
  draft,
  everything,
  installedBy,
  newId,
  storedVersion,
} from '../../../setup/apps.ts'
import { call, demoInstallation } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { noteStatements } from '../../../setup/statements.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const MIB = 2 ** 20
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n', 'latin1')
const HTML = '<!doctype html><script>alert(1)</script>'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function newApp(): Promise<string> {
  const id = newId()
  expect((await developer.create(draft(id))).status).toBe(201)
  return id
}

describe('a terms document', () => {
  test.each([
    ['application/pdf', PDF, 'pdf', 'application/pdf'],
    ['text/plain', 'Terms – plain', 'txt', 'text/plain; charset=utf-8'],
    ['text/markdown', '# Terms\r\n\n* ä', 'md', 'text/markdown; charset=utf-8'],
    ['TEXT/Markdown; charset="UTF-8"; variant=GFM', '# T', 'md', 'text/markdown; charset=utf-8'],
    [
      'text/plain; charset=utf8',
      '\ufeffwith a byte order mark',
      'txt',
      'text/plain; charset=utf-8',
    ],
    ['text/plain', HTML, 'txt', 'text/plain; charset=utf-8'],
  ] as const)('%s is taken and comes back byte for byte', async (type, content, ending, shown) => {
    const id = await newApp()
    const put = await developer.putTerms(id, content, type)
    const hash = sha256(content)
    const mediaType = shown.split(';')[0]
    const terms = { sha256: hash, mediaType, size: Buffer.byteLength(content) }
    expect([put.status, put.body]).toEqual([200, terms])
    expect((await developer.read(id)).body.termsDocument).toEqual(terms)
    await developer.list(id)
    expect((await call(market, 'GET', `/v1/Apps/${id}`)).body.termsDocument).toEqual(terms)

    for (const path of [`/v1/Apps/${id}`, `/v1/Developer/Apps/${id}`]) {
      const answer = await fetch(`${market.url}${path}/TermsDocument`, {
        headers: { authorization: `Bearer ${developer.token}`, accept: 'text/html' },
      })
      expect(answer.status).toBe(200)
      expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(hash)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': shown,
        'content-length': String(terms.size),
        'content-disposition': `attachment; filename="${id}-terms-${hash.slice(0, 8)}.${ending}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        etag: `"${hash}"`,
        'cache-control': path.includes('Developer')
          ? 'private, no-cache, no-transform'
          : 'no-cache',
      })
    }
  })

  test('HEAD answers the same headers without the document', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# Terms')
    const { status, text, headers } = await developer.send('HEAD', `/${id}/TermsDocument`)
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-disposition')).toContain('attachment')
  })

  test.each([
    ['the ETag', (etag: string) => etag, 304],
    ['a weak form of it', (etag: string) => `W/${etag}`, 304],
    ['it among others', (etag: string) => `"x", ${etag} , "y"`, 304],
    ['*', () => '*', 304],
    ['another ETag', () => '"x"', 200],
    ['part of it', (etag: string) => etag.slice(0, 9), 200],
  ] as const)('If-None-Match with %s', async (_, headerOf, status) => {
    const id = await newApp()
    const etag = `"${(await developer.putTerms(id, '# Terms')).body.sha256}"`
    const headers = { 'if-none-match': headerOf(etag) }
    const answer = await developer.send('GET', `/${id}/TermsDocument`, undefined, headers)
    expect([answer.status, answer.text]).toEqual([status, status === 304 ? '' : '# Terms'])
    expect(answer.headers.get('etag')).toBe(etag)
  })
})

test('a document that the client has is not read, and any other once', async () => {
  const id = await newApp()
  const etag = `"${(await developer.putTerms(id, '# Terms that nobody has read')).body.sha256}"`
  await developer.list(id)
  const { take } = noteStatements(market.deps.pool)
  const contentsRead = async (headers: Record<string, string>) => {
    take()
    const { status } = await call(market, 'GET', `/v1/Apps/${id}/TermsDocument`, { headers })
    return [status, take().filter(({ text }) => /\bcontent\b/.test(text)).length]
  }
  expect(await contentsRead({ 'if-none-match': etag })).toEqual([304, 0])
  expect(await contentsRead({})).toEqual([200, 1])
  expect(await contentsRead({})).toEqual([200, 0])
})

describe('a document is checked by its content', () => {
  test.each<[string, string, string | Uint8Array]>([
    ['HTML as PDF', 'application/pdf', HTML],
    ['text that only begins like a PDF', 'application/pdf', '%PDF-1.7 but no more'],
    ['text before the PDF', 'application/pdf', Buffer.concat([Buffer.from('x'), PDF])],
    ['PDF as text', 'text/plain', PDF],
    ['PDF as Markdown', 'text/markdown', PDF],
    ['a picture as Markdown', 'text/markdown', PNG],
    ['NUL in text', 'text/plain', 'a\0b'],
    ['an escape sequence in text', 'text/plain', 'a\u001b[2Jb'],
    ['U+202D in text', 'text/plain', 'You owe \u202d0001\u202c EUR'],
    ['U+202E in Markdown', 'text/markdown', '# Terms\n\n\u202eRUE 1\u202c'],
    ['U+202E after half a MiB', 'text/plain', `${'x'.repeat(524_287)}\u202e`],
    ['invalid UTF-8', 'text/plain', Buffer.from([0x61, 0xff, 0x62])],
    ['Latin-1', 'text/plain', Buffer.from('Gebühr', 'latin1')],
    ['UTF-16', 'text/plain', Buffer.from('\ufeffTerms', 'utf16le')],
    ['gzip', 'text/markdown', Buffer.from('1f8b08000000000000ff', 'hex')],
    ['nothing', 'text/plain', ''],
    ['nothing as PDF', 'application/pdf', ''],
    ['blank space', 'text/markdown', ' \n\t\n'],
  ])('%s is 422 and stores nothing', async (_, type, content) => {
    const id = await newApp()
    const before = await everything(market)
    expectProblem(await developer.putTerms(id, content, type), 'unprocessable')
    expect(await everything(market)).toEqual(before)
  })

  test('marks of a direction that only say how a line runs are taken', async () => {
    const content = '# \u0627\u0644\u0634\u0631\u0648\u0637 \u200f(1)\u200e \u2067x\u2069'
    expect((await developer.putTerms(await newApp(), content)).status).toBe(200)
  })

  test.each([
    'text/html',
    'application/json',
    'image/svg+xml',
    'application/x-pdf',
    'text/plain; charset=iso-8859-1',
    'text/markdown; charset=utf-16',
    'multipart/form-data; boundary=x',
    'text',
    'constructor',
  ])('%s is 415', async (type) => {
    const id = await newApp()
    expectProblem(await developer.putTerms(id, '# Terms', type), 'unsupported_media_type')
  })

  test('no content type is 415', async () => {
    const id = await newApp()
    const answer = await fetch(`${market.url}/v1/Developer/Apps/${id}/TermsDocument`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${developer.token}` },
      body: new Uint8Array([1]),
    })
    expect(answer.status).toBe(415)
    const bare = await developer.send('PUT', `/${id}/TermsDocument`)
    expectProblem(bare, 'unsupported_media_type')
  })

  test('5 MiB are taken, one byte more is 413', async () => {
    const id = await newApp()
    const before = await everything(market)
    const over = await developer.putTerms(id, 'x'.repeat(5 * MIB + 1), 'text/plain')
    expectProblem(over, 'payload_too_large')
    expect(await everything(market)).toEqual(before)
    const largest = await developer.putTerms(id, 'x'.repeat(5 * MIB), 'text/plain')
    expect([largest.status, largest.body.size]).toEqual([200, 5 * MIB])
  })
})

describe('terms and versions', () => {
  const partyId = () => demoInstallation(market, 'catalog-sync', 'Seller').partyId

  async function keptTerms(appId: string): Promise<string[]> {
    const kept = await market.deps.db.termsDocument.findMany({
      where: { appId },
      select: { sha256: true },
    })
    return kept.map((one) => one.sha256)
  }

  test('the same document again changes nothing', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# Terms')
    const before = await everything(market)
    const again = await developer.putTerms(id, '# Terms')
    const named = await developer.putTerms(id, '# Terms', 'text/markdown', '?version=1.0.0')
    expect([again.status, named.status]).toEqual([200, 200])
    expect(await everything(market)).toEqual(before)
  })

  test('the same bytes under another media type are answered as what they are now', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# Terms', 'text/plain')
    const answer = await developer.putTerms(id, '# Terms', 'text/markdown')
    expect(answer.body.mediaType).toBe('text/markdown')
    expect((await developer.read(id)).body.termsDocument).toEqual(answer.body)
    const { headers } = await developer.send('GET', `/${id}/TermsDocument`)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  })

  test('of a version that nobody has installed may be replaced, and are deleted with it', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# First')
    const second = await developer.putTerms(id, '# Second')
    expect(second.status).toBe(200)
    expect((await developer.read(id)).body.termsDocument).toEqual(second.body)
    expect((await developer.versions(id)).body).toHaveLength(1)
    expect(await keptTerms(id)).toEqual([second.body.sha256])

    await developer.put(draft(id, { version: '2' }))
    await developer.putTerms(id, '# Third')
    expect(await keptTerms(id)).toContain(second.body.sha256)
    await developer.send('DELETE', `/${id}/TermsDocument`)
    expect(await keptTerms(id)).toEqual([second.body.sha256])
  })

  test('of an installed version are 409 version_required, with the change; a new version takes them', async () => {
    const id = await newApp()
    const first = (await developer.putTerms(id, '# First')).body
    await installedBy(market, id, partyId())
    const old = await storedVersion(market, id, '1.0.0')
    const before = await everything(market)
    const refused = await developer.putTerms(id, '# Second')
    expectProblem(refused, 'version_required')
    expect(refused.body).toMatchObject({
      breaking: true,
      changes: [{ kind: 'terms_document_changed', pointer: '/termsDocument', breaking: true }],
    })
    expect(await everything(market)).toEqual(before)

    const second = await developer.putTerms(id, '# Second', 'text/markdown', '?version=2')
    expect(second.status).toBe(200)
    expect((await developer.read(id)).body).toMatchObject({
      version: '2',
      termsDocument: second.body,
    })
    expect(await storedVersion(market, id, '1.0.0')).toEqual(old)
    const { body } = await developer.versions(id)
    expect(body).toMatchObject([
      { version: '2', termsDocument: second.body, latest: true, installations: 0 },
      { version: '1.0.0', termsDocument: first, latest: false, installations: 1 },
    ])
    expect(body[0].permissions).toEqual(body[1].permissions)
  })

  test('the first terms of an installed version are a breaking change too', async () => {
    const id = await newApp()
    await installedBy(market, id, partyId())
    const answer = await developer.putTerms(id, '# First')
    expectProblem(answer, 'version_required')
    expect(answer.body.changes[0].kind).toBe('terms_document_added')
  })

  test('with a version used before are 409 version_used', async () => {
    const id = await newApp()
    await developer.put(draft(id, { version: '2' }))
    const answer = await developer.putTerms(id, '# Terms', 'text/markdown', '?version=1.0.0')
    expectProblem(answer, 'version_used')
  })

  test.each(['', '%20', 'x'.repeat(65), 'a%0Ab', '1&version=2'])(
    '?version=%.10s is 400',
    async (version) => {
      const id = await newApp()
      const answer = await developer.putTerms(id, '# Terms', 'text/markdown', `?version=${version}`)
      expectProblem(answer, 'invalid_request')
      expect(pointersOf(answer)).toEqual(['/version'])
    },
  )

  test('taken away are gone for new readers: 404, and 404 when taken away again', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# Terms')
    await developer.list(id)
    const removal = await developer.send('DELETE', `/${id}/TermsDocument`)
    expect([removal.status, removal.text]).toEqual([204, ''])
    expect((await developer.read(id)).body.termsDocument).toBeNull()
    expectProblem(await developer.send('GET', `/${id}/TermsDocument`), 'not_found')
    expectProblem(await call(market, 'GET', `/v1/Apps/${id}/TermsDocument`), 'not_found')
    expectProblem(await developer.send('DELETE', `/${id}/TermsDocument`), 'not_found')
    expect((await developer.putTerms(id, '# Terms')).status).toBe(200)
  })

  test('of an app that is not listed are not public', async () => {
    const id = await newApp()
    await developer.putTerms(id, '# Terms')
    expectProblem(await call(market, 'GET', `/v1/Apps/${id}/TermsDocument`), 'not_found')
  })
})
