import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type DeveloperConsole, newDeveloper } from '../../../setup/console.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { signedIn, webClient } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
})

async function newApp(releaseNotes: string) {
  const definition = { ...draft(newId()), releaseNotes }
  expect((await developer.create(definition)).status).toBe(201)
  expect((await developer.list(definition.id)).status).toBe(200)
  return definition
}

describe('release notes', () => {
  test('belong to the version, and come back with it', async () => {
    const definition = await newApp('* First')
    const { id } = definition
    expect((await call(market, 'GET', `/v1/Apps/${id}`)).body.releaseNotes).toBe('* First')
    await developer.put({ ...definition, version: '2', releaseNotes: '* Second' })
    const { body } = await developer.versions(id)
    expect(body.map((one: { releaseNotes: string }) => one.releaseNotes)).toEqual([
      '* Second',
      '* First',
    ])
    const own = await developer.send('GET', `/${id}/Definition`)
    expect(own.body).toMatchObject({ version: '2', releaseNotes: '* Second' })
    // Left out, there are none.
    const { releaseNotes: _none, ...rest } = definition
    await developer.put({ ...rest, version: '3' })
    expect((await developer.read(id)).body.releaseNotes).toBe('')
  })

  test('change without a new version, also of one that is installed', async () => {
    const definition = await newApp('* A tpyo')
    const customer = await newCustomer(market)
    const install = { appId: definition.id, purchaseOptionId: 'free' }
    expect((await customer.install(install)).status).toBe(201)
    const mended = { ...definition, releaseNotes: '* A typo' }
    expect((await developer.dryRun(mended)).body).toMatchObject({
      changes: [{ kind: 'release_notes_changed', pointer: '/releaseNotes', breaking: false }],
      breaking: false,
    })
    expect((await developer.put(mended)).body.releaseNotes).toBe('* A typo')
  })

  test('are no change between two versions', async () => {
    const definition = await newApp('* First')
    const next = { ...definition, version: '2', releaseNotes: '* Second' }
    const { body } = await developer.dryRun(next)
    expect(body.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['version_changed'])
  })

  test.each([
    ['more than 10,000 bytes', 'x'.repeat(10_001)],
    ['fewer characters than that', 'ä'.repeat(5_001)],
    ['control characters', 'a\u0000b'],
  ])('of %s are refused', async (_, releaseNotes) => {
    const answer = await developer.create(draft(newId(), { releaseNotes }))
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual(['/releaseNotes'])
    expectProblem(await developer.create(draft(newId(), { releaseNotes: 1 })), 'invalid_request')
  })

  test('are read before an upgrade, in the versions and on the listing, without HTML', async () => {
    const definition = await newApp('')
    const customer = await newCustomer(market)
    const install = { appId: definition.id, purchaseOptionId: 'free' }
    const { body: installation } = await customer.install(install)
    const releaseNotes = '* **Faster** <script>alert(1)</script>'
    await developer.put({ ...definition, version: '2', releaseNotes })
    expect((await customer.previewUpgrade(installation.id)).body.releaseNotes).toBe(releaseNotes)
    const client = await signedIn(market, customer.user)
    const pages = [
      await client.get(`/Installed/${installation.id}/Upgrade`),
      await browser.get(`/Apps/${definition.id}/Versions`),
      await webClient(market).get(`/Apps/${definition.id}`),
    ]
    for (const { status, text } of pages) {
      expect(status).toBe(200)
      expect(text).toContain('<strong>Faster</strong>')
      expect(text).not.toContain('<script>alert')
    }
  })
})
