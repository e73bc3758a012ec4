import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Deps } from '../../src/deps.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { openSession, readSession } from '../../src/identity/auth/user-session-service.ts'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../src/marketplace/installations/mint-token-service.ts'
import { RAISE_NUMBERS } from '../../src/operation/backup/raise-numbers-service.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { type Backups, query, startBackups } from '../setup/backups.ts'
import type { Answer } from '../setup/client.ts'
import { expectProblem } from '../setup/expect-problem.ts'
import { freePort } from '../setup/free-port.ts'
import { newProductParty, type ProductParty, productClient } from '../setup/product-client.ts'
import { credentialOf } from '../setup/token-maker.ts'

const record = (partNumber: string) => ({ brand: 'Acme', partNumber, inStock: 1 })
const linkOf = ({ headers }: Answer) =>
  new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '').search

let backups: Backups
let seller: ProductParty
let cookie: string | undefined
beforeAll(async () => {
  backups = await startBackups(async (market) => {
    seller = await newProductParty(market)
    await seller.upsert(record('KEPT'))
    cookie = await signIn(market.deps)
  })
})
afterAll(() => backups.close())

/** Opens a session of an operator, and returns its cookie. */
async function signIn(deps: Deps) {
  const device = { browser: '', network: '' }
  const user = await deps.db.user.findFirstOrThrow({ where: { operator: true } })
  return openSession(deps, { ...user, device }, undefined)
}

const isSignedIn = async (deps: Deps) => (await readSession(deps, cookie)) !== undefined

/** A server on a database that was restored, as the same app sees it with a new token. */
async function serveRestored() {
  const { market, emptyDatabase, restoreInto } = backups
  const url = await emptyDatabase()
  expect(await restoreInto(url)).toMatchObject({ code: 0 })
  const { config, log } = market.deps
  const runtime = await openRuntime(config, log, { url, close: async () => {} })
  const app = await buildApp({
    deps: runtime.deps,
    version: 'test',
    readiness: async () => undefined,
  })
  const port = await freePort()
  await app.listen({ port, host: '127.0.0.1' })
  const where = { id: seller.installationId }
  const installation = await runtime.deps.db.installation.findUniqueOrThrow({ where })
  const maker = await credentialOf(runtime.deps.db, installation)
  const claims = tokenClaims(installation, ['products:read', 'products:write'], maker)
  const { token } = await issueToken(runtime.deps, claims, 3600)
  const clientWith = (token: string) => productClient({ url: `http://127.0.0.1:${port}` }, token)
  return {
    url: `http://127.0.0.1:${port}`,
    deps: runtime.deps,
    products: clientWith(token),
    formerly: clientWith(seller.token),
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await runtime.close()
    },
  }
}

test('what was given out after the backup means nothing else after a restore', async () => {
  const { deps } = backups.market
  const lost = await seller.upsert(record('LOST-1'))
  await seller.upsert(record('LOST-2'))
  const party = { name: 'Lost', type: 'Seller' } as const
  const lostParty = await createParty(deps, party)
  const cursor = linkOf(await seller.changes())
  const page = (await seller.list('?brand=Acme')).headers.get('etag') ?? ''

  const restored = await serveRestored()
  try {
    const { products, formerly } = restored
    expectProblem(await formerly.list(), 'invalid_token')
    const behind = await products.changes(cursor)
    // As many changes as were lost, and one more: each would have a number of the lost ones.
    const made = [await products.upsert(record('NEW-1')), await products.upsert(record('NEW-2'))]
    const equal = await products.list('?brand=Acme')
    expect(
      (await products.send('GET', '?brand=Acme', undefined, { 'if-none-match': page })).status,
    ).toBe(200)
    made.push(await products.upsert(record('NEW-3')))
    expectProblem(behind, 'cursor_expired')
    expectProblem(await products.changes(cursor), 'cursor_expired')
    expect(equal.headers.get('etag')).not.toBe(page)

    expectProblem(await products.patch(lost.body.id, { inStock: 9 }), 'not_found')
    const etags = made.map(({ headers }) => headers.get('etag'))
    expect(etags).not.toContain(lost.headers.get('etag'))
    expect((await createParty(restored.deps, party)).id).not.toBe(lostParty.id)

    const all = await products.changes()
    expect(all.body.map(({ id }: { id: number }) => id)).toHaveLength(4)
    const next = linkOf(all)
    await products.upsert(record('NEW-4'))
    expect((await products.changes(next)).body).toMatchObject([
      { product: { partNumber: 'NEW-4' } },
    ])
  } finally {
    await restored.close()
  }
})

test('a token that was revoked after the backup stays so, also when others are revoked again', async () => {
  const { deps } = backups.market
  const where = { id: seller.installationId }
  const revoke = (db: typeof deps.db) =>
    db.installation.update({ where, data: { tokenGeneration: { increment: 1 } } })
  const { permissions, ...lost } = await revoke(deps.db)
  const claims = tokenClaims(
    { ...lost, permissions },
    permissions,
    await credentialOf(deps.db, lost),
  )
  const { token } = await issueToken(deps, claims, 3600)
  await revoke(deps.db)

  const restored = await serveRestored()
  try {
    await revoke(restored.deps.db)
    expectProblem(await productClient(restored, token).list(), 'invalid_token')
  } finally {
    await restored.close()
  }
})

test('everybody signs in again after a restore, also who was signed out since the backup', async () => {
  expect(await isSignedIn(backups.market.deps)).toBe(true)
  const restored = await serveRestored()
  try {
    expect(await isSignedIn(restored.deps)).toBe(false)
  } finally {
    await restored.close()
  }
})

test('revisions and sequences are beyond those that were given out before', async () => {
  const url = await backups.emptyDatabase()
  expect(await backups.restoreInto(url)).toMatchObject({ code: 0 })
  for (const table of ['apps', 'installations']) {
    const revisions = `SELECT max(revision) AS last, min(revision) AS first FROM ${table}`
    const [before] = await query<{ last: number }>(backups.market.databaseUrl, revisions)
    const [after] = await query<{ first: number }>(url, revisions)
    expect(after?.first).toBeGreaterThan((before?.last ?? 0) + 999_000)
  }
  const lastValues = `SELECT sequencename AS name, coalesce(last_value, 0)::float AS last
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`
  type Sequence = { name: string; last: number }
  const before = await query<Sequence>(backups.market.databaseUrl, lastValues)
  const after = await query<Sequence>(url, lastValues)
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  const rises = after.map(({ last }, index) => last - (before[index]?.last ?? 0))
  expect(Math.min(...rises)).toBeGreaterThan(999_000)
})

test('the guide has the same statements for pg_restore', async () => {
  const guide = await readFile(new URL('../../docs/backup-and-upgrade.md', import.meta.url), 'utf8')
  expect(guide.includes(`\`\`\`sql\n${RAISE_NUMBERS}\`\`\`\n`)).toBe(true)
})
