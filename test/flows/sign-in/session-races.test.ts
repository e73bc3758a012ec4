import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createCredential } from '../../../src/identity/accounts/credentials-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { waitUntil } from '../../setup/server-process.ts'
import {
  demoDeveloper,
  demoUser,
  hiddenFields,
  signedIn,
  webClient,
} from '../../setup/web-client.ts'

let market: TestMarketplace
/** The one whose change has begun and is not done. */
let other: pg.Client
beforeAll(async () => {
  market = await startMarketplace()
  other = new pg.Client({ connectionString: market.databaseUrl })
  await other.connect()
})
beforeEach(() => market.deps.pool.query('DELETE FROM login_failures'))
afterAll(async () => {
  await other.end()
  await market.close()
})

/**
 * Has a form answered while a change of somebody else is under way, which is done as soon as the
 * answer waits for it.
 */
async function during<Answer>(
  change: string,
  values: string[],
  send: () => Promise<Answer>,
): Promise<Answer> {
  await other.query('BEGIN')
  await other.query(change, values)
  let isAnswered = false
  const answer = send().finally(() => {
    isAnswered = true
  })
  await waitUntil(async () => isAnswered || (await someoneWaits()))
  await other.query('COMMIT')
  return answer
}

/** Whether a statement waits for the lock of a row. */
async function someoneWaits(): Promise<boolean> {
  const { rows } = await market.deps.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

let made = 0
function newUser() {
  made += 1
  return createUser(market.deps, { email: `user-${made}@example.com`, name: 'X' })
}
const sessionsOf = (userId: string) => market.deps.db.session.count({ where: { userId } })

const NEW_PASSWORD =
  'UPDATE users SET token_generation = token_generation + 1, password_hash = $2 WHERE id = $1::uuid'
const SUSPENSION = 'UPDATE users SET suspended_at = now() WHERE id = $1::uuid'
const SECOND_FACTOR = `
  WITH factor AS (
    INSERT INTO second_factors (user_id, secret, guesses_since, created_at, confirmed_at)
    VALUES ($1::uuid, '\\x00', now(), now(), now()))
  UPDATE users SET token_generation = token_generation + 1 WHERE id = $1::uuid`

describe('a sign-in with a password that is being changed', () => {
  test.each([
    ['changed', NEW_PASSWORD, ['another hash']],
    ['of a user who is being suspended', SUSPENSION, []],
    ['of a user who turns on a second factor', SECOND_FACTOR, []],
  ])('%s: 401, no session, and not called a wrong password', async (_name, change, more) => {
    const { id, email, password } = await newUser()
    const browser = webClient(market)
    const answer = await during(change, [id, ...more], () => browser.login({ email, password }))
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('Your sign-in has changed meanwhile. Try again.')
    expect(answer.text).not.toContain('Wrong email or password.')
    expect([...browser.cookies.keys()]).toEqual(['form'])
    expect(await sessionsOf(id)).toBe(0)
  })

  test('the session that the browser had before goes on', async () => {
    const { id, email, password } = await newUser()
    const former = await newUser()
    const browser = await signedIn(market, former)
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const form = { _csrf, email, password }
    const change = [id, 'another hash']
    const answer = await during(NEW_PASSWORD, change, () => browser.post('/login', form))
    expect(answer.status).toBe(303)
    expect((await browser.get('/Account')).text).toContain(former.email)
    expect(await sessionsOf(id)).toBe(0)
  })
})

test('a session that was opened before a change of the password ends with it', async () => {
  const { id, email, password } = await newUser()
  const browser = await signedIn(market, { email, password })
  const newPassword = 'another password'
  const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
  const fields = { currentPassword: password, newPassword, repeatedPassword: newPassword }
  // Another sign-in holds its user, and has its session opened before the change goes on.
  const sign = `WITH held AS (SELECT id FROM users WHERE id = $1::uuid FOR SHARE)
    INSERT INTO sessions (id, user_id, expires_at)
    SELECT '\\x00', id, now() + interval '1 hour' FROM held`
  const answer = await during(sign, [id], () =>
    browser.post('/Account/Password', { _csrf, ...fields }),
  )
  expect(answer.location).toBe('/Account/Security')
  expect(await sessionsOf(id)).toBe(1)
})

test('a new password of one’s own never overwrites one that came meanwhile', async () => {
  const { id, email, password } = await newUser()
  const browser = await signedIn(market, { email, password })
  const newPassword = 'another password'
  const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
  const fields = { currentPassword: password, newPassword, repeatedPassword: newPassword }
  const answer = await during(NEW_PASSWORD, [id, 'the hash of the operator'], () =>
    browser.post('/Account/Password', { _csrf, ...fields }),
  )
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('Your password was changed')
  const user = await market.deps.db.user.findUniqueOrThrow({ where: { id } })
  expect(user.passwordHash).toBe('the hash of the operator')
})

describe('the time at which a session was used last', () => {
  const A_MINUTE_AGO = "last_seen_at - interval '61 seconds'"
  const REQUESTS = Array.from({ length: 20 }, (_, index) => index)

  test('is written by one of many requests, and no other waits', async () => {
    const path = '/Account'
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { pool } = market.deps
    await pool.query(`UPDATE sessions SET last_seen_at = ${A_MINUTE_AGO}`)
    const read = async () =>
      (await pool.query(`SELECT xmin::text, last_seen_at FROM sessions ORDER BY created_at DESC`))
        .rows[0]
    const before = await read()
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM sessions FOR UPDATE')
    const held = await Promise.all(REQUESTS.map(() => browser.get(path)))
    await other.query('COMMIT')
    expect(held.map(({ status }) => status)).toEqual(REQUESTS.map(() => 200))
    expect(await read()).toEqual(before)
    await Promise.all(REQUESTS.map(() => browser.get(path)))
    const written = await read()
    expect(written.last_seen_at.getTime()).toBeGreaterThan(before.last_seen_at.getTime())
    await browser.get(path)
    expect(await read()).toEqual(written)
  })
})

test('a program whose credential is being removed makes no further one', async () => {
  const removal =
    'UPDATE developer_credentials SET removed_at = now(), slot = NULL WHERE client_id = $1'
  const where = { name: 'Northwind Tools' }
  const { id } = await market.deps.db.developer.findFirstOrThrow({ where })
  const { clientId, password } = await createCredential(market.deps, id, {}, SYSTEM)
  const { body } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  await other.query(removal, [demoDeveloper(market).clientId])
  const sent = { token: body.token, body: {} }
  const answer = await during(removal, [clientId], () =>
    call(market, 'POST', '/v1/Developer/Credentials', sent),
  )
  expectProblem(answer, 'conflict')
  const live = { removedAt: null, developerId: id }
  expect(await market.deps.db.developerCredential.count({ where: live })).toBe(0)
})
