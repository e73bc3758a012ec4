import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { FILLED, installOverForm, RISK } from '../../setup/install-form.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let appId: string
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  appId = (await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))).id
})
afterAll(() => market.close())
beforeEach(async () => {
  browser = await signedIn(market, (await newCustomer(market)).user)
})

describe('the page of the settings', () => {
  test('saved unchanged, it changes nothing', async () => {
    const path = await installOverForm(browser, appId)
    const installationId = path.split('/').at(-1) ?? ''
    const state = async () => ({
      settings: await market.deps.db.settingValue.findMany({
        where: { installationId },
        orderBy: { key: 'asc' },
      }),
      events: await market.deps.db.event.count({ where: { installationId } }),
    })
    for (const note of ['a\r\nb', 'a\rb\n', ' a\n\nb ', 'one line\n']) {
      const own = { installationId, scope: 'user', key: 'note' } as const
      await market.deps.db.settingValue.upsert({
        where: { installationId_scope_key: own },
        update: { value: note },
        create: { ...own, value: note },
      })
      const before = await state()
      const { text } = await browser.get(`${path}/Settings`)
      const [, shown = ''] = /name="s\.note"[^>]*>\n([^<]*)<\/textarea>/.exec(text) ?? []
      expect(shown.replaceAll('&#13;', '\r')).toBe(note)
      const { 's.secret': _kept, ...rest } = FILLED
      const sent = note.replaceAll(/\r\n?|\n/g, '\r\n')
      const form = { ...hiddenFields(text), ...rest, 's.note': sent, 's.secret': '' }
      expect((await browser.post(`${path}/Settings`, form)).status).toBe(303)
      expect(await state()).toEqual(before)
    }
  })

  test('it keeps the lines of a key', async () => {
    const path = await installOverForm(browser, appId)
    const installationId = path.split('/').at(-1) ?? ''
    const key = '-----BEGIN PRIVATE KEY-----\nMIIBVAIBADAN\n-----END PRIVATE KEY-----\n'
    const { text } = await browser.get(`${path}/Settings`)
    expect(text).toMatch(/<textarea class="secret"[^>]* name="s\.secret"/)
    const lines = key.replaceAll('\n', '\r\n')
    const sent = { ...hiddenFields(text), ...FILLED, 's.note': lines, 's.secret': lines }
    expect((await browser.post(`${path}/Settings`, sent)).status).toBe(303)
    const { token } = developer
    const read = `/v1/Developer/Installations/${installationId}`
    const { body } = await call(market, 'GET', read, { token })
    expect(body.userSettings).toMatchObject({ note: key, secret: key })
  })
})
