import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  documentationLinks,
  type OperationPaths,
} from '../../../src/web/docs/openapi-document-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, draft, everything, installedBy, newId } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper, textareaOf } from '../../setup/console.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { hiddenFields } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
let definition: ReturnType<typeof fullDraft>

beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
})
beforeEach(async () => {
  definition = await listedApp(developer, fullDraft())
})

const path = (action = '') => `/Apps/${definition.id}${action}`
const stored = () => market.deps.db.app.findUniqueOrThrow({ where: { id: definition.id } })
const install = async () => installedBy(market, definition.id, (await newCustomer(market)).party.id)
const edit = (changed: unknown, how: 'check' | 'save') =>
  browser.send(path('/Definition'), { definition: JSON.stringify(changed), do: how })

describe('the list of apps', () => {
  test('shows name, version, listing and number of installations, and no app of others', async () => {
    await install()
    const { text } = await browser.get('')
    const row =
      new RegExp(`href="/Developer/Apps/${definition.id}"[^]*?</li>`).exec(text)?.[0] ?? ''
    for (const shown of [definition.name, '1.0.0', '1 installation', 'Listed']) {
      expect(row).toContain(shown)
    }
    expect(text).not.toContain('catalog-sync')
  })
})

describe('the editor', () => {
  test('holds the definition as the API takes it: sent back, it changes nothing', async () => {
    const before = await everything(market)
    const text = textareaOf(await browser.get(path('/Definition')), 'definition')
    const { sessions: _sessions, kept_forms: _forms, ...rows } = before
    expect(
      (await browser.send(path('/Definition'), { definition: text, do: 'check' })).text,
    ).toContain('It is the same as the published definition.')
    await browser.send(path('/Definition'), { definition: text, do: 'save' })
    expect(await everything(market)).toMatchObject(rows)
  })

  test('tells what is wrong by JSON pointer, keeps what was typed and stores nothing', async () => {
    const { revision } = await stored()
    const { name: _name, ...rest } = definition
    const changed = { ...rest, partyTypes: ['None'], nam: '<b>"' }
    for (const how of ['check', 'save'] as const) {
      const answer = await edit(changed, how)
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('There are 3 problems')
      for (const pointer of [
        '/name is required',
        '/partyTypes/0',
        'Line 1: unknown field &quot;nam&quot;; did you mean &quot;name&quot;?',
      ]) {
        expect(answer.text).toContain(pointer)
      }
      expect(JSON.parse(textareaOf(answer, 'definition'))).toEqual(changed)
    }
    expect((await stored()).revision).toBe(revision)
  })

  test.each(['', '{', '[]', 'null', '{"id": "a", "__proto__": 1}', '"\\ud800"', '1e999'])(
    'takes %j for no definition',
    async (text) => {
      const answer = await browser.send(path('/Definition'), { definition: text, do: 'save' })
      expect(answer.status).toBe(422)
      expect(answer.text).toMatch(/There (is a|are \d+) problem/)
      expect(textareaOf(answer, 'definition')).toBe(text)
    },
  )

  test('takes no document that is nested without end', async () => {
    const text = '['.repeat(50_000) + ']'.repeat(50_000)
    const answer = await browser.send(path('/Definition'), { definition: text, do: 'check' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('nested more than 32 deep')
  })

  test('takes no document of more values than any definition has', async () => {
    const text = `[${'1,'.repeat(100_001)}1]`
    const answer = await browser.send(path('/Definition'), { definition: text, do: 'check' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('This has more than 100,000 values and names.')
  })

  test('says where text is no JSON', async () => {
    const answer = await browser.send(path('/Definition'), { definition: '{\n "id": 1 x }' })
    expect(answer.text).toMatch(/This is not JSON\. .*line 2 column 10/)
  })

  test('checks without changing, and says whether a new version is needed', async () => {
    const { revision } = await stored()
    const harmless = await edit({ ...definition, description: 'Other words.' }, 'check')
    expect(harmless.text).toContain('No new version is needed.')
    const breaking = { ...definition, permissions: definition.permissions.slice(0, 1) }
    const needed = await edit(breaking, 'check')
    expect(needed.text).toContain('A new version is needed.')
    expect(needed.text).toContain('Permission removed')
    const published = await edit({ ...breaking, version: '2.0.0' }, 'check')
    expect(published.text).toMatch(/Version <bdi>2\.0\.0<\/bdi> would be published/)
    expect((await stored()).revision).toBe(revision)
  })

  test('refuses a breaking change of the same version and marks what breaks', async () => {
    const answer = await edit(
      { ...definition, purchaseOptions: definition.purchaseOptions.slice(0, 1), settings: {} },
      'save',
    )
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Changes that need a new version')
    expect(answer.text).toMatch(/Breaking<\/span> Purchase option removed/)
    expect((await stored()).version).toBe('1.0.0')
  })

  test('publishes a new version', async () => {
    const answer = await edit({ ...definition, version: '2.0.0', permissions: [] }, 'check')
    expect(answer.status).toBe(422)
    const permissions = definition.permissions.slice(0, 1)
    const saved = await edit({ ...definition, version: '2.0.0', permissions }, 'save')
    expect(saved.location).toBe(`/Developer/Apps/${definition.id}`)
    expect((await stored()).version).toBe('2.0.0')
  })

  test('does not overwrite a change that came meanwhile, unless it is sent again', async () => {
    const page = await browser.get(path('/Definition'))
    const revision = /name="revision" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    await developer.put({ ...definition, description: 'First.' })
    const mine = { definition: JSON.stringify({ ...definition, description: 'Mine.' }), do: 'save' }
    const answer = await browser.send(path('/Definition'), { ...mine, revision })
    expect(answer.status).toBe(412)
    expect(textareaOf(answer, 'definition')).toContain('Mine.')
    expect((await stored()).description).toBe('First.')
    expect((await browser.send(path('/Definition'), mine)).status).toBe(303)
    expect((await stored()).description).toBe('Mine.')
  })

  test.each(['check', 'preview', 'edit:/purchaseOptions/0'])(
    'does not overwrite a change that came before a %s: the page stays that of its revision',
    async (button) => {
      const revisionIn = ({ text }: { text: string }) =>
        /name="revision" value="(\d+)"/.exec(text)?.[1] ?? ''
      const revision = revisionIn(await browser.get(path('/Definition')))
      await developer.put({ ...definition, description: 'First.' })
      const mine = { definition: JSON.stringify({ ...definition, description: 'Mine.' }) }
      const shown = await browser.send(path('/Definition'), { ...mine, do: button, revision })
      const conflict = shown.status === 412
      expect(revisionIn(shown) === revision).toBe(!conflict)
      const save = { ...mine, do: 'save', revision: conflict ? revision : revisionIn(shown) }
      expect((await browser.send(path('/Definition'), save)).status).toBe(412)
      expect((await stored()).description).toBe('First.')
    },
  )

  test('never gives an app another id', async () => {
    const answer = await edit({ ...definition, id: 'price-sync' }, 'save')
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Line 1: /id must be')
  })

  test('creates an app once, however often the form is sent', async () => {
    const wanted = draft(newId())
    const form = { definition: JSON.stringify(wanted), do: 'save' }
    expect((await browser.send('/Apps/New', { ...form, do: 'check' })).text).toContain(
      'You can create the app',
    )
    expect(await market.deps.db.app.count({ where: { id: wanted.id } })).toBe(0)
    const answers = [await browser.send('/Apps/New', form), await browser.send('/Apps/New', form)]
    expect(answers.map(({ status }) => status)).toEqual([303, 409])
    expect(answers[1]?.text).toContain('/id')
    expect(await market.deps.db.app.count({ where: { id: wanted.id } })).toBe(1)
  })

  test('begins with a definition that can be created as it is', async () => {
    const definition = textareaOf(await browser.get('/Apps/New'), 'definition')
    const answer = await browser.send('/Apps/New', { definition, do: 'save' })
    expect(answer.location).toBe('/Developer/Apps/my-app')
  })
})

describe('an app', () => {
  test('is listed and unlisted, twice as once', async () => {
    for (const [action, listed] of [
      ['Unlist', false],
      ['List', true],
    ] as const) {
      for (let count = 0; count < 2; count++) {
        expect((await browser.send(path(`/${action}`))).status).toBe(303)
        expect((await stored()).listed).toBe(listed)
      }
    }
  })

  test('has another title in the console than its listing', async () => {
    const titleOf = ({ text }: { text: string }) => /<title>(.*?)<\/title>/.exec(text)?.[1]
    const { name, id } = definition
    expect(titleOf(await browser.get(path()))).toBe(`${name} · Developer · App Marketplace`)
    expect(titleOf(await browser.client.get(`/Apps/${id}`))).toBe(`${name} · App Marketplace`)
  })

  test('is unlisted on a page of its own: a second click where the first was lists nothing again', async () => {
    const { text } = await browser.get(path())
    expect(text).toContain(`href="/Developer${path('/Unlist')}">Unlist…</a>`)
    expect(text).not.toMatch(/action="[^"]*\/(Unl|L)ist"/)
    const question = await browser.get(path('/Unlist'))
    expect(question.text).toContain(
      `<title>Unlist ${definition.name} · Developer · App Marketplace</title>`,
    )
    expect(question.text).toContain(`action="/Developer${path('/Unlist')}"`)
    expect((await stored()).listed).toBe(true)
  })

  test('that is incomplete is not listed, and the page names all that it lacks', async () => {
    const bare = draft(newId(), { description: '', permissions: [] })
    await developer.create(bare)
    const answer = await browser.send(`/Apps/${bare.id}/List`)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('There are 2 problems')
    for (const [member, problem] of [
      ['description', 'A listed app must say what it does.'],
      ['permissions', 'A listed app must ask for at least one permission.'],
    ]) {
      expect(answer.text).toContain(`<a href="#lacks-${member}"><bdi>${problem}</bdi></a>`)
      expect(answer.text).toMatch(new RegExp(`id="lacks-${member}"[^]*?Missing[^]*?${problem}`))
    }
  })

  test('is listed on a page of its own, which asks only when nothing is missing', async () => {
    const own = draft(newId(), { supportUrl: 'https://my-app.example/help' })
    await developer.create(own)
    const page = await browser.get(`/Apps/${own.id}`)
    expect(page.text).toContain(`href="/Developer/Apps/${own.id}/List">List…</a>`)
    expect(page.text).not.toMatch(/action="[^"]*\/List"/)
    const incomplete = await browser.get(`/Apps/${own.id}/List`)
    expect(incomplete.text).toMatch(/id="lacks-supportUrl".*?Missing/s)
    expect(incomplete.text).toMatch(/id="lacks-websiteUrl".*?None/s)
    expect(incomplete.text).not.toContain('type="submit">List</button>')
    await developer.put({ ...own, supportUrl: 'https://help.shelf.example' })
    const complete = await browser.get(`/Apps/${own.id}/List`)
    expect(complete.text).not.toContain('Missing')
    expect(complete.text).toContain('Everybody can find the app in the directory')
    expect(complete.text).toContain('type="submit">List</button>')
    const row = () => market.deps.db.app.findUniqueOrThrow({ where: { id: own.id } })
    expect((await row()).listed).toBe(false)
    await browser.send(`/Apps/${own.id}/List`)
    expect((await row()).listed).toBe(true)
    expect((await browser.get(`/Apps/${own.id}/List`)).location).toBe(`/Developer/Apps/${own.id}`)
  })

  test('shows the difference between any two versions', async () => {
    await developer.put({ ...definition, version: '2.0.0', description: 'Two.' })
    await developer.put({
      ...definition,
      version: '3.0.0',
      permissions: definition.permissions.slice(0, 1),
    })
    const { text } = await browser.get(path('/Versions?from=1.0.0&to=3.0.0'))
    expect(text).toMatch(/From <bdi>1\.0\.0<\/bdi> to <bdi>3\.0\.0<\/bdi>/)
    expect(text).toMatch(/Breaking<\/span> Permission removed/)
    expect((await browser.get(path('/Versions?from=1.0.0&to=9'))).status).toBe(404)
    expect((await browser.get(path('/Versions?cursor=x'))).status).toBe(400)
  })

  test('is deleted after a last word, but not while it is installed', async () => {
    const id = await install()
    const refused = await browser.send(path('/Delete'))
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('1 live installation')
    await browser.send(`/Installations/${id}/Uninstall`)
    expect((await browser.send(path('/Delete'))).location).toBe('/Developer')
    expect((await stored()).deletedAt).not.toBeNull()
    expect((await browser.send(path('/Delete'))).status).toBe(404)
  })

  test('that was deleted meanwhile keeps its definition, as the text of a new app', async () => {
    expect((await browser.send(path('/Delete'))).location).toBe('/Developer')
    const answer = await edit({ ...definition, description: 'Typed for an hour.' }, 'save')
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('<h1>New app</h1>')])
    expect(answer.text).toContain(`The app ${definition.id} was deleted`)
    expect(textareaOf(answer, 'definition')).toContain('Typed for an hour.')
    const other = { definition: JSON.stringify({ ...definition, id: newId() }), do: 'save' }
    expect((await browser.send('/Apps/New', other)).status).toBe(303)
  })
})

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
      expect((await browser.send(path('/Terms/Remove'))).status).toBe(303)
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
    await install()
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
    const send = (form: Record<string, string>, to = '/Terms') =>
      browser.client.post(`/Developer${path(to)}`, form)
    expect((await send(stale, '/Terms/Remove')).status).toBe(412)
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
