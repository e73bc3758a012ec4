import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { APPS, type Author, author, draft, everything } from '../../../setup/apps.ts'
import { call, demoInstallation, installationToken } from '../../../setup/client.ts'
import { expectProblem, withoutRequestId } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let owner: Author
let stranger: Author
beforeAll(async () => {
  market = await startMarketplace()
  owner = await author(market)
  stranger = await author(market, 1)
  await owner.create(draft('mine'))
  await owner.putTerms('mine', '# Terms')
})
afterAll(() => market.close())

/** Every endpoint of one app: method, path below the app, body, headers. */
const ENDPOINTS: [string, string, unknown?, Record<string, string>?][] = [
  ['GET', ''],
  ['PUT', '', 'definition'],
  ['PUT', '?dryRun=true', 'definition'],
  ['DELETE', ''],
  ['POST', '/List'],
  ['POST', '/Unlist'],
  ['GET', '/Versions'],
  ['GET', '/TermsDocument'],
  ['PUT', '/TermsDocument', '# Other terms', { 'content-type': 'text/markdown' }],
  ['PUT', '/TermsDocument?version=9', '# Other terms', { 'content-type': 'text/markdown' }],
  ['DELETE', '/TermsDocument'],
]

const send = (who: Author, id: string, [method, path, body, headers]: (typeof ENDPOINTS)[number]) =>
  who.send(method, `/${id}${path}`, body === 'definition' ? draft(id) : body, headers)

describe("another developer's app is 404, like one that there is not", () => {
  test.each(ENDPOINTS)('%s %s', async (...endpoint) => {
    const before = await everything(market)
    const foreign = await send(stranger, 'mine', endpoint)
    const unknown = await send(stranger, 'there-is-not', endpoint)
    expectProblem(foreign, 'not_found')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    const headersOf = ({ headers }: typeof foreign) =>
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    expect(headersOf(foreign)).toEqual(headersOf(unknown))
    expect(await everything(market)).toEqual(before)
  })

  test('whatever else is wrong with the request', async () => {
    for (const id of ['mine', 'there-is-not']) {
      expectProblem(await stranger.put(draft(id), { 'if-match': '"99"' }), 'not_found')
      expectProblem(await stranger.put({ ...draft(id), version: '' }), 'unprocessable')
      expectProblem(await stranger.putTerms(id, '<html>', 'application/pdf'), 'unprocessable')
    }
  })

  test('it is not among the apps of the other one', async () => {
    const { body } = await stranger.send('GET', '')
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['catalog-sync'])
  })

  test('a listed one is public to read and still 404 to manage', async () => {
    expect((await call(market, 'GET', '/v1/Apps/price-sync')).status).toBe(200)
    for (const endpoint of ENDPOINTS) {
      expectProblem(await send(stranger, 'price-sync', endpoint), 'not_found')
    }
  })
})

describe('who may call', () => {
  test.each([...ENDPOINTS, ['GET', '/../Apps'] as [string, string]])(
    '%s %s: no token is 401, an installation token 403',
    async (method, path, body, headers = {}) => {
      const url = `${APPS}/mine${path}`
      const options = { headers, ...(body === undefined ? {} : { body }) }
      expectProblem(await call(market, method, url, options), 'missing_token')
      const token = await installationToken(
        market,
        demoInstallation(market, 'price-sync', 'Seller'),
      )
      expectProblem(await call(market, method, url, { ...options, token }), 'wrong_token_kind')
    },
  )

  test('the catalogue, quotes, terms and permissions need no token', async () => {
    for (const path of [
      '/v1/Apps',
      '/v1/Apps/price-sync',
      '/v1/Apps/price-sync/TermsDocument',
      '/v1/Apps/price-sync/PurchaseOptions/free/Quote?records=1',
      '/v1/Permissions',
    ]) {
      expect((await call(market, 'GET', path)).status).toBe(200)
    }
  })
})

describe('paths', () => {
  test.each([
    '%00',
    'x'.repeat(65),
    'x'.repeat(400),
    '__proto__',
    'constructor',
    '%ff',
    "'%20or%201=1--",
  ])('an app id of %.20s is 404 or 400, never 500', async (id) => {
    for (const endpoint of ENDPOINTS.filter(([method]) => method !== 'PUT')) {
      const answer = await send(owner, id, endpoint)
      expect([400, 404]).toContain(answer.status)
    }
    expect([400, 404]).toContain((await call(market, 'GET', `/v1/Apps/${id}`)).status)
  })

  test('are matched without regard to case, app id included, with or without /api', async () => {
    for (const path of ['/V1/APPS/Price-Sync', '/api/v1/apps/PRICE-SYNC/', '/v1/apps/price-sync']) {
      expect((await call(market, 'GET', path)).body).toMatchObject({ id: 'price-sync' })
    }
    expect((await owner.read('MINE')).body).toMatchObject({ id: 'mine' })
    expect((await owner.send('PUT', '/MINE?dryRun=true', draft('mine'))).status).toBe(200)
  })

  test('the id in the body must be the one in the path', async () => {
    const answer = await owner.send('PUT', '/mine', draft('mine-too'))
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toEqual([
      { pointer: '/id', detail: 'must be "mine", as in the path' },
    ])
  })

  test.each(['?dryRun=TRUE', '?dryRun=1', '?dryrun=true', '?dryRun=true&dryRun=false', '?x=1'])(
    'PUT%s is 400 and changes nothing',
    async (query) => {
      const before = await everything(market)
      const answer = await owner.send('PUT', `/mine${query}`, draft('mine', { description: 'New' }))
      expectProblem(answer, 'invalid_request')
      expect(await everything(market)).toEqual(before)
    },
  )
})
