import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, flat, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectRefusedDraft } from '../../../setup/expect-refused-draft.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const HTML = '<script>alert(1)</script>"\'&amp;<img src=x onerror=alert(2)>'
const expectRefused = (changes: Record<string, unknown>, ...pointers: string[]) =>
  expectRefusedDraft(developer, changes, pointers)

describe('HTML in every text', () => {
  const definition = (id: string) =>
    draft(id, {
      name: `${id}<b>&"'`,
      description: HTML,
      permissions: [{ id: 'products:read', purpose: HTML }],
      purchaseOptions: [flat('free', 0, { name: HTML, description: HTML })],
      settings: {
        free: {
          a: { type: 'text', name: HTML, description: HTML, placeholder: HTML },
          b: { type: 'select', name: HTML, options: [{ name: HTML, value: HTML }] },
        },
      },
      acknowledgements: [{ id: 'a', title: HTML, text: HTML }],
      websiteUrl: 'https://x.example/%3Cscript%3E?q=%22',
    })

  test('comes back as the same text, as JSON that no browser takes for a page', async () => {
    const id = newId()
    const created = await developer.create(definition(id))
    expect(created.body).toMatchObject(definition(id))
    await developer.list(id)
    for (const path of [`/v1/Apps/${id}`, '/v1/Apps', `/v1/Developer/Apps/${id}/Versions`]) {
      const answer = await call(market, 'GET', path, {
        token: developer.token,
        headers: { accept: 'text/html' },
      })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.text).toContain(JSON.stringify(HTML))
    }
  })
})

describe('an authReturnUrl', () => {
  const long = `https://a.example/${'x'.repeat(3000)}`
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://a.example/',
    'https:a.example',
    'https:/a.example',
    'https:///a.example',
    '//a.example/cb',
    '/cb',
    'a.example',
    '',
    ' https://a.example',
    'https://a.example\r\nSet-Cookie: a=b',
    'https://a.example/\r\n\r\n<script>',
    'https://a.example/\u0000',
    'https://a.example/a b',
    'https://a.example/\u2028',
    'https://a.exam\u00adple/',
    'https://a.example\\@evil.example/',
    'https:\\\\evil.example',
    'https://user@a.example/',
    'https://user:pass@a.example/',
    'https://@a.example/',
    'https://a.example/#',
    'https://a.example/#token',
    'https://a.example/?token=1',
    'https://a.example/?x=1&TOKEN=2',
    'https://a.example/?%74oken=1',
    'https://a.example/?state=1',
    'https://a.example/?a=1;token=2',
    'https://a.example/?token[]=2',
    'http://a.example/cb',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://[::2]/',
    'http://localhost@evil.example/',
    'http://10.0.0.1/',
    'https://a.example:99999/',
    'https://[::1',
    'https://',
    long,
    `https://a.example/${'ä'.repeat(700)}`,
    5,
    {},
    ['https://a.example'],
  ])('%.60j is refused with a pointer to it', async (authReturnUrl) => {
    await expectRefused({ authReturnUrl }, '/authReturnUrl')
  })

  test.each([
    'https://a.example',
    'https://a.example/cb?tenant=1&x=%20',
    'https://bücher.example/cb',
    'http://localhost:4000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:3000/',
    `https://a.example/${'x'.repeat(2030)}`,
    null,
  ])('%.60j is kept as it is', async (authReturnUrl) => {
    const { status, body } = await developer.create(draft(newId(), { authReturnUrl }))
    expect([status, body.authReturnUrl]).toEqual([201, authReturnUrl])
  })
})

describe('a definition that fails leaves nothing behind', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['an invalid setting', { settings: { free: { a: { type: 'x', name: 'x' } } } }, 422],
    ['an id that is taken', { id: 'price-sync' }, 409],
    ['a name that is taken', { name: 'PRICE SYNC' }, 409],
    ['a body that is malformed', { partyTypes: 'Seller' }, 400],
    ['an address that is hostile', { authReturnUrl: 'javascript:1' }, 422],
  ])('creating with %s', async (_, changes, status) => {
    const before = await everything(market)
    expect((await developer.create(draft(newId(), changes))).status).toBe(status)
    expect(await everything(market)).toEqual(before)
  })

  test.each<[string, Record<string, unknown>, number]>([
    ['a breaking change', { permissions: [] }, 409],
    ['a name that is taken', { version: '2', name: 'ｐrice sync' }, 409],
    ['an invalid option', { version: '2', purchaseOptions: [{}] }, 400],
    ['a listed app made incomplete', { version: '2', description: '' }, 422],
  ])('replacing with %s', async (_, changes, status) => {
    const id = newId()
    await developer.create(draft(id))
    await developer.list(id)
    const before = await everything(market)
    expect((await developer.put(draft(id, changes))).status).toBe(status)
    expect(await everything(market)).toEqual(before)
  })
})
