import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, everything } from '../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import {
  FILLED,
  filledForm,
  installOverForm,
  RISK,
  reviewedForm,
} from '../../setup/install-form.ts'
import {
  cookieLine,
  demoUser,
  hiddenFields,
  signedIn,
  type WebClient,
} from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let definition: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  definition = await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const formPath = () => `/Apps/${definition.id}/Install`
const rowsOf = () =>
  market.deps.db.installation.findMany({
    where: { partyId: customer.party.id },
    include: { settings: true, acceptances: true },
  })

const filled = (option?: string) => filledForm(browser, definition.id, option)
const reviewed = (option?: string) => reviewedForm(browser, definition.id, option)
const install = (option?: string) => installOverForm(browser, definition.id, option)

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
      /You have accepted<\/h3><ul class="bullets">\s*<li><bdi>A risk<\/bdi><\/li>/,
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

describe('an installation of somebody else', () => {
  test('does not exist, neither its pages nor its forms', async () => {
    const path = await install()
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    const { _csrf = '' } = hiddenFields((await stranger.get('/Account')).text)
    const before = await everything(market)
    for (const action of ['', '/Settings', '/Option', '/Upgrade', '/Uninstall']) {
      expect((await stranger.get(path + action)).status).toBe(404)
      if (action === '') continue
      const form = { _csrf, revision: '1', 's.text': 'evil', purchaseOptionId: 'free' }
      expect([action, (await stranger.post(path + action, form)).status]).toEqual([action, 404])
    }
    const after = await everything(market)
    expect(after.installations).toBe(before.installations)
    expect(after.setting_values).toBe(before.setting_values)
  })

  test.each(['x', '00000000-0000-4000-8000-000000000000', '%27--'])('nor does %s', async (id) => {
    expect((await browser.get(`/Installed/${id}`)).status).toBe(404)
  })
})

describe('the settings form', () => {
  const settingsOf = async () => {
    const [row] = await rowsOf()
    return new Map(row?.settings.map((one) => [one.key, one]))
  }

  test('keeps an empty password, removes an emptied value, and never shows a password', async () => {
    const path = `${await install()}/Settings`
    const secret = (await settingsOf()).get('secret')?.secret
    const page = await browser.get(path)
    expect(page.text).toContain('\njane</textarea>')
    expect(page.text).not.toContain('s3cret-one')
    const form = { ...hiddenFields(page.text), ...FILLED, 's.secret': '', 's.amount': '' }
    const answer = await browser.post(path, { ...form, 's.text': 'jörg 🦊', 's.flag': 'true' })
    expect(answer.status).toBe(303)
    const after = await settingsOf()
    expect(after.get('text')?.value).toBe('jörg 🦊')
    expect(after.get('flag')?.value).toBe('true')
    expect(after.has('amount')).toBe(false)
    expect(after.get('secret')?.secret).toEqual(secret)
  })

  test('shows what was changed meanwhile, beside it what was typed, and can be sent again', async () => {
    const path = `${await install()}/Settings`
    const form = { ...hiddenFields((await browser.get(path)).text), ...FILLED, 's.secret': '' }
    await browser.post(path, { ...form, 's.note': 'first', 's.amount': '0.5' })
    const typed = { 's.note': 'my <b>', 's.amount': '0.50', 's.pin': 'typed-pin-1' }
    const answer = await browser.post(path, { ...form, ...typed })
    expect(answer.status).toBe(412)
    expect(answer.text).toContain('\nfirst</textarea>')
    expect(answer.text).not.toContain('value="my')
    const entered = /You had entered:.*?<\/ul>/s.exec(answer.text)?.[0] ?? ''
    expect(entered).toContain('href="#setting-note"><bdi>Note</bdi></a> <bdi>my &lt;b&gt;</bdi>')
    expect(entered.match(/<li>/g)).toHaveLength(2)
    expect(entered).toContain('a new password; type it again')
    expect(answer.text).not.toContain('typed-pin-1')
    expect((await settingsOf()).get('note')?.value).toBe('first')
    const again = { ...form, ...hiddenFields(answer.text), 's.note': 'second' }
    expect((await browser.post(path, again)).status).toBe(303)
    expect((await settingsOf()).get('note')?.value).toBe('second')
  })
})

describe('the terms document', () => {
  test('is a download for who may see the app or has it, and for nobody else', async () => {
    const path = '/Apps/price-sync/Terms'
    const { text } = await browser.get('/Apps/price-sync')
    expect(text).toContain(`href="${path}"`)
    const answer = await browser.get(path)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="price-sync-/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    await developer.unlist('price-sync')
    const owner = await signedIn(market, demoUser(market, 'Seller'))
    expect((await owner.get(path)).text).toBe(answer.text)
    expect((await browser.get(path)).status).toBe(404)
    await developer.list('price-sync')
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
