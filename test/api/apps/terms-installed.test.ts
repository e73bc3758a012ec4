import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, everything, installedBy, newId } from '../../setup/apps.ts'
import { demoInstallation } from '../../setup/client.ts'
import { acceptAll, listedApp, newCustomer } from '../../setup/customer.ts'
import { expectProblem } from '../../setup/expect-problem.ts'

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
