import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { latestTerms } from '../../../../src/marketplace/apps/terms/read-terms-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, installedBy, newId } from '../../../setup/apps.ts'
import { accountToken, demoInstallation } from '../../../setup/client.ts'
import {
  acceptAll,
  accountCalls,
  listedApp,
  newCustomer,
  newMember,
} from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

test('terms of an installed version stay: taking them away is 409, but with a new version', async () => {
  const { id } = await listedApp(developer, draft(newId()))
  const terms = (await developer.putTerms(id, '# Terms')).body
  await installedBy(market, id, demoInstallation(market, 'catalog-sync', 'Seller').partyId)
  const before = await everything(market)
  const refused = await developer.send('DELETE', `/${id}/TermsDocument`)
  expectProblem(refused, 'version_required')
  expect(refused.body.detail).toContain('it stays with the terms that it has')
  expect(refused.body.changes).toMatchObject([{ kind: 'terms_document_removed' }])
  expect(await everything(market)).toEqual(before)
  const used = await developer.send('DELETE', `/${id}/TermsDocument?version=1.0.0`)
  expectProblem(used, 'version_required')

  expect((await developer.send('DELETE', `/${id}/TermsDocument?version=2`)).status).toBe(204)
  expect((await developer.versions(id)).body).toMatchObject([
    { version: '2', termsDocument: null, latest: true },
    { version: '1.0.0', termsDocument: terms, latest: false },
  ])
})

test('terms of a version that all have left by an upgrade stay as well', async () => {
  const app = await listedApp(developer, draft(newId()))
  await developer.putTerms(app.id, '# Terms')
  const customer = await newCustomer(market)
  const consent = await acceptAll(market, app.id)
  const { body } = await customer.install({
    ...{ appId: app.id, purchaseOptionId: 'free', ...consent },
  })
  expect((await developer.put({ ...app, version: '2' })).status).toBe(200)
  const upgraded = await customer.upgrade(body.id, { version: '2', ...consent })
  expect(upgraded.status, upgraded.text).toBe(200)
  expect((await developer.put(app)).status).toBe(200)
  const removed = await developer.send('DELETE', `/${app.id}/TermsDocument`)
  expectProblem(removed, 'version_required')
  expectProblem(await developer.putTerms(app.id, '# Others'), 'version_required')
})

test('terms taken away while somebody installs: whoever comes second sees what the first did', async () => {
  for (let round = 0; round < 8; round++) {
    const app = await listedApp(developer, draft(newId(), { partyTypes: ['Seller'] }))
    await developer.putTerms(app.id, '# Terms')
    const customer = await newCustomer(market)
    const accepted = await acceptAll(market, app.id)
    const [installed, removed] = await Promise.all([
      customer.install({ appId: app.id, purchaseOptionId: 'free', ...accepted }),
      developer.send('DELETE', `/${app.id}/TermsDocument`),
    ])
    const { body } = await developer.versions(app.id)
    if (removed.status === 204) expect(body[0].termsDocument).toBeNull()
    else expectProblem(removed, 'version_required')
    const wasFirst = removed.status === 409
    expect(installed.status === 201, installed.text).toBe(wasFirst)
  }
})

test('a document that many read at once is read once', async () => {
  const { id } = await listedApp(developer, draft(newId()))
  await developer.putTerms(id, '# Terms')
  const readers = Array.from({ length: 10 }, () => latestTerms(market.deps, id, {}))
  const files = await Promise.all(readers)
  const contents = await Promise.all(files.map(({ read }) => read()))
  expect(contents[0]?.toString()).toBe('# Terms')
  expect(new Set(contents).size).toBe(1)
})

describe('whoever may read an installation', () => {
  /** An account that has accepted `# First`, of an app whose version 2 has the terms `# Second`. */
  async function boundAccount() {
    const app = await listedApp(developer, draft(newId()))
    const { sha256 } = (await developer.putTerms(app.id, '# First')).body
    const customer = await newCustomer(market)
    const { body } = await customer.install({
      ...{ appId: app.id, purchaseOptionId: 'free', ...(await acceptAll(market, app.id)) },
    })
    const second = await developer.putTerms(app.id, '# Second', 'text/markdown', '?version=2')
    return { app, sha256, second: second.body, customer, id: body.id as string }
  }
  type Reader = Pick<Awaited<ReturnType<typeof newCustomer>>, 'send'>
  const installed = ({ send }: Reader, id: string, headers = {}) =>
    send('GET', `/${id}/TermsDocument`, undefined, headers)
  const ofUpgrade = ({ send }: Reader, id: string, headers = {}) =>
    send('GET', `/${id}/Upgrade/TermsDocument`, undefined, headers)

  test('reads its terms and those of an upgrade, as files with their hash as ETag', async () => {
    const { app, customer, id, sha256, second } = await boundAccount()
    const member = await newMember(market, customer.party.id)
    const asMember = accountCalls(market, await accountToken(market, member))
    expect((await customer.previewUpgrade(id)).body.termsDocument).toEqual(second)
    for (const [read, text, hash] of [
      [installed, '# First', sha256],
      [ofUpgrade, '# Second', second.sha256],
    ] as const) {
      const answer = await read(asMember, id)
      expect([answer.status, answer.text]).toEqual([200, text])
      const etag = `"${hash}"`
      const headers = {
        etag,
        'cache-control': 'private, no-cache, no-transform',
        'content-disposition': `attachment; filename="${app.id}-terms-${hash.slice(0, 8)}.md"`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      }
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...headers,
        'content-type': 'text/markdown; charset=utf-8',
      })
      const known = await read(customer, id, { 'if-none-match': etag })
      expect([known.status, known.text]).toEqual([304, ''])
      expect(Object.fromEntries(known.headers)).toMatchObject(headers)
      expectProblem(await read(await newCustomer(market), id), 'not_found')
    }
  })

  test('reads them after later documents came and went, and after the upgrade the new ones', async () => {
    const { app, customer, id } = await boundAccount()
    await developer.putTerms(app.id, '# Third')
    await developer.putTerms(app.id, '# First')
    await developer.putTerms(app.id, '# Fourth')
    expect((await installed(customer, id)).text).toBe('# First')
    expect((await ofUpgrade(customer, id)).text).toBe('# Fourth')
    const kept = await market.deps.db.termsDocument.count({ where: { appId: app.id } })
    expect(kept).toBe(2)

    const { body } = await customer.previewUpgrade(id)
    const { sha256 } = body.termsDocument
    await customer.upgrade(id, { version: '2', termsDocument: { sha256 } })
    expect((await installed(customer, id)).text).toBe('# Fourth')
    expect((await ofUpgrade(customer, id)).text).toBe('# Fourth')
    await developer.send('DELETE', `/${app.id}/TermsDocument?version=3`)
    expect((await installed(customer, id)).text).toBe('# Fourth')
    expectProblem(await ofUpgrade(customer, id), 'not_found')
  })

  test('reads them while the app is unlisted or suspended, and its own for ever', async () => {
    const { app, customer, id } = await boundAccount()
    const operate = await operatorCalls(market)
    const browser = await signedIn(market, customer.user)
    await developer.send('POST', `/${app.id}/Unlist`)
    const upgrade = (await browser.get(`/Installed/${id}/Upgrade`)).text
    const [, link = ''] = /href="([^"]+)">Download the terms</.exec(upgrade) ?? []
    expect((await browser.get(link)).text).toBe('# Second')
    await operate('POST', `Apps/${app.id}/Suspend`, { reason: 'x' })
    expect((await installed(customer, id)).text).toBe('# First')
    expect((await ofUpgrade(customer, id)).text).toBe('# Second')

    await customer.uninstall(id)
    expect((await developer.send('DELETE', `/${app.id}`)).status).toBe(204)
    expect((await installed(customer, id)).text).toBe('# First')
    expectProblem(await ofUpgrade(customer, id), 'not_found')
    const page = `/Installed/${id}`
    expect((await browser.get(page)).text).toContain(`href="${page}/Terms"`)
    const file = await browser.get(`${page}/Terms`)
    expect([file.status, file.text]).toEqual([200, '# First'])
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    expect((await stranger.get(`${page}/Terms`)).status).toBe(404)
  })
})
