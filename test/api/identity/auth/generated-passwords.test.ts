import { setImmediate } from 'node:timers/promises'
import argon2 from 'argon2'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findableSecret } from '../../../../src/base/secrets/findable-secret.ts'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  createCredential,
  removeCredential,
} from '../../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { ask, times } from '../../../setup/limits.ts'
import { basicHeader, clientFields } from '../../../setup/oauth.ts'

const CONCURRENCY = 1
const AT_ONCE = 25

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ config: { argon2Concurrency: CONCURRENCY } })
})
afterAll(() => market.close())
afterEach(async () => {
  vi.restoreAllMocks()
  await market.deps.pool.query('DELETE FROM login_failures')
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const introspect = (client: { client_id: string; client_secret: string }) =>
  ask(market.app, '/oauth/introspect', {
    method: 'POST',
    headers: { ...basicHeader(client), ...FORM },
    body: 'token=x',
  })
const signIn = (clientId: string, password: string) =>
  ask(market.app, '/v1/Auth', { method: 'POST', body: { clientId, password } })
const checks = () => vi.spyOn(argon2, 'verify')

/** No place of the hasher is free until the function is called. */
async function takeAllPlaces(): Promise<() => Promise<unknown>> {
  const held = Promise.withResolvers<boolean>()
  checks().mockReturnValue(held.promise)
  const all = times(CONCURRENCY * 65, 0).map((_, index) =>
    market.deps.passwords.verify('x', async () => undefined, { kind: 'network', id: `${index}` }),
  )
  await setImmediate()
  return () => {
    held.resolve(false)
    return Promise.all(all)
  }
}

test('requests of a client pass while all places of the password hasher are taken', async () => {
  const client = clientFields(market)
  const letGo = await takeAllPlaces()
  try {
    const answers = await Promise.all(times(AT_ONCE, 0).map(() => introspect(client)))
    expect(answers.map(({ status }) => status)).toEqual(times(AT_ONCE, 200))
    expect((await signIn(client.client_id, client.client_secret)).status).toBe(200)
    expect((await signIn(client.client_id, 'a chosen password')).status).toBe(503)
  } finally {
    await letGo()
  }
  const where = { clientId: client.client_id }
  const { id, lastUsedAt } = await market.deps.db.developerCredential.findUniqueOrThrow({ where })
  expect(lastUsedAt).not.toBeNull()
  await market.deps.auditCounts.write()
  const { rows } = await market.deps.pool.query(
    'SELECT action, actor_id, count::int FROM audit_counts WHERE subject_id = $1 ORDER BY action',
    [id],
  )
  expect(rows).toEqual([
    { action: 'developer.signed_in', actor_id: client.client_id, count: AT_ONCE + 1 },
  ])
})

test("a wrong secret, another developer's, and those of the removed and the suspended are refused, each after one hash", async () => {
  const { deps, demo } = market
  const [own, other] = demo.developers.map(({ clientId, password }) => ({ clientId, password }))
  const developer = await createDeveloper(deps, { name: 'Former House' })
  const removed = await createCredential(deps, developer.id, {}, SYSTEM)
  await removeCredential(deps, developer.id, removed.id, SYSTEM)
  const suspended = await createDeveloper(deps, { name: 'Stopped House' })
  const data = { suspendedAt: new Date(), suspendedReason: 'For a while.' }
  await deps.db.developer.update({ where: { id: suspended.id }, data })
  const refused: [clientId: string | undefined, password: string | undefined][] = [
    [own?.clientId, findableSecret('credential')],
    ['nobody', findableSecret('credential')],
    [own?.clientId, other?.password],
    [removed.clientId, removed.password],
    [suspended.clientId, suspended.password],
  ]
  const counted = checks()
  for (const [index, [clientId = '', password = '']] of refused.entries()) {
    const { status, body } = await signIn(clientId, password)
    expect([clientId, status, body.code]).toEqual([clientId, 401, 'invalid_credentials'])
    expect(counted).toHaveBeenCalledTimes(index + 1)
  }
})

test('the right one is refused, too, where too many failed', async () => {
  const { client_id, client_secret } = clientFields(market)
  for (const _ of times(10, 0)) {
    expect((await signIn(client_id, findableSecret('credential'))).status).toBe(401)
  }
  const counted = checks()
  expect((await signIn(client_id, client_secret)).status).toBe(429)
  expect(counted).not.toHaveBeenCalled()
})
