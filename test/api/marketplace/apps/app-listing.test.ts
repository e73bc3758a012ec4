import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { webClient } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let other: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  other = await author(market, 1)
})

const EMPTY = {
  tagline: '',
  longDescription: '',
  categories: [],
  contacts: { technical: null, billing: null, security: null },
  disclosure: { dataStored: '', dataLeavesTo: [], retentionDays: null, subprocessors: [] },
}
const FULL = {
  tagline: 'Prices in step',
  longDescription: '# What it does\n\n* **Reads** prices\n* [Help](https://help.example)',
  categories: [],
  contacts: { technical: 'tech@one.example', billing: null, security: 'security@one.example' },
  disclosure: {
    dataStored: 'Prices and stock.',
    dataLeavesTo: ['Germany', 'France'],
    retentionDays: 30,
    subprocessors: ['Example Hosting GmbH'],
  },
}

async function newApp(): Promise<string> {
  const id = newId()
  expect((await developer.create(draft(id))).status).toBe(201)
  expect((await developer.list(id)).status).toBe(200)
  return id
}
const read = (id: string) => developer.send('GET', `/${id}/Listing`)
const put = (id: string, body: unknown, headers = {}) =>
  developer.send('PUT', `/${id}/Listing`, body, headers)

describe('the listing of an app', () => {
  test('is empty at first, is replaced as a whole, and comes back as it was sent', async () => {
    const id = await newApp()
    const before = await read(id)
    expect([before.status, before.body, before.headers.get('etag')]).toEqual([200, EMPTY, '"0"'])
    const saved = await put(id, FULL)
    expect([saved.status, saved.body, saved.headers.get('etag')]).toEqual([200, FULL, '"1"'])
    expect((await read(id)).body).toEqual(FULL)
    expect((await put(id, { tagline: 'Only this' })).body).toEqual({
      ...EMPTY,
      tagline: 'Only this',
    })
    expect((await read(id)).headers.get('etag')).toBe('"2"')
  })

  test('needs no new version, and its tagline is a member of the record at once', async () => {
    const id = await newApp()
    const { headers, body } = await developer.read(id)
    await put(id, FULL)
    const after = await developer.read(id)
    expect(after.headers.get('etag')).toBe(headers.get('etag'))
    expect([after.body.version, after.body.tagline]).toEqual([body.version, FULL.tagline])
    expect((await call(market, 'GET', `/v1/Apps/${id}`)).body.tagline).toBe(FULL.tagline)
  })

  test('is guarded by If-Match', async () => {
    const id = await newApp()
    expect((await put(id, FULL, { 'if-match': '"0"' })).status).toBe(200)
    const changed = { ...FULL, tagline: 'Another' }
    for (const etag of ['"0"', '"7"', '"x"', 'W/"1"']) {
      expectProblem(await put(id, changed, { 'if-match': etag }), 'precondition_failed')
    }
    expect((await put(id, changed, { 'if-match': '"1"' })).status).toBe(200)
    expect((await put(id, FULL, { 'if-match': '*' })).status).toBe(200)
  })

  test('when two replace the same state at once, one has to read again', async () => {
    const id = await newApp()
    const answers = await Promise.all(
      ['a', 'b'].map((tagline) => put(id, { tagline }, { 'if-match': '"0"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('sent once more changes nothing; a change is in the audit trail', async () => {
    const id = await newApp()
    await put(id, FULL)
    await put(id, FULL)
    const entries = await market.deps.db.auditEvent.findMany({
      where: { subjectId: id, action: 'app.listing_changed' },
    })
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [
        expect.objectContaining({ tagline: '' }),
        {
          tagline: FULL.tagline,
          longDescriptionLength: FULL.longDescription.length,
          contacts: FULL.contacts,
          disclosure: FULL.disclosure,
        },
      ],
    ])
    expect((await read(id)).headers.get('etag')).toBe('"1"')
  })

  test.each<[string, object, string]>([
    ['no tagline', { tagline: undefined }, '/tagline'],
    ['an empty tagline', { tagline: '' }, '/tagline'],
    ['a blank tagline', { tagline: ' \u200b' }, '/tagline'],
    ['a tagline of 81 characters', { tagline: 'x'.repeat(81) }, '/tagline'],
    ['a tagline of two lines', { tagline: 'a\nb' }, '/tagline'],
    [
      'a long description of 20,001 bytes',
      { longDescription: 'x'.repeat(20_001) },
      '/longDescription',
    ],
    ['one of fewer characters', { longDescription: 'ä'.repeat(10_001) }, '/longDescription'],
    ['control characters', { longDescription: 'a\u0007' }, '/longDescription'],
    ['a category that there is not', { categories: ['pricing'] }, '/categories/0'],
    ['four categories', { categories: ['a', 'b', 'c', 'd'] }, '/categories'],
    ['an address without a domain', { contacts: { billing: 'x' } }, '/contacts/billing'],
    ['an unknown contact', { contacts: { sales: 'a@b.example' } }, '/contacts/sales'],
    ['negative days', { disclosure: { retentionDays: -1 } }, '/disclosure/retentionDays'],
    ['half a day', { disclosure: { retentionDays: 0.5 } }, '/disclosure/retentionDays'],
    ['an empty country', { disclosure: { dataLeavesTo: [''] } }, '/disclosure/dataLeavesTo/0'],
    [
      'too many subprocessors',
      { disclosure: { subprocessors: Array(21).fill('x') } },
      '/disclosure/subprocessors',
    ],
    ['an unknown member', { icon: null }, '/icon'],
  ])('with %s is refused', async (_, change, pointer) => {
    const id = await newApp()
    const answer = await put(id, { ...FULL, ...change })
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual([pointer])
    expect((await read(id)).body).toEqual(EMPTY)
  })

  test.each([null, [], 'x', 1, { tagline: 1 }, { tagline: 'x', contacts: [] }])(
    'as %j is malformed',
    async (body) => {
      expectProblem(await put(await newApp(), body), 'invalid_request')
    },
  )

  test('of another developer is 404', async () => {
    const id = await newApp()
    expectProblem(await other.send('GET', `/${id}/Listing`), 'not_found')
    expectProblem(await other.send('PUT', `/${id}/Listing`, FULL), 'not_found')
    expectProblem(await read('none-such'), 'not_found')
  })
})

test('people read the listing on the page of the app, with its Markdown and without HTML', async () => {
  const id = await newApp()
  await put(id, {
    ...FULL,
    longDescription: `${FULL.longDescription}\n\n<script>alert(1)</script>\n\n![x](https://evil.example/x.png)`,
  })
  const { text } = await webClient(market).get(`/Apps/${id}`)
  expect(text).toContain('<bdi>Prices in step</bdi>')
  expect(text).toMatch(/<h3[^>]*>What it does<\/h3>/)
  expect(text).toContain('<strong>Reads</strong>')
  expect(text).toContain('href="https://help.example" rel="nofollow ugc noopener"')
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('<img src="https://evil')
  for (const shown of ['Germany', 'Example Hosting GmbH', '30 days after you uninstall the app']) {
    expect(text).toContain(shown)
  }
  // The contacts are for the operator.
  expect(text).not.toContain('tech@one.example')
  expect((await webClient(market).get(`/Apps?q=${id}`)).text).toContain('Prices in step')
})
