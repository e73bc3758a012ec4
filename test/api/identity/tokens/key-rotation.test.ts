import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../../src/app.ts'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import type { Deps } from '../../../../src/deps.ts'
import type { App } from '../../../../src/http/app-type.ts'
import { signingKeyContext } from '../../../../src/identity/tokens/jws.ts'
import { openKeyRing } from '../../../../src/identity/tokens/keys-service.ts'
import { rotateSigningKeys } from '../../../../src/identity/tokens/rotate-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { demoInstallation } from '../../../setup/client.ts'
import { decode, signedBy } from '../../../setup/forge.ts'

const PUBLISHED_AHEAD = 600
const DAY = 86_400

/** Two servers on one database, each with what it remembers, on one clock. */
let market: TestMarketplace
let one: App
let two: App
beforeEach(async () => {
  market = await startMarketplace()
  one = market.app
  two = await replica()
})
afterEach(async () => {
  await two.close()
  await market.close()
})

async function replica(deps: Partial<Deps> = {}): Promise<App> {
  const { db, secrets, now } = market.deps
  const keys = await openKeyRing({ db, secrets, now })
  return buildApp({
    deps: { ...market.deps, keys, ...deps },
    version: 'test',
    readiness: async () => undefined,
  })
}

const rotate = (leaked = false, deps: Partial<Deps> = {}) =>
  rotateSigningKeys({ ...market.deps, ...deps }, { actor: SYSTEM, leaked })

const kidOf = (token: string): string => decode(token.split('.')[0] as string).kid
async function publishedBy(app: App): Promise<string[]> {
  const answer = await app.inject('/.well-known/jwks.json')
  return answer.json().keys.map(({ kid }: { kid: string }) => kid)
}
async function signIn(app: App): Promise<string> {
  const [developer] = market.demo.developers
  const payload = { clientId: developer?.clientId, password: developer?.password }
  const answer = await app.inject({ method: 'POST', url: '/v1/Auth', payload })
  expect(answer.statusCode).toBe(200)
  return answer.json().token
}
async function signInUser(app: App): Promise<string> {
  const [user] = market.demo.users
  const payload = { email: user?.email, password: user?.password }
  return (await app.inject({ method: 'POST', url: '/v1/Account/Auth', payload })).json().token
}
async function mint(app: App, developer: string, expiresIn = 3600): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/Developer/Token',
    headers: { authorization: `Bearer ${developer}` },
    payload: { installationId: demoInstallation(market, 'price-sync', 'Seller').id, expiresIn },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json().token
}
const statusOf = async (app: App, url: string, token: string) =>
  (await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode
const products = (app: App, token: string) => statusOf(app, '/v1/Products?limit=1', token)
async function onBoth(token: string): Promise<number[]> {
  return [await products(one, token), await products(two, token)]
}

describe('a rotation', () => {
  test('publishes the new key at once, on every replica, and signs later, on every replica', async () => {
    const developer = await signIn(one)
    const [old = ''] = await publishedBy(two)
    const { kid, signFrom, retired } = await rotate()
    expect(retired).toEqual([old])
    expect(signFrom.getTime() - market.deps.now().getTime()).toBeGreaterThan(
      (PUBLISHED_AHEAD - 60) * 1000,
    )
    for (const app of [one, two]) {
      expect(await publishedBy(app)).toEqual([old, kid])
      expect(kidOf(await mint(app, developer))).toBe(old)
    }
    market.advance(PUBLISHED_AHEAD - 60)
    for (const app of [one, two]) expect(kidOf(await mint(app, developer))).toBe(old)
    market.advance(61)
    for (const app of [one, two]) {
      const token = await mint(app, developer)
      expect(kidOf(token)).toBe(kid)
      expect(await onBoth(token)).toEqual([200, 200])
    }
  })

  test('keeps all tokens valid; the old key is removed when its last token has run out', async () => {
    const { kid } = await rotate()
    market.advance(PUBLISHED_AHEAD - 60)
    const last = await mint(two, await signIn(one), DAY)
    const old = kidOf(last)
    expect(old).not.toBe(kid)
    market.advance(DAY - 60)
    expect(await onBoth(last)).toEqual([200, 200])
    expect(await publishedBy(one)).toEqual([old, kid])
    market.advance(121)
    expect(await onBoth(last)).toEqual([401, 401])
    for (const app of [one, two]) expect(await publishedBy(app)).toEqual([kid])
  })

  test('after that the old key verifies nothing, whatever exp says, and is removed', async () => {
    const developer = await signIn(one)
    const token = await mint(one, developer)
    const row = await market.deps.db.signingKey.findFirstOrThrow()
    const pem = market.deps.secrets.decrypt(row.privateKey, signingKeyContext(row.kid))
    const [header, claims] = token.split('.').slice(0, 2).map(decode)
    const stillFresh = () => {
      const iat = Math.floor(market.deps.now().getTime() / 1000)
      const forged = { ...claims, iat, exp: iat + 900 }
      return signedBy(createPrivateKey(pem.toString()), header, forged)
    }
    await rotate()
    expect(await onBoth(stillFresh())).toEqual([200, 200])
    market.advance(PUBLISHED_AHEAD + DAY + 1)
    expect(await onBoth(stillFresh())).toEqual([401, 401])
    await rotate()
    expect(await market.deps.db.signingKey.count({ where: { kid: row.kid } })).toBe(0)
    expect(await onBoth(stillFresh())).toEqual([401, 401])
  })

  test('keeps the old key for account tokens, even where all other tokens are shorter', async () => {
    const token = await signInUser(one)
    const config = { ...market.deps.config, maxTokenTtlSeconds: 60, developerTokenTtlSeconds: 60 }
    const { signFrom, verifyUntil } = await rotate(false, { config })
    expect(verifyUntil.getTime() - signFrom.getTime()).toBe(3_600_000)
    market.advance(3500)
    expect(await statusOf(two, '/v1/Account', token)).toBe(200)
  })

  test('keeps the old key for developer tokens that live longer than all others', async () => {
    const config = { ...market.deps.config, maxTokenTtlSeconds: 60, developerTokenTtlSeconds: DAY }
    const { signFrom, verifyUntil } = await rotate(false, { config })
    expect(verifyUntil.getTime() - signFrom.getTime()).toBe(DAY * 1000)
  })

  test('may be repeated before the first new key signs, and run twice at once', async () => {
    const developer = await signIn(one)
    const old = kidOf(developer)
    const rotations = await Promise.all([rotate(), rotate(), rotate()])
    const kids = rotations.map(({ kid }) => kid)
    expect((await publishedBy(two)).sort()).toEqual([old, ...kids].sort())
    expect(kidOf(await mint(one, developer))).toBe(old)
    market.advance(PUBLISHED_AHEAD + 1)
    const tokens = [await mint(one, developer), await mint(two, developer)]
    expect(new Set(tokens.map(kidOf)).size).toBe(1)
    expect(kids).toContain(kidOf(tokens[0] ?? ''))
    for (const token of tokens) expect(await onBoth(token)).toEqual([200, 200])
  })

  test('during minting on both replicas breaks no token', async () => {
    const developer = await signIn(one)
    const minting = Array.from({ length: 40 }, (_, index) => mint(index % 2 ? one : two, developer))
    await Promise.all([rotate(), rotate(), ...minting])
    for (const token of await Promise.all(minting)) {
      expect(await onBoth(token)).toEqual([200, 200])
    }
  })

  test('is in the audit trail, and no private key is in it or in clear in the database', async () => {
    const { kid, retired } = await rotate()
    const event = await market.deps.db.auditEvent.findFirstOrThrow({
      where: { action: 'keys.rotated' },
    })
    expect(event).toMatchObject({
      subjectKind: 'signing_key',
      subjectId: kid,
      after: { retired, leaked: false, signFrom: expect.any(String) },
    })
    const rows = await market.deps.db.signingKey.findMany()
    for (const { privateKey, publicJwk } of rows) {
      expect(Buffer.from(privateKey).toString('latin1')).not.toContain('PRIVATE KEY')
      expect(Object.keys(publicJwk as object).sort()).toEqual(['crv', 'kty', 'x', 'y'])
    }
  })
})

describe('a rotation after a leak', () => {
  test('ends every earlier token at the next request on every replica, and new ones work', async () => {
    const developer = await signIn(one)
    const account = await signInUser(two)
    const token = await mint(two, developer)
    expect(await onBoth(token)).toEqual([200, 200])
    const { kid } = await rotate(true)
    expect(await onBoth(token)).toEqual([401, 401])
    for (const app of [one, two]) {
      expect(await statusOf(app, '/v1/Developer/Installations', developer)).toBe(401)
      expect(await statusOf(app, '/v1/Account', account)).toBe(401)
      expect(await publishedBy(app)).toEqual([kid])
    }
    for (const app of [one, two]) {
      const fresh = await mint(app, await signIn(app))
      expect(kidOf(fresh)).toBe(kid)
      expect(await onBoth(fresh)).toEqual([200, 200])
    }
  })

  test('makes a replica that has not read the keys yet sign with the new key at once', async () => {
    const { kid } = await rotate(true)
    expect(kidOf(await signIn(two))).toBe(kid)
    expect(kidOf(await signInUser(one))).toBe(kid)
  })

  test('makes the old private key worthless', async () => {
    const token = await mint(one, await signIn(one))
    const row = await market.deps.db.signingKey.findFirstOrThrow()
    const pem = market.deps.secrets.decrypt(row.privateKey, signingKeyContext(row.kid))
    const [header, claims] = token.split('.').slice(0, 2).map(decode)
    await rotate(true)
    const forged = signedBy(createPrivateKey(pem.toString()), header, { ...claims })
    expect(await onBoth(forged)).toEqual([401, 401])
  })

  test('also withdraws a key that is published and does not yet sign', async () => {
    const { kid: pending } = await rotate()
    const { kid, retired } = await rotate(true)
    expect(retired).toContain(pending)
    expect(await publishedBy(two)).toEqual([kid])
    market.advance(PUBLISHED_AHEAD + 1)
    expect(kidOf(await signIn(two))).toBe(kid)
  })

  test('does not stop a replica whose clock is behind', async () => {
    market.advance(-20)
    const behind = await replica({ now: market.deps.now })
    market.advance(20)
    const { kid } = await rotate(true)
    market.advance(-20)
    const token = await signIn(behind)
    expect(kidOf(token)).toBe(kid)
    await behind.close()
  })
})

test('tokens with unknown kids make no replica read private keys', async () => {
  const { db, secrets, now } = market.deps
  let opened = 0
  const counting = {
    ...secrets,
    decrypt: (box: Uint8Array, context: string) => {
      opened += 1
      return secrets.decrypt(box, context)
    },
  }
  const ring = await openKeyRing({ db, secrets: counting, now })
  const before = opened
  const kids = Array.from({ length: 200 }, (_, index) => `made-up-${index}`)
  expect(await Promise.all(kids.map((kid) => ring.publicKeyOf(kid)))).toEqual(
    kids.map(() => undefined),
  )
  expect(opened).toBe(before)
})

test('while the database hangs, an old key ring verifies with its keys without waiting', async () => {
  const { db, secrets, now } = market.deps
  const ring = await openKeyRing({ db, secrets, now })
  const [kid = ''] = await publishedBy(one)
  const lock = await market.deps.pool.connect()
  await lock.query('BEGIN; LOCK TABLE signing_keys')
  market.advance(31)
  expect(ring.knownPublicKey(kid)).toBeTypeOf('string')
  await lock.query('ROLLBACK')
  lock.release()
  const { kid: added } = await rotate()
  market.advance(31)
  expect(ring.knownPublicKey(kid)).toBeTypeOf('string')
  // The keys that the ring was reading while the database hung may be those from before.
  const afterAge = () => {
    market.advance(31)
    return ring.knownPublicKey(added)
  }
  await expect.poll(afterAge).toBeTypeOf('string')
})

test('a token of a key that cannot be looked up is answered 503, and no request hangs', async () => {
  const token = await signIn(one)
  const [head = {}, body = {}] = token.split('.').slice(0, 2).map(decode)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forged = signedBy(privateKey, { ...head, kid: 'made-elsewhere' }, body)
  const lock = await market.deps.pool.connect()
  await lock.query('BEGIN; LOCK TABLE signing_keys')
  const headers = { authorization: `Bearer ${forged}` }
  const { statusCode } = await one.inject({ url: '/v1/Developer/Installations', headers })
  await lock.query('ROLLBACK')
  lock.release()
  expect(statusCode).toBe(503)
})
