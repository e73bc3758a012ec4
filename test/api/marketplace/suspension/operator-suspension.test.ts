import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft } from '../../../setup/apps.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { auditCount, type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'
const REASON = { reason: 'Unpaid invoices' }
const subject = () => demoInstallation(market, 'price-sync', 'Seller')
const developerId = async () =>
  (await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })).developerId
const userId = async () =>
  (
    await market.deps.db.user.findUniqueOrThrow({
      where: { email: demoUser(market, 'Seller').email },
    })
  ).id

type Token = () => Promise<string>
const appToken: Token = () => installationToken(market, subject())
const products = (token: string) => call(market, 'GET', '/v1/Products?limit=1', { token })
const installations = (token: string) =>
  call(market, 'GET', '/v1/Developer/Installations', { token })
const account = (token: string) => call(market, 'GET', '/v1/Account', { token })

type Case = {
  path: () => Promise<string>
  token: Token
  use: (token: string) => ReturnType<typeof call>
}
const CASES: Record<string, Case> = {
  developer: {
    path: async () => `Developers/${await developerId()}`,
    token: () => developerToken(market),
    use: installations,
  },
  "developer's installation": {
    path: async () => `Developers/${await developerId()}`,
    token: appToken,
    use: products,
  },
  app: { path: async () => 'Apps/price-sync', token: appToken, use: products },
  party: { path: async () => `Parties/${subject().partyId}`, token: appToken, use: products },
  user: {
    path: async () => `Users/${await userId()}`,
    token: () => accountToken(market, demoUser(market, 'Seller')),
    use: account,
  },
  installation: {
    path: async () => `Installations/${subject().id}`,
    token: appToken,
    use: products,
  },
}

describe.each(Object.entries(CASES))('suspending a %s', (_name, { path, token, use }) => {
  test('refuses its token at the next request; resuming brings the same token back', async () => {
    const given = await token()
    expect((await use(given)).status).toBe(200)
    const suspended = await operator('POST', `${await path()}/Suspend`, REASON)
    expect(suspended.status).toBe(200)
    expect(suspended.body).toEqual({
      id: expect.anything(),
      suspended: true,
      suspendedAt: expect.stringMatching(/Z$/),
      suspendedReason: 'Unpaid invoices',
    })
    expect(String(suspended.body.id)).toBe((await path()).split('/')[1])
    expectProblem(await use(given), 'invalid_token')

    const resumed = await operator('POST', `${await path()}/Resume`)
    expect({ status: resumed.status, body: resumed.body }).toEqual({
      status: 200,
      body: { id: suspended.body.id, suspended: false, suspendedAt: null, suspendedReason: null },
    })
    expect((await use(given)).status).toBe(200)
  })

  test('twice is once; another reason replaces the first and keeps the moment', async () => {
    const suspend = async (reason: string) =>
      (await operator('POST', `${await path()}/Suspend`, { reason })).body
    const before = await auditCount(market)
    const first = await suspend('first')
    expect(await suspend(' first ')).toEqual(first)
    expect(await auditCount(market)).toBe(before + 1)
    expect(await suspend('second')).toEqual({ ...first, suspendedReason: 'second' })
    expect(await auditCount(market)).toBe(before + 2)
    await operator('POST', `${await path()}/Resume`)
    const again = await operator('POST', `${await path()}/Resume`)
    expect(again.body).toMatchObject({ suspended: false })
    expect(await auditCount(market)).toBe(before + 3)
  })

  test('a reason is needed, of 1 to 500 characters, and nothing else', async () => {
    const before = await auditCount(market)
    for (const reason of ['', '  ', 'x'.repeat(501), 'bell\u0007']) {
      const answer = await operator('POST', `${await path()}/Suspend`, { reason, suspendedBy: 'x' })
      expectProblem(answer, 'invalid_request')
      expect(pointersOf(answer)).toEqual(['/reason', '/suspendedBy'])
    }
    expectProblem(await operator('POST', `${await path()}/Suspend`, {}), 'invalid_request')
    expect(await auditCount(market)).toBe(before)
  })
})

test.each([
  `Developers/${NOBODY}`,
  'Developers/x',
  'Apps/no-such-app',
  'Parties/999999',
  'Parties/x',
  `Users/${NOBODY}`,
  `Installations/${NOBODY}`,
  'Installations/x',
])('there is nothing at %s', async (path) => {
  expectProblem(await operator('POST', `${path}/Suspend`, REASON), 'not_found')
  expectProblem(await operator('POST', `${path}/Resume`), 'not_found')
})

test('twenty suspensions at once leave one entry', async () => {
  onTestFinished(async () => {
    await operator('POST', 'Apps/stock-watch/Resume')
  })
  const before = await auditCount(market)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => operator('POST', 'Apps/stock-watch/Suspend', REASON)),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await auditCount(market)).toBe(before + 1)
})

test('a deleted app is suspended no more', async () => {
  const developer = await author(market)
  const { id } = draft('deleted-app')
  expect((await developer.create(draft(id))).status).toBe(201)
  expect((await developer.remove(id)).status).toBe(204)
  expectProblem(await operator('POST', `Apps/${id}/Suspend`, REASON), 'not_found')
})

test('the suspension of an app and its end change the ETag of its definition', async () => {
  const developer = await author(market)
  const tag = async () => (await developer.read('stock-watch')).headers.get('etag')
  const tags = [await tag()]
  await operator('POST', 'Apps/stock-watch/Suspend', REASON)
  tags.push(await tag())
  await operator('POST', 'Apps/stock-watch/Resume')
  tags.push(await tag())
  expect(new Set(tags).size).toBe(3)
})

test('a suspended app leaves the catalogue, is still in the list, and comes back', async () => {
  const inCatalogue = async () => (await call(market, 'GET', '/v1/Apps/price-sync')).status
  await operator('POST', 'Apps/price-sync/Suspend', REASON)
  expect(await inCatalogue()).toBe(404)
  const { body } = await operator('GET', 'Apps?suspended=true')
  expect(body).toMatchObject([
    { id: 'price-sync', suspended: true, suspendedReason: REASON.reason },
  ])
  await operator('POST', 'Apps/price-sync/Resume')
  expect(await inCatalogue()).toBe(200)
  expect((await operator('GET', 'Apps?suspended=true')).body).toEqual([])
})

test('the developer of an app is told of its suspension and return, not of another reason', async () => {
  for (const reason of ['first', 'second']) {
    await operator('POST', 'Apps/catalog-sync/Suspend', { reason })
  }
  await operator('POST', 'Apps/catalog-sync/Resume')
  const events = await market.deps.db.event.findMany({
    where: { appId: 'catalog-sync', type: { in: ['app.suspended', 'app.resumed'] } },
    orderBy: { written: 'asc' },
  })
  expect(events.map(({ type }) => type)).toEqual(['app.suspended', 'app.resumed'])
})

test('a suspended user is signed out and cannot sign in', async () => {
  const user = demoUser(market, 'Buyer')
  const row = await market.deps.db.user.findUniqueOrThrow({ where: { email: user.email } })
  const browser = await signedIn(market, user)
  await operator('POST', `Users/${row.id}/Suspend`, REASON)
  expect((await browser.get('/')).text).not.toContain(row.name)
  const body = { email: user.email, password: user.password }
  expectProblem(await call(market, 'POST', '/v1/Account/Auth', { body }), 'invalid_credentials')
  await operator('POST', `Users/${row.id}/Resume`)
  expect((await call(market, 'POST', '/v1/Account/Auth', { body })).status).toBe(200)
})

test('operators cannot suspend themselves, in whatever case they write their id', async () => {
  const { email } = market.demo.operator
  const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
  for (const spelled of [id, id.toUpperCase()]) {
    expectProblem(await operator('POST', `Users/${spelled}/Suspend`, REASON), 'conflict')
  }
  expect((await operator('GET', `Users/${id}`)).body.suspended).toBe(false)
})

describe('an installation', () => {
  const asDeveloper = async (action: string, body?: object) =>
    call(market, 'POST', `/v1/Developer/Installations/${subject().id}/${action}`, {
      token: await developerToken(market),
      ...(body && { body }),
    })
  const asOperator = (action: string, body?: object) =>
    operator('POST', `Installations/${subject().id}/${action}`, body)

  test("that the operator suspended is not the developer's to resume", async () => {
    await asOperator('Suspend', REASON)
    expectProblem(await asDeveloper('Resume'), 'conflict')
    expectProblem(await asDeveloper('Suspend', { reason: 'mine' }), 'conflict')
    const [row] = (await operator('GET', 'Installations?status=suspended')).body
    expect(row).toMatchObject({ id: subject().id, suspendedBy: 'operator', status: 'suspended' })
    await asOperator('Resume')
    expect((await operator('GET', 'Installations?status=suspended')).body).toEqual([])
  })

  test("that the developer suspended becomes the operator's, even for the same reason", async () => {
    const where = { installationId: subject().id, type: 'installation.suspended' }
    const told = () => market.deps.db.event.findMany({ where, orderBy: { sequence: 'asc' } })
    const before = (await told()).length
    expect((await asDeveloper('Suspend', REASON)).status).toBe(200)
    expect((await asOperator('Suspend', REASON)).status).toBe(200)
    expectProblem(await asDeveloper('Resume'), 'conflict')
    expect((await asOperator('Suspend', { reason: 'Fraud' })).status).toBe(200)
    // The developer hears who suspends it now; of another reason there is no event.
    expect((await told()).slice(before).map(({ data }) => data)).toEqual([
      { by: 'developer' },
      { by: 'operator' },
    ])
    expect((await asOperator('Resume')).body).toMatchObject({ suspended: false })
  })

  test('that the developer suspended can be resumed by the operator', async () => {
    await asDeveloper('Suspend', REASON)
    expect((await asOperator('Resume')).body).toMatchObject({ suspended: false })
  })

  test('that is uninstalled is a conflict', async () => {
    const { id } = demoInstallation(market, 'stock-watch')
    const token = await developerToken(market)
    await call(market, 'DELETE', `/v1/Developer/Installations/${id}`, { token })
    const before = await auditCount(market)
    expectProblem(await operator('POST', `Installations/${id}/Suspend`, REASON), 'conflict')
    expectProblem(await operator('POST', `Installations/${id}/Resume`), 'conflict')
    expect(await auditCount(market)).toBe(before)
    const [row] = (await operator('GET', 'Installations?status=uninstalled')).body
    expect(row).toMatchObject({ id, uninstalledAt: expect.any(String), suspendedAt: null })
  })

  test('is listed without any settings, by app, developer and party', async () => {
    const { partyId } = subject()
    const all = (await operator('GET', 'Installations')).body
    const query = `appId=price-sync&partyId=${partyId}&developerId=${await developerId()}`
    const { body, text } = await operator('GET', `Installations?${query}`)
    expect(body).toEqual([all.find((one: { id: string }) => one.id === subject().id)])
    expect(text).not.toMatch(/[sS]ettings"|erpUser|erpPassword|s3cret|routing/)
    expect((await operator('GET', `Installations?developerId=${NOBODY}`)).body).toEqual([])
  })
})
