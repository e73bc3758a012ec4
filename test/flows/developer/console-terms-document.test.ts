import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  documentationLinks,
  type OperationPaths,
} from '../../../src/web/docs/openapi-document-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, installedBy } from '../../setup/apps.ts'
import { type DeveloperConsole, developerConsole, textareaOf } from '../../setup/console.ts'
import { fullDraft, listedApp } from '../../setup/customer.ts'
import { demoUser, hiddenFields } from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let browser: DeveloperConsole
let definition: ReturnType<typeof fullDraft>

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  browser = await developerConsole(market)
})
afterAll(() => market.close())
beforeEach(async () => {
  definition = await listedApp(developer, fullDraft())
})

const path = (action = '') => `/Apps/${definition.id}${action}`
const stored = () => market.deps.db.app.findUniqueOrThrow({ where: { id: definition.id } })

describe('the terms document', () => {
  const terms = () => developer.read(definition.id).then(({ body }) => body.termsDocument)

  test('is typed, shown, downloaded and taken away', async () => {
    const document = '# Terms\r\n\r\n<b>bold</b>'
    const saved = await browser.send(path('/Terms'), { document, mediaType: 'text/markdown' })
    expect(saved.location).toBe(`/Developer/Apps/${definition.id}`)
    expect(await terms()).toMatchObject({ mediaType: 'text/markdown', size: 20 })
    expect(textareaOf(await browser.get(path('/Terms')), 'document')).toBe('# Terms\n\n<b>bold</b>')
    const file = await browser.get(path('/Terms/Document'))
    expect(file.text).toBe('# Terms\n\n<b>bold</b>')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(file.headers.get('cache-control')).toBe('private, no-store')
    for (let count = 0; count < 2; count++) {
      expect((await browser.send(path('/Terms'), { do: 'remove' })).status).toBe(303)
      expect(await terms()).toBeNull()
    }
  })

  test('can be long: the page leads to the call that takes it, in the reference', async () => {
    const openapi = (await (await fetch(`${market.url}/openapi.json`)).json()) as OperationPaths
    const reference = documentationLinks(openapi)('PUT /v1/Developer/Apps/{id}/TermsDocument')
    expect(reference).toMatch(/^\/docs\/api#/)
    expect((await browser.get(path('/Terms'))).text).toContain(`<a href="${reference}">API</a>`)
  })

  test('of a version that is installed needs a new version; what was typed is kept', async () => {
    await installedBy(market, definition.id, demoUser(market, 'Seller').partyId)
    const form = { document: 'My terms', mediaType: 'text/plain' }
    const answer = await browser.send(path('/Terms'), form)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('id="version-error"')
    expect(textareaOf(answer, 'document')).toBe('My terms')
    expect(await terms()).toBeNull()
    expect((await browser.send(path('/Terms'), { ...form, version: '1.0.0-terms' })).status).toBe(
      303,
    )
    expect((await stored()).version).toBe('1.0.0-terms')
  })

  test('is not replaced nor removed when another one has come meanwhile; what was typed is kept', async () => {
    const shown = hiddenFields((await browser.get(path('/Terms'))).text)
    await developer.putTerms(definition.id, 'A colleague’s')
    const { sha256 } = await terms()
    const stale = { ...shown, document: 'Mine', mediaType: 'text/plain' }
    const send = (form: Record<string, string>) =>
      browser.client.post(`/Developer${path('/Terms')}`, form)
    expect((await send({ ...stale, do: 'remove' })).status).toBe(412)
    const refused = await send(stale)
    expect(refused.status).toBe(412)
    expect(textareaOf(refused, 'document')).toBe('Mine')
    expect((await terms()).sha256).toBe(sha256)
    expect((await send({ ...stale, ...hiddenFields(refused.text) })).status).toBe(303)
    expect((await terms()).mediaType).toBe('text/plain')
  })

  test('stays the same document, byte by byte, when it is saved unchanged', async () => {
    const document = '\ufeffOne\r\ntwo\r\n'
    await developer.putTerms(definition.id, document, 'text/plain')
    const before = await terms()
    await browser.send(path('/Terms'), { document, mediaType: 'text/plain' })
    expect(await terms()).toEqual(before)
  })

  test.each([
    [{ document: ' ' }, 'document-error'],
    [{ document: 'x', version: 'a\u0007' }, 'version-error'],
    [{ document: 'x', version: '1'.repeat(65) }, 'version-error'],
  ])('is refused for %j', async (form, id) => {
    const answer = await browser.send(path('/Terms'), form)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(`id="${id}"`)
    expect(await terms()).toBeNull()
  })
})
