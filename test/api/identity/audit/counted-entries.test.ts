import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, demoInstallation, installationToken } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { ask, serverWith } from '../../../setup/limits.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { newProductParty } from '../../../setup/product-client.ts'
import { enrol, signIn, tokenByCode } from '../../../setup/second-factor.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
// Every test has an hour of its own, and begins with it.
beforeEach(() => market.advance(3601 - ((market.deps.now().getTime() / 1000) % 3600)))

async function entries(query: string) {
  const operator = await operatorCalls(market)
  await market.deps.auditCounts.write()
  return (await operator('GET', `Audit?${query}`)).body
}

const userIdOf = async (email: string) =>
  (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).id

describe('minted tokens', () => {
  test('are one entry for an installation and hour, with a count', async () => {
    const { id, appId, partyId } = demoInstallation(market, 'catalog-sync')
    const of = `action=installation.tokens_minted&subjectId=${id}`
    const before = (await entries(of)).length
    for (let n = 0; n < 3; n += 1) await installationToken(market, { id, appId, partyId })
    const [first, ...rest] = await entries(of)
    expect(rest).toHaveLength(before)
    expect(first).toMatchObject({
      actor: { kind: 'developer' },
      partyId,
      before: null,
      after: {
        count: 3,
        lastAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
    await installationToken(market, { id, appId, partyId })
    const [again] = await entries(of)
    expect(again).toMatchObject({ id: first.id, after: { count: 4 } })
    market.advance(3600)
    await installationToken(market, { id, appId, partyId })
    expect((await entries(of))[0]).toMatchObject({ after: { count: 1 } })
  })

  test('of two processes are added up', async () => {
    const { createAuditCounts } = await import(
      '../../../../src/identity/audit/audit-counts-service.ts'
    )
    const { pool, log, now } = market.deps
    const entry = {
      actor: { kind: 'system', id: null, address: null },
      action: 'installation.opened',
      subject: { kind: 'test', id: 'two' },
    } as const
    const processes = [createAuditCounts(pool, log, now), createAuditCounts(pool, log, now)]
    for (const one of processes) for (let n = 0; n < 50; n += 1) one.add(entry)
    await Promise.all(processes.map((one) => one.close()))
    expect(await entries('subjectId=two')).toMatchObject([{ after: { count: 100 } }])
  })

  test('that cannot be written are kept for the next time', async () => {
    const { createAuditCounts } = await import(
      '../../../../src/identity/audit/audit-counts-service.ts'
    )
    const { pool, log, now } = market.deps
    let isAway = true
    const query = (text: string, values: unknown[]) => {
      if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      return pool.query(text, values)
    }
    const counts = createAuditCounts({ query } as never, log, now)
    const subject = { kind: 'test', id: 'away' }
    counts.add({ actor: SYSTEM, action: 'installation.opened', subject })
    await counts.write()
    counts.add({ actor: SYSTEM, action: 'installation.opened', subject })
    isAway = false
    await counts.close()
    expect(await entries('subjectId=away')).toMatchObject([{ after: { count: 2 } }])
  })
})

describe('sign-ins', () => {
  test('are in the trail, with their address', async () => {
    const user = demoUser(market, 'Seller')
    const id = await userIdOf(user.email)
    await signedIn(market, user)
    await accountToken(market, user)
    const [entry] = await entries(`action=user.signed_in&subjectId=${id}`)
    expect(entry).toMatchObject({
      actor: { kind: 'user', id },
      address: '127.0.0.1',
      after: { count: 2 },
    })
  })

  test('behind a proxy are one entry for an address, whatever port it writes beside', async () => {
    const { email, password } = demoUser(market, 'Seller')
    const proxied = (await serverWith(market, { trustProxy: '192.0.2.1' })).app
    const ports = [1000, 1001].flatMap((port) => [`9.9.9.9:${port}`, `[2001:db8::1]:${port}`])
    for (const text of [...ports, 'garbage', 'g'.repeat(8000)]) {
      const headers = { 'x-forwarded-for': text }
      const body = { email, password }
      await ask(proxied, '/v1/Account/Auth', { method: 'POST', headers, body })
    }
    await proxied.close()
    const found = await entries(`action=user.signed_in&subjectId=${await userIdOf(email)}`)
    const now = found.slice(0, 3) as { address: string; after: { count: number } }[]
    // Of what is no address, the address of the proxy stays.
    expect(new Map(now.map(({ address, after }) => [address, after.count]))).toEqual(
      new Map([
        ['9.9.9.9', 2],
        ['2001:db8::1', 2],
        ['192.0.2.1', 2],
      ]),
    )
  })

  test('that fail are one entry for a user and hour, and one for all who are unknown', async () => {
    const { email } = demoUser(market, 'Seller')
    const id = await userIdOf(email)
    const secret = 'typed-by-mistake'
    for (let n = 0; n < 3; n += 1) await webClient(market).login({ email, password: 'wrong' })
    for (const one of [`${secret}-1`, `${secret}-2`]) {
      await call(market, 'POST', '/v1/Account/Auth', { body: { email: one, password: 'wrong' } })
    }
    const failed = await entries('action=user.sign_in_failed')
    const bySubject = new Map(
      failed.map((one: { subject: { id: string }; after: object }) => [one.subject.id, one.after]),
    )
    expect(bySubject.get(id)).toMatchObject({ count: 3 })
    expect(bySubject.get('unknown')).toMatchObject({ count: 2 })
    const { rows } = await market.deps.pool.query('SELECT * FROM audit_counts')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('that fail by a wrong code of the second factor count, too', async () => {
    const { user } = await newCustomer(market)
    const { secret } = await enrol(market, user)
    await signIn(market, user, '000000')
    const token = await tokenByCode(market, user, secret)
    const path = '/v1/Account/SecondFactor/RecoveryCodes'
    await call(market, 'POST', path, { token, body: { otp: 'wrong' } })
    const [entry] = await entries(`action=user.sign_in_failed&subjectId=${user.id}`)
    expect(entry).toMatchObject({ address: '127.0.0.1', after: { count: 2 } })
  })

  test('of developers are told to the developer, failed ones without the address', async () => {
    const [developer] = market.demo.developers
    if (developer === undefined) throw new Error('the demo has no developer')
    const { clientId, password } = developer
    const signIn = (tried: string) =>
      call(market, 'POST', '/v1/Auth', { body: { clientId, password: tried } })
    await signIn('wrong')
    const { body } = await signIn(password)
    await market.deps.auditCounts.write()
    const path = '/v1/Developer/Audit?action=developer.sign_in_failed'
    const own = await call(market, 'GET', path, { token: body.token })
    expect(own.body[0]).toMatchObject({ subject: { kind: 'credential' }, after: { count: 1 } })
    expect(own.text).not.toContain('127.0.0.1')
  })
})

describe('the redirect', () => {
  test('is one entry for a user, installation and hour', async () => {
    const { id, appId, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const user = market.demo.users.find((one) => one.partyId === partyId)
    if (user === undefined) throw new Error('the demo has no such user')
    const browser = await signedIn(market, user)
    for (let n = 0; n < 2; n += 1) {
      expect((await browser.get(`/Apps/Authenticate/${appId}`)).status).toBe(303)
    }
    const [entry] = await entries(`action=installation.opened&subjectId=${id}`)
    expect(entry).toMatchObject({ actor: { kind: 'user' }, partyId, after: { count: 2 } })
  })
})

test('products written one at a time are an entry for each kind of change, address and hour', async () => {
  const { partyId, installationId, ...seller } = await newProductParty(market)
  const record = (n: number) => ({ brand: 'Acme', partNumber: `n-${n}`, inStock: 1 })
  const ids: number[] = []
  for (const n of [1, 2, 3]) ids.push((await seller.upsert(record(n))).body.id)
  await seller.upsert({ ...record(1), inStock: 2 })
  await seller.patch(ids[1] ?? 0, { inStock: 2 })
  await seller.remove(ids[2] ?? 0)
  // None of these changes anything.
  await seller.upsert({ ...record(2), inStock: 2 })
  await seller.patch(ids[1] ?? 0, {})
  await seller.remove(ids[2] ?? 0)
  await seller.patch(ids[1] ?? 0, { inStock: 3 }, { 'if-match': '"0"' })
  const found = await entries(`partyId=${partyId}&actorKind=installation`)
  const counts = found.map((one: { action: string; after: { count: number } }) => [
    one.action,
    one.after.count,
  ])
  expect(Object.fromEntries(counts)).toEqual({
    'products.added': 3,
    'products.changed': 2,
    'products.deleted': 1,
  })
  const { developerId } = await market.deps.db.installation.findUniqueOrThrow({
    where: { id: installationId },
  })
  for (const entry of found) {
    expect(entry).toMatchObject({
      actor: { kind: 'installation', id: installationId },
      subject: { kind: 'party', id: String(partyId) },
      address: '127.0.0.1',
      developerId,
    })
  }
})

describe('the database', () => {
  test.each([
    ['lowers no count', 'UPDATE audit_counts SET count = count - 1 WHERE count > 1'],
    ['changes no entry', "UPDATE audit_counts SET action = 'other'"],
    ['deletes none', 'DELETE FROM audit_counts'],
    ['empties nothing', 'TRUNCATE audit_counts'],
  ])('%s', async (_name, sql) => {
    await expect(market.deps.pool.query(sql)).rejects.toThrow()
  })
})

test('the console shows how often, and of what was done once, to how many', async () => {
  const browser = await signedIn(market, market.demo.operator)
  await signedIn(market, demoUser(market, 'Seller'))
  await market.deps.auditCounts.write()
  const page = (await browser.get('/Operator/Audit?action=user.signed_in')).text
  expect(page).toMatch(/<bdi>Kim Keyline<\/bdi><\/a> signed in<\/span>/)
  const user = demoUser(market, 'Buyer')
  const [own] = [await signedIn(market, user), await signedIn(market, user)]
  const form = hiddenFields((await own.get('/Account/Security')).text)
  expect((await own.submit('/Account/Sessions/EndOthers', form)).status).toBe(303)
  const ended = (await browser.get('/Operator/Audit?action=user.sessions_ended')).text
  expect(ended).toContain('<bdi>1 session</bdi>')
  expect(ended).not.toContain('in this hour')
})
