import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CHANGE_KINDS } from '../../../../src/marketplace/apps/versions/change-kinds.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  type Author,
  author,
  draft,
  everything,
  largeParts,
  newId,
  storedVersion,
} from '../../../setup/apps.ts'
import { richApp } from '../../../setup/apps-change-cases.ts'
import { demoInstallation } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { waitUntil } from '../../../setup/server-process.ts'

let market: TestMarketplace
let developer: Author
let _partyId: number
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  _partyId = demoInstallation(market, 'catalog-sync', 'Seller').partyId
})
afterAll(() => market.close())

type Change = { kind: keyof typeof CHANGE_KINDS; pointer: string; breaking: boolean }

describe('a version string', () => {
  test('once used with another definition cannot come back: 409 version_used', async () => {
    const { id, definition, edit } = await richApp(developer)
    await developer.put({ ...edit((copy) => copy.permissions.pop()), version: '2' })
    const before = await everything(market)
    const other = { ...edit((copy) => copy.purchaseOptions.pop()), version: '1.0.0' }
    for (const answer of [await developer.put(other), await developer.dryRun(other)]) {
      expectProblem(answer, 'version_used')
      expect(pointersOf(answer)).toEqual(['/version'])
      expect(answer.body.breaking).toBe(true)
    }
    expect(await everything(market)).toEqual(before)
    expect((await developer.read(id)).body.version).toBe('2')
    expect(definition.version).toBe('1.0.0')
  })

  test('comes back with the definition that it had', async () => {
    const { id, definition, edit } = await richApp(developer)
    const first = await storedVersion(market, id, '1.0.0')
    await developer.put({ ...edit((copy) => copy.permissions.pop()), version: '2' })
    const answer = await developer.put(definition)
    expect([answer.status, answer.body.version]).toEqual([200, '1.0.0'])
    expect(answer.body.permissions).toEqual(definition.permissions)
    expect(await storedVersion(market, id, '1.0.0')).toEqual(first)
    const { body } = await developer.versions(id)
    expect(
      body.map((one: { version: string; latest: boolean }) => [one.version, one.latest]),
    ).toEqual([
      ['2', false],
      ['1.0.0', true],
    ])
  })

  test('that comes back brings its own terms, and the dry run says so', async () => {
    const { id, definition } = await richApp(developer)
    const first = (await developer.putTerms(id, '# First')).body
    const second = (await developer.putTerms(id, '# Second', 'text/markdown', '?version=2')).body
    expect((await developer.read(id)).body.termsDocument).toEqual(second)
    const preview = await developer.dryRun(definition)
    expect(preview.body.changes.map(({ kind }: Change) => kind)).toEqual([
      'terms_document_changed',
      'version_changed',
    ])
    expect((await developer.put(definition)).body.termsDocument).toEqual(first)
  })

  test.each(['1', 'Ünïcode ✓ 2', '2026-11-21', 'v'.repeat(64), `${'1.0.0 '.trim()}+b`])(
    '%s may be one, and case makes another',
    async (version) => {
      const id = newId()
      expect((await developer.create(draft(id, { version }))).body.version).toBe(version)
      const upper = await developer.put(
        draft(id, { version: `${version.toUpperCase().slice(0, 60)}X` }),
      )
      expect(upper.status).toBe(200)
      expect((await developer.versions(id)).body).toHaveLength(2)
    },
  )
})

describe('a new version', () => {
  test('carries the terms over', async () => {
    const { id, definition } = await richApp(developer)
    const terms = (await developer.putTerms(id, '# Terms')).body
    expect((await developer.put({ ...definition, version: '2' })).body.termsDocument).toEqual(terms)
    const { body } = await developer.versions(id)
    expect(body.map((one: { termsDocument: unknown }) => one.termsDocument)).toEqual([terms, terms])
  })
})

describe('the list of versions', () => {
  test('is newest first, paged, with what changed from the one before', async () => {
    const { id, definition, edit } = await richApp(developer)
    await developer.put({ ...edit((copy) => copy.permissions.pop()), version: '2' })
    await developer.put({ ...edit((copy) => copy.purchaseOptions.pop()), version: '3' })
    const { body } = await developer.versions(id)
    expect(body.map((one: { version: string }) => one.version)).toEqual(['3', '2', '1.0.0'])
    expect(body[2].changes).toEqual([])
    expect(body[1].changes.map(({ kind }: Change) => kind)).toEqual([
      'permission_removed',
      'version_changed',
    ])
    expect(body[2]).toMatchObject({
      permissions: definition.permissions,
      settings: definition.settings,
    })

    expect(await pages(id, '?limit=1')).toEqual(body)
  })

  test('ends with 1 MiB of definitions, and leads on', async () => {
    const definition = draft(newId(), largeParts())
    await developer.create(definition)
    for (const version of ['2', '3']) await developer.put({ ...definition, version })
    const { body } = await developer.versions(definition.id)
    expect(versionsOf(body)).toEqual(['3', '2'])
    expect(body[1].changes).toHaveLength(1)
    expect(versionsOf(await pages(definition.id))).toEqual(['3', '2', '1.0.0'])
  })

  type Version = { version: string }
  const versionsOf = (body: Version[]) => body.map(({ version }) => version)

  async function pages(id: string, query = ''): Promise<Version[]> {
    const seen: Version[] = []
    let path: string | undefined = `/${id}/Versions${query}`
    while (path !== undefined) {
      const page = await developer.send('GET', path)
      seen.push(...page.body)
      path = /<[^>]*\/v1\/Developer\/Apps([^>]*)>; rel="next"/.exec(
        page.headers.get('link') ?? '',
      )?.[1]
    }
    return seen
  }
})

test('a developer has at most 8 requests about whole definitions at once; others are not held up', async () => {
  const definition = draft(newId())
  await developer.create(definition)
  const other = await author(market, 1)
  const theirs = draft(newId())
  await other.create(theirs)
  /** A request whose body does not come. */
  const begin = () => {
    const headers = {
      authorization: `Bearer ${developer.token}`,
      'content-type': 'application/json',
      'content-length': 100_000,
    }
    const path = `/v1/Developer/Apps/${definition.id}`
    const put = request(`${market.url}${path}`, { method: 'PUT', headers, agent: false })
    put.on('error', () => {}).flushHeaders()
    return put
  }
  const requests = Array.from({ length: 9 }, begin)
  const answers = requests.map((put) => once(put, 'response') as Promise<[IncomingMessage]>)
  const [answer] = await Promise.race(answers)
  expect(answer.statusCode).toBe(429)
  const refused = await developer.versions(definition.id)
  expectProblem(refused, 'too_many_requests')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await developer.put(definition)).status).toBe(200)
  expect((await other.versions(theirs.id)).status).toBe(200)
  for (const put of requests) put.destroy()
  await Promise.allSettled(answers)
  await waitUntil(async () => (await developer.versions(definition.id)).status === 200)
})
