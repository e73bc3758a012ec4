import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretContext } from '../../../src/marketplace/installations/settings/stored-settings.ts'
import { keepForm, readKeptForm } from '../../../src/web/requests/kept-form-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { developerConsole } from '../../setup/console.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { filledForm, installOverForm, RISK } from '../../setup/install-form.ts'
import { operatorWithCode } from '../../setup/operator.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
  appId = (await listedApp(await author(market), fullDraft({ acknowledgements: [RISK] }))).id
})
afterAll(() => market.close())

const SHOWN_AGAIN = /\?form=[0-9a-f-]{36}$/

/** Sends a form, and opens what comes of it twice. */
async function sendTwiceShown(browser: WebClient, path: string, fields: Record<string, string>) {
  const answer = await browser.submit(path, fields)
  expect([path, answer.status]).toEqual([path, 303])
  expect(answer.location?.startsWith(path)).toBe(true)
  expect(answer.location).toMatch(SHOWN_AGAIN)
  const page = await browser.get(answer.location ?? '')
  const again = await browser.get(answer.location ?? '')
  const without = (text: string) => text.replace(/name="_csrf" value="[^"]*"/g, '')
  expect([again.status, without(again.text)]).toEqual([page.status, without(page.text)])
  return { ...page, location: answer.location ?? '' }
}

/** Sends a form that is refused, and looks at what answers it in place. */
async function sendRefused(browser: WebClient, path: string, fields: Record<string, string>) {
  const kept = await market.deps.db.keptForm.count({ where: { once: false } })
  const answer = await browser.submit(path, fields)
  expect([path, answer.location]).toEqual([path, null])
  expect(answer.text).toContain('<title>Error: ')
  expect(await market.deps.db.keptForm.count({ where: { once: false } })).toBe(kept)
  return answer
}

describe('a form of several steps, or with passwords, leads to a page that can be reloaded', () => {
  test('of every change of an installation', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = await filledForm(browser, appId)
    const install = `/Apps/${appId}/Install`
    const review = await sendTwiceShown(browser, install, form)
    expect([review.status, review.text.includes('Step 3 of 3')]).toEqual([200, true])
    const wrong = await sendTwiceShown(browser, install, { ...form, 's.text': '' })
    expect(wrong.status).toBe(422)
    const path = await installOverForm(browser, appId)
    const changes: [string, string, Record<string, string>, number][] = [
      ['Settings', '', { 's.text': '' }, 422],
      ['Settings', '', { 's.text': 'x', 's.choice': '5', revision: '0' }, 412],
      ['Option', '?purchaseOptionId=free', { revision: '0' }, 412],
      ['Option', '', { purchaseOptionId: 'nothing' }, 422],
    ]
    for (const [what, query, fields, status] of changes) {
      const hidden = hiddenFields((await browser.get(`${path}/${what}${query}`)).text)
      const page = await sendTwiceShown(browser, `${path}/${what}`, { ...hidden, ...fields })
      expect([what, page.status]).toEqual([what, status])
      expect(page.text).toContain('<title>Error: ')
    }
  })

  test('of the developer console', async () => {
    const { client: browser } = await developerConsole(market)
    const path = `/Developer/Apps/${appId}`
    const forms: [string, Record<string, string>, number][] = [
      [`${path}/Definition`, { definition: '{', do: 'check' }, 422],
      [`${path}/Definition`, { definition: '{', do: 'save' }, 422],
      ['/Developer/Apps/New', { definition: '{}', do: 'check' }, 422],
      [`${path}/Terms`, { document: '' }, 422],
      [`${path}/Sandbox`, { purchaseOptionId: 'nothing' }, 422],
    ]
    for (const [form, fields, status] of forms) {
      const hidden = hiddenFields((await browser.get(form)).text)
      const page = await sendTwiceShown(browser, form, { ...hidden, ...fields })
      expect([form, page.status]).toEqual([form, status])
    }
  })
})

describe('a form that is refused is answered in place, and nothing is kept', () => {
  test('of the own account', async () => {
    const browser = await signedIn(market, (await newCustomer(market)).user)
    const form = hiddenFields((await browser.get('/Account')).text)
    expect((await sendRefused(browser, '/Account/Password', form)).status).toBe(422)
  })

  test('of the developer console', async () => {
    const { client: browser } = await developerConsole(market)
    const form = hiddenFields((await browser.get('/Developer/Credentials')).text)
    const sent = { ...form, clientId: 'x' }
    const page = await sendRefused(browser, '/Developer/Credentials', sent)
    expect([page.status, page.text.includes('value="x"')]).toEqual([422, true])
  })

  test('of the operator console', async () => {
    const browser = await signedIn(market, market.demo.operator)
    const { id } = await market.deps.db.user.findFirstOrThrow()
    const forms: [string, Record<string, string>][] = [
      ['/Operator/Parties/New', { name: '', type: '' }],
      [`/Operator/Users/${id}/Edit`, { name: '' }],
      [`/Operator/Users/${id}/Memberships`, { party: 'no such party' }],
      [`/Operator/Users/${id}/Suspend`, { reason: '' }],
      [`/Operator/Apps/${appId}/Suspend`, { reason: '' }],
    ]
    const { _csrf = '' } = hiddenFields((await browser.get('/Operator')).text)
    for (const [form, fields] of forms) {
      const page = await sendRefused(browser, form, { _csrf, ...fields })
      expect([form, page.status]).toEqual([form, 422])
    }
  })

  test('of a sign-in, with the name', async () => {
    const browser = await signedIn(market, market.demo.operator)
    browser.cookies.delete('session')
    const form = hiddenFields((await browser.get('/login?next=/Account')).text)
    const sent = { ...form, email: 'who@example.com', password: 'wrong' }
    const page = await sendRefused(browser, '/login', sent)
    expect([page.status, page.headers.has('www-authenticate')]).toEqual([401, true])
    expect(page.text).toContain('Wrong email or password.')
    expect(page.text).toContain('value="who@example.com"')
    expect(hiddenFields(page.text).next).toBe('/Account')
    expect((await browser.get('/login')).text).not.toContain('Wrong email')
  })
})

describe('what a page shows again', () => {
  test('is nobody else’s, and of no other page', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'mine alone' }
    const { location } = await sendTwiceShown(browser, `/Apps/${appId}/Install`, form)
    const [, query] = location.split('?')
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    expect((await stranger.get(location)).text).not.toContain('mine alone')
    expect((await browser.get(`/Apps/price-sync/Install?${query}`)).text).not.toContain(
      'mine alone',
    )
    expect((await browser.get(`${location}x`)).status).toBe(200)
    expect((await browser.get(location)).text).toContain('mine alone')
  })

  test('is stored sealed, passwords and all', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'a note to be sealed' }
    await browser.post(`/Apps/${appId}/Install`, form)
    const rows = await market.deps.db.keptForm.findMany()
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealed } of rows) {
      const text = Buffer.from(sealed).toString('latin1')
      expect(text).not.toMatch(/s3cret-one|a note to be sealed|s\.secret/)
    }
  })

  test('of two tabs of one wizard does not mix', async () => {
    const { user, party } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const path = `/Apps/${appId}/Install`
    const tabs = []
    for (const tab of ['first', 'second']) {
      const form = { ...(await filledForm(browser, appId)), 's.note': `${tab} tab`, 's.pin': tab }
      tabs.push({ tab, ...(await sendTwiceShown(browser, path, form)) })
    }
    for (const { tab, location } of tabs) {
      const { text } = await browser.get(location)
      expect(text).toContain(`${tab} tab`)
      expect(text.match(/(first|second) tab/g)?.every((one) => one === `${tab} tab`)).toBe(true)
    }
    const [first] = tabs
    await browser.post(path, hiddenFields(first?.text ?? ''))
    const [row] = await market.deps.db.installation.findMany({
      where: { partyId: party.id },
      include: { settings: true },
    })
    const { secret } = row?.settings.find(({ key }) => key === 'pin') ?? {}
    const context = secretContext(row?.id ?? '', 'user', 'pin')
    expect(String(market.deps.secrets.decrypt(secret as Uint8Array, context))).toBe('first')
  })

  test('goes back to the first step and on with all that was typed', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const path = `/Apps/${appId}/Install`
    const form = { ...(await filledForm(browser, appId)), 's.note': 'carried along' }
    const choice = await browser.post(path, { ...form, step: 'choose' })
    expect(choice.text).toContain('Step 1 of 3: Choose a plan')
    const { form: id = '', partyId = '' } = hiddenFields(choice.text)
    const query = new URLSearchParams({ form: id, partyId, purchaseOptionId: 'full' })
    const step = await browser.get(`${path}?${query}`)
    expect(step.text).toContain('Step 2 of 3')
    expect(step.text).toContain('\ncarried along</textarea>')
    const review = await browser.post(path, { ...form, ...hiddenFields(step.text), 's.secret': '' })
    expect(review.text).toContain('Step 3 of 3: Review')
    const titles = [choice, step, review].map(({ text }) => /<title>(.*?) ·/.exec(text)?.[1])
    const name = titles[0]?.split(',')[0]
    expect(titles).toEqual([1, 2, 3].map((number) => `${name}, step ${number} of 3`))
  })

  test('is bounded in number and size, and expires', async () => {
    const { deps } = market
    const owner = { id: (await deps.db.user.findFirstOrThrow()).id }
    const keep = (text: string) => keepForm(deps, owner, '/x', text)
    const read = (id: string) => readKeptForm(deps, owner, '/x', id)
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => keep(`form ${n}`)))
    const where = { userId: owner.id }
    expect(await deps.db.keptForm.count({ where })).toBe(32)
    const large = 'x'.repeat(3_000_000)
    const last = [await keep(large), await keep(large), await keep(large)]
    const bytes = (await deps.db.keptForm.findMany({ where })).map(({ sealed }) => sealed.length)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(8 * 1_048_576)
    expect(await read(last[2] ?? '')).toBe(large)
    expect(await read(ids[0] ?? '')).toBeUndefined()
    await expect(keep('x'.repeat(5_000_000))).rejects.toMatchObject({ code: 'payload_too_large' })
    market.advance(deps.config.sessionTtlSeconds)
    expect(await read(last[2] ?? '')).toBeUndefined()
    await keep('after')
    expect(await deps.db.keptForm.count({ where })).toBe(1)
  })
})

describe('a password that was made', () => {
  test('is shown once, is in no address and no cookie, and is gone at a reload', async () => {
    const browser = await (await operatorWithCode(market)).browser()
    const { id } = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
    const path = `/Operator/Users/${id}`
    const { _csrf = '' } = hiddenFields((await browser.get(path)).text)
    const answer = await browser.submit(`${path}/Password`, { _csrf })
    expect(answer.status).toBe(303)
    const cookies = JSON.stringify([...browser.cookies])
    const pages = await Promise.all([1, 2, 3].map(() => browser.get(answer.location ?? '')))
    const shown = pages.flatMap(
      ({ text }) => /<dt>Password<\/dt><dd><bdi><code data-copy>([^<]+)</.exec(text)?.[1] ?? [],
    )
    expect(shown).toHaveLength(1)
    expect(answer.location + cookies).not.toContain(shown[0])
    const reload = await browser.get(answer.location ?? '')
    expect([reload.status, reload.text.includes(shown[0] ?? '')]).toEqual([200, false])
  })
})
