import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import {
  acceptAll,
  type Customer,
  developerCalls,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { filledForm, installOverForm, RISK, reviewedForm } from '../../setup/install-form.ts'
import { cookieLine, hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let definition: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  definition = await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))
})
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const formPath = () => `/Apps/${definition.id}/Install`
const rowsOf = () =>
  market.deps.db.installation.findMany({
    where: { partyId: customer.party.id },
    include: { settings: true, acceptances: { where: { kind: 'acknowledgement' } } },
  })

const filled = (option?: string) => filledForm(browser, definition.id, option)
const reviewed = (option?: string) => reviewedForm(browser, definition.id, option)
const install = () => installOverForm(browser, definition.id)

describe('the install form', () => {
  test('installs with the values that were typed, each as its setting has it', async () => {
    const answer = await browser.post(formPath(), await reviewed())
    expect(answer.status).toBe(303)
    const [row, ...more] = await rowsOf()
    expect(more).toEqual([])
    expect(answer.location).toBe(`/Installed/${row?.id}`)
    const values = Object.fromEntries(row?.settings.map(({ key, value }) => [key, value]) ?? [])
    expect(values).toMatchObject({ text: 'jane', choice: 5, amount: 0.3, flag: 'false' })
    expect(values.secret).toBeNull()
    expect(values).not.toHaveProperty('note')
    expect(row?.acceptances).toHaveLength(1)
  })

  test('tells all problems at once and keeps what was typed, but no password', async () => {
    const { 'accept.risk': _accepted, ...form } = await filled()
    const answer = await browser.post(formPath(), {
      ...form,
      's.text': '',
      's.note': 'a "note" <b>',
      's.choice': 'no such',
      's.amount': '1e',
      's.count': '11',
      's.secret': 'typed-secret-1',
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('There are 5 problems')
    for (const id of ['setting-text', 'setting-choice', 'setting-amount', 'setting-count']) {
      expect(answer.text).toContain(`<a href="#${id}">`)
      expect(answer.text).toContain(`id="${id}-error"`)
      expect(answer.text).toMatch(new RegExp(`id="${id}"[^>]*aria-describedby="[^"]*${id}-error"`))
    }
    expect(answer.text).toContain('<a href="#accept-risk">')
    expect(answer.text).toContain('\na &quot;note&quot; &lt;b&gt;</textarea>')
    expect(answer.text).toContain('value="1e"')
    expect(answer.text).toContain('A number from 0 to 1, in steps of 0.1.')
    expect(answer.text).not.toMatch(/type="number"|<input[^>]* (min|max|step|required)[=> ]/)
    expect(answer.text).not.toContain('typed-secret-1')
    expect(await rowsOf()).toEqual([])
  })

  test('shows every value before anything is installed, of passwords only that they are set', async () => {
    const form = { ...(await filled()), 's.flag': 'true', 's.note': 'two\r\nlines <b>' }
    const { status, text } = await browser.post(formPath(), form)
    expect(status).toBe(200)
    expect(await rowsOf()).toEqual([])
    const facts = [...text.matchAll(/<dt><bdi>(.*?)<\/bdi><\/dt><dd>(.*?)<\/dd>/gs)]
    expect(Object.fromEntries(facts.map(([, name, value]) => [name, value]))).toMatchObject({
      Text: '<bdi>jane</bdi>',
      Note: '<bdi>two\nlines &lt;b&gt;</bdi>',
      Choice: '<bdi>Zone 5</bdi>',
      Amount: '<bdi>0.3</bdi>',
      Count: '<span class="muted">Not set</span>',
      Flag: 'Yes',
      Secret: '<span aria-hidden="true">••••••</span> (saved)',
      Pin: '<span class="muted">None</span>',
    })
    expect(text).not.toContain('s3cret-one')
    expect(text).toMatch(
      /You have accepted<\/h3>\s*<ul class="bullets">\s*<li><bdi>A risk<\/bdi><\/li>/,
    )
    const back = await browser.post(formPath(), { ...hiddenFields(text), step: 'settings' })
    expect(back.status).toBe(200)
    expect(back.text).toContain('\njane</textarea>')
    expect(back.text).toContain('You typed a password. Leave blank to keep it.')
    expect(back.text).not.toContain('s3cret-one')
    const again = await browser.post(formPath(), {
      ...form,
      ...hiddenFields(back.text),
      's.secret': '',
    })
    expect((await browser.post(formPath(), hiddenFields(again.text))).status).toBe(303)
    const [row] = await rowsOf()
    const { body } = await developerCalls(market, developer.token).read(row?.id ?? '')
    expect(body.userSettings).toMatchObject({ secret: 's3cret-one', note: 'two\nlines <b>' })
  })

  test('has the passwords of its own page only', async () => {
    const form = await reviewed()
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    const theirs = await reviewedForm(stranger, definition.id)
    const fresh = await filled()
    const [token] = form._csrf?.split('~') ?? []
    const [, foreign] = theirs._csrf?.split('~') ?? []
    const made = Buffer.alloc(60, 1).toString('base64url')
    for (const _csrf of [fresh._csrf, token, `${token}~${foreign}`, `${token}~${made}`]) {
      const answer = await browser.post(formPath(), { ...form, _csrf: _csrf ?? '' })
      expect([403, 422]).toContain(answer.status)
    }
    expect(await rowsOf()).toEqual([])
    expect((await browser.post(formPath(), form)).status).toBe(303)
  })

  test('sent twice, one after the other or at once, makes one installation', async () => {
    const form = await reviewed()
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(formPath(), form)))
    answers.push(await browser.post(formPath(), form))
    const [row, ...more] = await rowsOf()
    expect(more).toEqual([])
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      expect(answer.location?.split('?')[0]).toBe(`/Installed/${row?.id}`)
    }
  })

  test('takes no notice of fields that are not its own', async () => {
    const extra = {
      status: 'suspended',
      installedVersion: '9',
      permissions: 'products:write',
      's.adminText': 'mine',
      's.noSuch': 'x',
      's.__proto__': 'x',
      userId: '1',
      'accept.other': 'x',
      terms: 'x',
    }
    const answer = await browser.post(formPath(), { ...(await reviewed()), ...extra })
    expect(answer.status).toBe(303)
    const [row] = await rowsOf()
    expect(row).toMatchObject({ status: 'active', installedVersion: '1.0.0' })
    expect(row?.permissions).toEqual(['products:read', 'settings:read'])
    expect(row?.settings.every(({ scope }) => scope === 'user')).toBe(true)
    expect(row?.acceptances).toHaveLength(1)
  })

  test('does not install for somebody else’s account', async () => {
    const other = await newCustomer(market)
    const answer = await browser.post(formPath(), {
      ...(await reviewed()),
      partyId: String(other.party.id),
    })
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain(other.party.name)
    const where = { partyId: { in: [customer.party.id, other.party.id] } }
    expect(await market.deps.db.installation.count({ where })).toBe(0)
  })

  test('asks again when has changed since they were read', async () => {
    const stale = { ...(await filled()), 'accept.risk': 'a'.repeat(64) }
    const answer = await browser.post(formPath(), stale)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('has changed')
    expect(answer.text).not.toMatch(/id="accept-risk"[^>]* checked/)
    expect(answer.text).toContain('\njane</textarea>')
    expect(await rowsOf()).toEqual([])
  })
})

describe('the terms document', () => {
  test('is a download for who may see the app or has it, and for nobody else', async () => {
    const { id } = await listedApp(developer, fullDraft())
    expect((await developer.putTerms(id, '# Terms')).status).toBe(200)
    const path = `/Apps/${id}/Terms`
    const { text } = await browser.get(`/Apps/${id}`)
    expect(text).toContain(`href="${path}"`)
    const answer = await browser.get(path)
    const disposition = answer.headers.get('content-disposition')
    expect(disposition?.startsWith(`attachment; filename="${id}-`)).toBe(true)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    const has = await newCustomer(market)
    const accepted = await acceptAll(market, id)
    const wish = { appId: id, purchaseOptionId: 'free', ...accepted }
    expect((await has.install(wish)).status).toBe(201)
    await developer.hide(id)
    const owner = await signedIn(market, has.user)
    expect((await owner.get(path)).text).toBe(answer.text)
    expect((await browser.get(path)).status).toBe(404)
  })
})

describe('who is not signed in', () => {
  test('is sent to the sign-in and back, and sees nothing of others', async () => {
    const path = await install()
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const cookie = browser.cookies.get('session') ?? ''
    await browser.post('/logout', { _csrf })
    for (const target of ['/Installed', path, `${path}/Settings`, formPath(), '/Account']) {
      const page = await browser.get(target, { cookie: cookieLine(market, [['session', cookie]]) })
      expect(page.status).toBe(303)
      expect(page.location).toBe(`/login?next=${encodeURIComponent(target)}`)
      expect(page.headers.get('cache-control')).toContain('no-store')
    }
  })
})
