import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { BIG_TABLES, type Big, seedBigMarketplace } from '../setup/big-marketplace.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../setup/client.ts'
import { withWholeOperations } from '../setup/contract.ts'
import { filtersOf, filterValues, withIds } from '../setup/list-aims.ts'
import { operatorBrowser } from '../setup/operator.ts'
import { noteStatements, openExplainer, readTooMuch } from '../setup/statements.ts'
import { signedIn, signedInDeveloper, type WebClient } from '../setup/web-client.ts'

/** Of tables with tens of thousands: what a page of a list may fetch, and count in an index. */
const BOUNDS = { rows: 1_500, indexRows: 12_000 }
const LIMIT = 100
const PAGES = 9
const TABLES = new Set([...BIG_TABLES, 'acceptances'])

let market: TestMarketplace
let big: Big
let endpointId: string
/** Of an account of the user. */
let ownInstallation: string
let explainer: pg.Client
let statements: ReturnType<typeof noteStatements>
let tokens: Record<string, string>
let browsers: Record<'operator' | 'user' | 'developer', WebClient>

beforeAll(async () => {
  market = await startMarketplace()
  statements = noteStatements(market.deps.pool)
  explainer = await openExplainer(market.databaseUrl)
  big = await seedBigMarketplace(explainer, market)
  const [user] = market.demo.users.filter(({ partyId }) => partyId === big.bigParty)
  if (user === undefined) throw new Error('the demo has no such user')
  const ofUser = market.demo.installations.find(({ partyId }) => partyId === user.partyId)
  ownInstallation = ofUser?.id ?? ''
  await seedAcceptances([big.installation, ownInstallation])
  tokens = {
    developer: await developerToken(market),
    operator: await accountToken(market, market.demo.operator),
    account: await accountToken(market, user),
    installation: await installationToken(market, demoInstallation(market, 'catalog-sync')),
    public: '',
  }
  const { body } = await call(market, 'POST', `/v1/Developer/Apps/${big.bigApp}/Webhooks`, {
    token: tokens.developer ?? '',
    body: { url: 'https://hooks.example.com/events' },
  })
  endpointId = body.id
  browsers = {
    operator: await operatorBrowser(market),
    user: await signedIn(market, user),
    developer: await signedInDeveloper(market),
  }
})
afterAll(async () => {
  await explainer?.end()
  await market?.close()
})

/** Makes something be accepted for all installations, and much for some. */
async function seedAcceptances(ids: string[]): Promise<void> {
  await explainer.query(
    `INSERT INTO acceptances (installation_id, kind, subject_id, sha256, version, actor_kind)
     SELECT i.id, 'acknowledgement', n, n, n, 'user' FROM installations i
     CROSS JOIN generate_series(1, CASE WHEN i.id = ANY ($1::uuid[]) THEN 1000 ELSE 1 END) n`,
    [ids],
  )
  await explainer.query('VACUUM ANALYZE acceptances')
}

/** A route's path with ids of things that have much, and that its reader may see. */
const withOwnIds = (url: string) => {
  const isAccounts = /^\/(v1\/Account|Installed)\//.test(url)
  return withIds(url, isAccounts ? { ...big, installation: ownInstallation } : big, endpointId)
}

async function explainAll(where: string): Promise<string[]> {
  const faults = new Set<string>()
  const seen = new Set<string>()
  for (const sent of statements.take()) {
    const key = JSON.stringify(sent, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    const isRead = /^\s*(select|with)\b/i.test(sent.text)
    if (!isRead || seen.has(key) || ![...TABLES].some((one) => sent.text.includes(one))) continue
    seen.add(key)
    for (const fault of await readTooMuch(explainer, sent, TABLES, BOUNDS)) {
      faults.add(`${where}: ${fault} in ${sent.text.replace(/\s+/g, ' ').slice(0, 2000)}`)
    }
  }
  return [...faults]
}

type Operation = { parameters?: { name: string; in: string }[]; security?: unknown[] }

/** The lists of the API say so themselves: they take a cursor. */
async function lists(): Promise<{ url: string; audience: string; filters: string[] }[]> {
  const { body } = await call(market, 'GET', '/openapi.json')
  const { paths } = withWholeOperations(body)
  return market.app.routes.all().flatMap(({ method, url, audience = '' }) => {
    const path = url.replace(/:(\w+)/g, '{$1}')
    const operation: Operation | undefined = method === 'GET' ? paths[path]?.get : undefined
    const names = operation?.parameters?.flatMap((one) => (one.in === 'query' ? [one.name] : []))
    if (!names?.includes('cursor')) return []
    const filters = names.filter((name) => name !== 'cursor' && name !== 'limit')
    return [{ url: withOwnIds(url), audience, filters }]
  })
}

describe('no list reads more of a big table than its page', () => {
  test('of the API, with any one filter', async () => {
    const faults: string[] = []
    const all = await lists()
    expect(all.length).toBeGreaterThan(15)
    for (const { url, audience, filters } of all) {
      const token = tokens[audience] ? { token: tokens[audience] } : {}
      // Products are in tables of their own, with tests of their own.
      const narrowed = audience === 'installation' ? [] : filters
      const queries = narrowed.flatMap((name) => {
        const known = filterValues(big)[name]
        if (known === undefined) throw new Error(`${url}: the test has no values for ${name}`)
        return known.map((value) => `&${name}=${encodeURIComponent(value)}`)
      })
      for (const query of ['', ...queries]) {
        statements.take()
        const { status, text } = await call(market, 'GET', `${url}?limit=${LIMIT}${query}`, token)
        if (status === 200) faults.push(...(await explainAll(`GET ${url}?${query}`)))
        // A filter may not know all values of another list's of its name.
        else expect([url, query, status, text]).toEqual([url, query, 400, expect.any(String)])
      }
    }
    expect(faults).toEqual([])
  })

  test('of the API, far from its beginning', async () => {
    const faults: string[] = []
    for (const { url, audience } of await lists()) {
      const token = tokens[audience] ? { token: tokens[audience] } : {}
      let next: string | undefined = `${url}?limit=1000`
      for (let pages = 0; next !== undefined && pages < PAGES; pages++) {
        statements.take()
        const last = pages === PAGES - 1
        const path: string = last ? next.replace('limit=1000', `limit=${LIMIT}`) : next
        const { headers } = await call(market, 'GET', path, token)
        next = /<https?:\/\/[^/]+([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
        if (last) faults.push(...(await explainAll(`GET ${path}`)))
      }
    }
    expect(faults).toEqual([])
  })

  test('of the pages, bare and with each filter', async () => {
    const faults: string[] = []
    const pages = market.app.routes
      .all()
      .filter(
        ({ method, url, audience }) => method === 'GET' && audience === 'browser' && url !== '*',
      )
    expect(pages.length).toBeGreaterThan(60)
    for (const { url } of pages) {
      const browser = /^\/Operator/.test(url)
        ? browsers.operator
        : browsers[/^\/Developer/.test(url) ? 'developer' : 'user']
      const path = withOwnIds(url)
      statements.take()
      const { status, text } = await browser.get(path)
      expect([path, status < 500]).toEqual([path, true])
      faults.push(...(await explainAll(`page ${path}`)))
      const queries = filtersOf(text).flatMap((name) =>
        (filterValues(big)[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
      )
      const orders = [...text.matchAll(/class="sort" href="[^"]*sort=-?(\w+)"/g)].map(
        ([, by]) => by,
      )
      const sorted = orders.flatMap((by) => [`sort=${by}`, `sort=-${by}`])
      for (const query of [...queries, ...sorted]) {
        statements.take()
        const page = await browser.get(`${path}?${query}`)
        expect([path, query, page.status < 500]).toEqual([path, query, true])
        faults.push(...(await explainAll(`page ${path}?${query}`)))
      }
    }
    expect(faults).toEqual([])
  }, 240_000)

  test('of the search, whoever searches', async () => {
    const faults: string[] = []
    const ids = [big.installation, big.user, big.bigDeveloper]
    for (const [who, browser] of Object.entries(browsers)) {
      for (const q of [...(filterValues(big).q ?? []), 'Seeded party 7', ...ids]) {
        statements.take()
        const { status } = await browser.get(`/Search?q=${encodeURIComponent(q)}`)
        expect([who, q, status]).toEqual([who, q, 200])
        faults.push(...(await explainAll(`search of the ${who} for ${q}`)))
      }
    }
    expect(faults).toEqual([])
  })
})
