import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { APPS, type Author, author, draft, everything, newId } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { type Customer, INSTALLATIONS, listedApp, newCustomer } from '../../setup/customer.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { RECEIVER } from '../../setup/webhooks.ts'

const OF_DEVELOPER = '/v1/Developer/Installations'
const TERMS = 'TermsDocument'

let market: TestMarketplace
let developer: Author
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
})
afterAll(() => market.close())

/** What is changed: its address, the token that may, and how the change is made. */
type Target = { path: string; token: string }
type Change = { method: string; action?: string; body?: unknown; type?: string; status?: number }

async function anApp(): Promise<Target> {
  const { id } = await listedApp(developer, draft(newId()))
  return { path: `${APPS}/${id}`, token: developer.token }
}
async function anInstallation(): Promise<string> {
  const { id: appId } = await listedApp(developer, draft(newId()))
  const partyId = customer.party.id
  const { body } = await customer.install({ appId, partyId, purchaseOptionId: 'free' })
  return body.id
}
const ofDeveloper = async () => ({
  path: `${OF_DEVELOPER}/${await anInstallation()}`,
  token: developer.token,
})
const ofAccount = async () => ({
  path: `${INSTALLATIONS}/${await anInstallation()}`,
  token: customer.token,
})
async function terms(): Promise<Target> {
  const { path, token } = await anApp()
  expect((await developer.putTerms(path.slice(APPS.length + 1), '# Terms')).status).toBe(200)
  return { path: `${path}/${TERMS}`, token }
}
async function anEndpoint(): Promise<Target> {
  const { path, token } = await anApp()
  const { body } = await call(market, 'POST', `${path}/Webhooks`, {
    token,
    body: { url: RECEIVER },
  })
  return { path: `${path}/Webhooks/${body.id}`, token }
}

const CHANGES: [string, () => Promise<Target>, Change][] = [
  ['the deletion of an app', anApp, { method: 'DELETE', status: 204 }],
  ['showing an app', anApp, { method: 'POST', action: '/List' }],
  ['hiding an app', anApp, { method: 'POST', action: '/Unlist' }],
  ['other terms', terms, { method: 'PUT', body: '# Others', type: 'text/markdown' }],
  ['no terms', terms, { method: 'DELETE', status: 204 }],
  ['a suspension', ofDeveloper, { method: 'POST', action: '/Suspend', body: { reason: 'x' } }],
  ['a resumption', ofDeveloper, { method: 'POST', action: '/Resume' }],
  ['an uninstall by the developer', ofDeveloper, { method: 'DELETE', status: 204 }],
  ['an uninstall by the account', ofAccount, { method: 'DELETE', status: 204 }],
  ['a new secret of a webhook', anEndpoint, { method: 'POST', action: '/RotateSecret' }],
  ['a webhook that is disabled', anEndpoint, { method: 'POST', action: '/Disable' }],
  ['a webhook that is enabled', anEndpoint, { method: 'POST', action: '/Enable' }],
  ['the deletion of a webhook', anEndpoint, { method: 'DELETE', status: 204 }],
]

describe('If-Match holds for', () => {
  test.each(CHANGES)('%s', async (_name, make, change) => {
    const { path, token } = await make()
    const { method, action = '', body, type, status = 200 } = change
    const send = (ifMatch: string) =>
      call(market, method, path + action, {
        token,
        headers: { 'if-match': ifMatch, ...(type !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body }),
      })
    const { headers } = await call(market, 'GET', path, { token })
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]+"$/)
    // A proxy that compresses makes the ETag a weak one.
    expect(headers.get('cache-control')).toContain('no-transform')
    const before = await everything(market)
    const others = [etag.length > 60 ? `"${'0'.repeat(64)}"` : '"999"', '"nope"', `W/${etag}`, 'x']
    for (const other of others) expectProblem(await send(other), 'precondition_failed')
    expect(await everything(market)).toEqual(before)
    expect((await send(`"other", ${etag}`)).status).toBe(status)
  })

  test('terms that are to be attached where there are none', async () => {
    const { path, token } = await anApp()
    const answer = await call(market, 'PUT', `${path}/${TERMS}`, {
      token,
      headers: { 'if-match': `"${'0'.repeat(64)}"`, 'content-type': 'text/plain' },
      body: 'Terms',
    })
    expectProblem(answer, 'precondition_failed')
  })
})

test('If-Match: * makes no terms document where there is none', async () => {
  const { path, token } = await anApp()
  const put = (ifMatch: string) =>
    call(market, 'PUT', `${path}/${TERMS}`, {
      ...{ token, body: '# Terms' },
      headers: { 'content-type': 'text/markdown', 'if-match': ifMatch },
    })
  expectProblem(await put('*'), 'precondition_failed')
  expect((await call(market, 'GET', path, { token })).body.termsDocument).toBeNull()
  await developer.putTerms(path.slice(APPS.length + 1), '# First')
  expect((await put('*')).status).toBe(200)
})
