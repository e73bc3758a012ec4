import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, newId } from '../../setup/apps.ts'
import {
  acceptAll,
  type Customer,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { operatorBrowser } from '../../setup/operator.ts'
import { signedIn, signedInDeveloper, type WebClient } from '../../setup/web-client.ts'

const TERMS = '# Rules\n\nBe **kind**. See [our site](https://a.example).'
const RISK = { id: 'risk', title: 'A risk <1>', text: 'Prices change.', order: 1 }
const PDF = '%PDF-1.7\n%%EOF'

let market: SharedMarketplace
let developer: Author
let customer: Customer
let browser: WebClient
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

async function askingApp(terms: string | undefined = TERMS, type = 'text/markdown') {
  const app = await listedApp(developer, draft(newId(), { acknowledgements: [RISK] }))
  const { status, text } = await developer.putTerms(app.id, terms, type)
  if (status !== 200) throw new Error(text)
  return app
}

async function installed(appId: string): Promise<string> {
  const consent = await acceptAll(market, appId)
  const wish = { appId, purchaseOptionId: 'free', ...consent }
  const { body, status, text } = await customer.install(wish)
  if (status !== 201) throw new Error(text)
  return body.id
}

const LAID_OUT = /<h3 dir="auto">Rules<\/h3>\n<p dir="auto">Be <strong>kind<\/strong>\./
const BOX =
  /<div class="text-box terms" tabindex="0" role="region" aria-label="Terms and conditions">/

describe('terms that are text are read in the page', () => {
  test('of an install', async () => {
    const { id } = await askingApp()
    const { text } = await browser.get(`/Apps/${id}/Install`)
    expect(text).toMatch(BOX)
    expect(text).toMatch(LAID_OUT)
    expect(text).toContain('<a href="https://a.example" rel="nofollow ugc noopener">our site</a>')
    expect(text).toContain(`href="/Apps/${id}/Terms"`)
    // The box is no part of what describes the checkbox: a screen reader would read all of it.
    expect(text).not.toMatch(/id="terms-text"[^<]*<div class="text-box/)
  })

  test('of an upgrade, and of the installed app afterwards', async () => {
    const app = await askingApp('First terms.', 'text/plain')
    const id = await installed(app.id)
    expect((await browser.get(`/Installed/${id}`)).text).toContain('First terms.')
    await developer.putTerms(app.id, TERMS, 'text/markdown', '?version=2')
    const { text } = await browser.get(`/Installed/${id}/Upgrade`)
    expect(text).toMatch(BOX)
    expect(text).toMatch(LAID_OUT)
    const consent = await acceptAll(market, app.id)
    expect((await customer.upgrade(id, { version: '2', ...consent })).status).toBe(200)
    expect((await browser.get(`/Installed/${id}`)).text).toMatch(LAID_OUT)
  })

  test('of a request that waits for an admin', async () => {
    const { id } = await askingApp()
    const member = await newMember(market, customer.party.id)
    const row = await market.deps.db.installRequest.create({
      data: {
        ...{ partyId: customer.party.id, userId: member.id, appId: id, version: '1.0.0' },
        ...{ purchaseOptionId: 'free', userSettings: {}, passwordKeys: [] },
        consent: { acknowledgements: [], termsDocument: null },
      },
    })
    const { text } = await browser.get(`/Account/Requests/${row.id}`)
    expect(text).toMatch(LAID_OUT)
    await market.deps.db.installRequest.delete({ where: { id: row.id } })
  })

  test('as they were typed, when they are plain text', async () => {
    const { id } = await askingApp('# No heading\n\n<b>x</b>', 'text/plain')
    const { text } = await browser.get(`/Apps/${id}/Install`)
    expect(text).toContain('<p dir="auto"># No heading</p>')
    expect(text).toContain('&lt;b&gt;x&lt;/b&gt;')
  })

  test('while a PDF, and a text of more than 128 KiB, are downloads only', async () => {
    for (const [terms, type] of [
      [PDF, 'application/pdf'],
      ['long '.repeat(30_000), 'text/plain'],
    ] as const) {
      const { id } = await askingApp(terms, type)
      const { status, text } = await browser.get(`/Apps/${id}/Install`)
      expect(status).toBe(200)
      expect(text).not.toMatch(BOX)
      expect(text).toContain(`href="/Apps/${id}/Terms"`)
    }
  })

  test.each([
    ['10,000 words without a space', 'word'.repeat(10_000)],
    ['a thousand quotes in each other', `${'>'.repeat(1000)} inner`],
    ['500 links', '[a](https://a.example) '.repeat(500)],
    ['markup', '<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![i](https://a.example/x)'],
  ])('however hostile: %s', async (_, terms) => {
    const { id } = await askingApp(terms)
    const { status, text } = await browser.get(`/Apps/${id}/Install`)
    expect(status).toBe(200)
    const [, box = ''] = text.split('<div class="text-box terms"')
    expect(box).not.toMatch(/<script|<img|href="javascript/)
    expect([...box.matchAll(/ugc noopener/g)].length).toBeLessThanOrEqual(50)
  })
})

describe('a PDF beside the terms', () => {
  test('is a download where the terms are', async () => {
    const { id } = await askingApp()
    expect((await developer.putTermsPdf(id, PDF)).status).toBe(200)
    const installation = await installed(id)
    for (const [page, link] of [
      [`/Apps/${id}/Install`, `/Apps/${id}/Terms/Pdf`],
      [`/Installed/${installation}`, `/Installed/${installation}/Terms/Pdf`],
    ] as const) {
      if (page !== `/Apps/${id}/Install`) expect((await browser.get(page)).text).toContain(link)
      const file = await browser.get(link)
      expect(file.headers.get('content-type')).toBe('application/pdf')
      expect(file.text).toBe(PDF)
    }
    const own = await signedInDeveloper(market)
    const path = `/Developer/Apps/${id}/Terms/Document/Pdf`
    expect((await own.get(`/Developer/Apps/${id}`)).text).toContain(`href="${path}"`)
    expect((await own.get(path)).text).toBe(PDF)
  })
})

describe('the page of what was accepted', () => {
  test('has each text as a whole, who accepted it and when, to be printed', async () => {
    const id = await installed((await askingApp()).id)
    const path = `/Installed/${id}/Acceptances`
    expect((await browser.get(`/Installed/${id}`)).text).toContain(`href="${path}"`)
    const { status, text } = await browser.get(path)
    expect(status).toBe(200)
    expect(text).toMatch(/<h2 id="accepted-1">A risk &lt;1&gt;<\/h2>/)
    expect(text).toContain('Prices change.')
    expect(text).toMatch(LAID_OUT)
    expect(text).toContain('<h2 id="accepted-3">Permission: Read products</h2>')
    expect(text).toContain('Reads your products.')
    expect(text).toContain('<dt>By</dt><dd><bdi>Casey Customer</bdi></dd>')
    expect(text).toContain('<dt>Version</dt><dd><bdi>1.0.0</bdi></dd>')
    expect(text).toContain('data-print')
    const [, file = ''] = /href="([^"]+\/TermsDocument)"/.exec(text) ?? []
    expect((await browser.get(file)).text).toBe(TERMS)
  })

  test('is there for an app that was uninstalled, and for nobody else', async () => {
    const id = await installed((await askingApp()).id)
    await customer.uninstall(id)
    const path = `/Installed/${id}/Acceptances`
    expect((await browser.get(`/Installed/${id}`)).text).toContain(`href="${path}"`)
    expect((await browser.get(path)).text).toMatch(LAID_OUT)
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    expect((await stranger.get(path)).status).toBe(404)
  })

  test('is there for the developer, without the people of the account, and for operators', async () => {
    const id = await installed((await askingApp()).id)
    const own = await signedInDeveloper(market)
    const path = `/Developer/Installations/${id}/Acceptances`
    expect((await own.get(`/Developer/Installations/${id}`)).text).toContain(`href="${path}"`)
    const { text } = await own.get(path)
    expect(text).toMatch(LAID_OUT)
    expect(text).toContain('A user of the account')
    expect(text).not.toContain('Casey Customer')
    const operator = await operatorBrowser(market)
    const page = `/Operator/Installations/${id}`
    expect((await operator.get(page)).text).toContain(`href="${page}/Acceptances"`)
    expect((await operator.get(`${page}/Acceptances`)).text).toContain('Casey Customer')
  })

  test('says so when the words were not kept', async () => {
    const id = await installed((await askingApp()).id)
    const { db } = market.deps
    await db.acceptance.create({
      data: {
        ...{ installationId: id, kind: 'acknowledgement', subjectId: 'old', version: '0.9' },
        ...{ sha256: '0'.repeat(64), actorKind: 'user', actorId: customer.user.id },
      },
    })
    const { text } = await browser.get(`/Installed/${id}/Acceptances`)
    expect(text).toContain('The words were not kept')
    const { body } = await customer.send('GET', `/${id}/Acceptances`)
    expect(body.at(-1)).toMatchObject({ id: 'old', title: null, text: null })
  })
})
