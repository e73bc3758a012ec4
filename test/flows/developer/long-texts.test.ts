import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, largeParts, newId } from '../../setup/apps.ts'
import { hiddenFields, mainOf, signedInDeveloper, type WebClient } from '../../setup/web-client.ts'

/** What a page may have beside a text that it does not show. */
const PAGE_MAX_LENGTH = 65_536
const LONG = `&<"'`.repeat(20_000)

let market: TestMarketplace
let mine: Author
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  mine = await author(market)
  browser = await signedInDeveloper(market)
})
afterAll(() => market?.close())

describe('a terms document that is too long for a field', () => {
  let id: string
  let path: string

  beforeAll(async () => {
    id = newId()
    path = `/Developer/Apps/${id}/Terms`
    await mine.create(draft(id))
    expect((await mine.putTerms(id, LONG)).status).toBe(200)
  })

  test('is not shown in the page, which links to it', async () => {
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    expect(page.text.length).toBeLessThan(PAGE_MAX_LENGTH)
    expect(mainOf(page)).toContain('too long to show here')
    expect(mainOf(page)).toContain(`href="${path}/Document"`)
    expect((await browser.get(`${path}/Document`)).text).toBe(LONG)
  })

  test('stays when the form is sent without another text', async () => {
    const form = hiddenFields((await browser.get(path)).text)
    const refused = await browser.post(path, { ...form, mediaType: 'text/plain', document: '' })
    expect(refused.status).toBe(422)
    expect((await browser.get(`${path}/Document`)).text).toBe(LONG)
  })

  test('goes along when it was typed and the form is sent again', async () => {
    const form = hiddenFields((await browser.get(path)).text)
    const typed = `${LONG}!`
    const fields = { mediaType: 'text/plain', version: ' \u0007' }
    const refused = await browser.post(path, { ...form, ...fields, document: typed })
    expect(refused.status).toBe(422)
    expect(refused.text.length).toBeLessThan(PAGE_MAX_LENGTH)
    expect(mainOf(refused)).toContain('is kept')
    const again = { ...hiddenFields(refused.text), mediaType: 'text/plain', document: '' }
    expect((await browser.submit(path, again)).status).toBe(303)
    expect((await browser.get(`${path}/Document`)).text).toBe(typed)
  })
})

describe('a definition that is too long for the editor', () => {
  let id: string
  let path: string

  beforeAll(async () => {
    id = newId()
    path = `/Developer/Apps/${id}/Definition`
    expect((await mine.create(draft(id, largeParts()))).status).toBe(201)
  })

  test('is downloaded, and not shown in the page', async () => {
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    expect(page.text.length).toBeLessThan(2 * PAGE_MAX_LENGTH)
    expect(mainOf(page)).toContain('too long to show here')
    const file = await browser.get(`${path}/File`)
    expect(file.headers.get('content-disposition')).toContain(`${id}.json`)
    expect((await mine.dryRun(JSON.parse(file.text))).body).toMatchObject({ changes: [] })
  })

  test('is changed part by part, and saved', async () => {
    const form = hiddenFields((await browser.get(path)).text)
    const place = 'settings/one/key7'
    const opened = await browser.post(path, { ...form, definition: '', do: `edit:/${place}` })
    expect(mainOf(opened)).toContain('Edit setting')
    const fields = { 'p.type': 'text', 'p.name': 'Renamed', 'p.description': 'Short.' }
    const written = await browser.post(path, {
      ...{ ...hiddenFields(opened.text), ...fields, 'p.key': 'key7' },
      ...{ definition: '', do: 'apply' },
    })
    expect(mainOf(written)).toContain('has your change')
    const saved = await browser.submit(path, {
      ...{ ...hiddenFields(written.text), definition: '', do: 'save' },
    })
    expect(saved.status).toBe(303)
    const { body } = await mine.read(id)
    expect(body.settings.one.key7).toMatchObject({ name: 'Renamed', description: 'Short.' })
    expect(body.settings.one.key8).toMatchObject({ name: 'Long' })
  })

  test('goes along when it was pasted and is checked', async () => {
    const form = hiddenFields((await browser.get(path)).text)
    const { text } = await browser.get(`${path}/File`)
    const definition = text.replace('Does something useful.', 'Does something else.')
    const checked = await browser.post(path, { ...form, definition, do: 'check' })
    expect(mainOf(checked)).toContain('No new version is needed')
    const fields = { ...hiddenFields(checked.text), definition: '', do: 'save' }
    expect((await browser.submit(path, fields)).status).toBe(303)
    expect((await mine.read(id)).body.description).toBe('Does something else.')
  })
})
