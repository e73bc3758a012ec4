import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TEMPLATE } from '../../../../src/marketplace/apps/template.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, installedBy, newId } from '../../../setup/apps.ts'
import { call, demoInstallation, installationToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
let other: Author
let partyId: number
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  other = await author(market, 1)
  partyId = demoInstallation(market, 'catalog-sync', 'Seller').partyId
})
afterAll(() => market.close())

const inCatalogue = (id: string) => call(market, 'GET', `/v1/Apps/${id}`)

describe('listing', () => {
  test('a new app is not listed; List shows it, Unlist leaves it to its address, twice is once', async () => {
    const id = newId()
    expect((await developer.create(draft(id))).body.listed).toBe(false)
    expectProblem(await inCatalogue(id), 'not_found')
    for (const answer of [await developer.list(id), await developer.list(id)]) {
      expect([answer.status, answer.body.listed]).toEqual([200, true])
    }
    expect((await inCatalogue(id)).status).toBe(200)
    const before = await everything(market)
    await developer.list(id)
    expect(await everything(market)).toEqual(before)
    for (const answer of [await developer.unlist(id), await developer.unlist(id)]) {
      expect([answer.status, answer.body.listed]).toEqual([200, false])
      expect(answer.body.visibility).toBe('unlisted')
    }
    expect((await inCatalogue(id)).body.listed).toBe(false)
    const { body } = await call(market, 'GET', `/v1/Apps?q=${id}`)
    expect(body).toEqual([])
  })

  test('an incomplete app cannot be listed: the error names all that is missing', async () => {
    const id = newId()
    await developer.create(draft(id, { description: ' \n', permissions: [] }))
    const before = await everything(market)
    const answer = await developer.list(id)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/description', '/permissions'])
    expect(await everything(market)).toEqual(before)
    await developer.put(draft(id, { version: '2' }))
    expect((await developer.list(id)).status).toBe(200)
  })

  test('the texts and addresses of the template cannot be listed, however they are written', async () => {
    const id = newId()
    await developer.create({ ...TEMPLATE, id })
    const answer = await developer.list(id)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([
      '/authReturnUrl',
      '/description',
      '/name',
      '/permissions/0/purpose',
      '/supportUrl',
      '/websiteUrl',
    ])
    const written = draft(id, {
      version: '2',
      name: 'MY  app!',
      description: ' what the App does for the accounts that\ninstall it',
      permissions: [{ id: 'products:write', purpose: 'Why the app reads the products' }],
      authReturnUrl: 'https://www.MY-APP.example:8443/back?x=1',
      websiteUrl: 'http://my-app.example./',
    })
    await developer.put(written)
    expect(pointersOf(await developer.list(id))).toEqual([
      '/authReturnUrl',
      '/description',
      '/name',
      '/permissions/0/purpose',
      '/websiteUrl',
    ])
    await developer.put(draft(id, { version: '3', websiteUrl: 'https://not-my-app.example' }))
    expect((await developer.list(id)).status).toBe(200)
  })

  test('an app that others find cannot become incomplete, dry run too', async () => {
    const id = newId()
    await developer.create(draft(id))
    await developer.list(id)
    const incomplete = draft(id, { description: '', permissions: [], version: '2' })
    for (const answer of [await developer.put(incomplete), await developer.dryRun(incomplete)]) {
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/description', '/permissions'])
    }
    await developer.unlist(id)
    expectProblem(await developer.put(incomplete), 'unprocessable')
    await developer.send('PUT', `/${id}/Visibility`, { visibility: 'draft' })
    expect((await developer.put(incomplete)).status).toBe(200)
  })

  test('unlisting keeps installations and their tokens working', async () => {
    const installation = demoInstallation(market, 'price-sync', 'Seller')
    const token = await installationToken(market, installation)
    expect((await developer.unlist('price-sync')).status).toBe(200)
    expect((await inCatalogue('price-sync')).body.listed).toBe(false)
    expect((await call(market, 'GET', '/v1/Products?limit=1', { token })).status).toBe(200)
    const fresh = await installationToken(market, installation)
    expect((await call(market, 'GET', '/v1/Products?limit=1', { token: fresh })).status).toBe(200)
    const { body } = await call(market, 'GET', '/v1/Developer/Installations?appId=price-sync', {
      token: developer.token,
    })
    expect(body.map(({ status }: { status: string }) => status)).toEqual(['active', 'active'])
    await developer.list('price-sync')
  })
})

describe('deleting', () => {
  test('a listed app tells its developer that it left the catalogue', async () => {
    const id = newId()
    await developer.create(draft(id))
    await developer.list(id)
    expect((await developer.remove(id)).status).toBe(204)
    const events = await market.deps.db.event.findMany({ where: { appId: id } })
    expect(events.map(({ type }) => type).sort()).toEqual(['app.listed', 'app.unlisted'])
  })

  test('with live installations is 409 app_in_use and changes nothing', async () => {
    const id = newId()
    await developer.create(draft(id))
    const installation = await installedBy(market, id, partyId)
    const before = await everything(market)
    const answer = await developer.remove(id)
    expectProblem(answer, 'app_in_use')
    expect(answer.body.installations).toBe(1)
    expect(await everything(market)).toEqual(before)
    await market.deps.db.installation.update({
      where: { id: installation },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    expect((await developer.remove(id)).status).toBe(204)
  })

  test('a suspended installation is a live one', async () => {
    const id = newId()
    await developer.create(draft(id))
    const installation = await installedBy(market, id, partyId)
    await market.deps.db.installation.update({
      where: { id: installation },
      data: { status: 'suspended', suspendedAt: new Date() },
    })
    expectProblem(await developer.remove(id), 'app_in_use')
  })

  test('is 204 without a body, and then everything of the app is 404', async () => {
    const id = newId()
    await developer.create(draft(id))
    await developer.putTerms(id, '# Terms')
    await developer.list(id)
    const answer = await developer.remove(id)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const path of ['', '/Versions', '/TermsDocument']) {
      expectProblem(await developer.send('GET', `/${id}${path}`), 'not_found')
    }
    for (const path of ['', '/TermsDocument', '/PurchaseOptions/free/Quote?records=1']) {
      expectProblem(await call(market, 'GET', `/v1/Apps/${id}${path}`), 'not_found')
    }
    expectProblem(await developer.put(draft(id)), 'not_found')
    expectProblem(await developer.list(id), 'not_found')
    expectProblem(await developer.putTerms(id, '# Other'), 'not_found')
    expectProblem(await developer.remove(id), 'not_found')
    const { body } = await developer.send('GET', '')
    expect(body.map((one: { id: string }) => one.id)).not.toContain(id)
  })

  test('frees the name, never the id, for anybody', async () => {
    const id = newId()
    await developer.create(draft(id, { name: 'Phoenix' }))
    await developer.remove(id)
    for (const one of [developer, other]) {
      const answer = await one.create(draft(id, { name: 'Something new' }))
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toEqual(['/id'])
    }
    expect((await other.create(draft(newId(), { name: 'PHOENIX' }))).status).toBe(201)
  })
})
