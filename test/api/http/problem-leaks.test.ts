import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, draft, newId } from '../../setup/apps.ts'
import {
  type Answer,
  call,
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import {
  failingInserts,
  internalNamesOf,
  missing,
  PLANTED,
  type Sabotage,
  sabotaged,
} from '../../setup/sabotage.ts'
import { demoUser, signedIn, webClient } from '../../setup/web-client.ts'

const TYPED = 'canary-typed-by-the-client'

let market: TestMarketplace
let operator: OperatorCalls
let developer: string
let user: string
let token: string
let internalNames: RegExp
const log: Record<string, unknown>[] = []
beforeAll(async () => {
  market = await startMarketplace({
    config: { logLevel: 'warn' },
    log: (line) => log.push(JSON.parse(line)),
  })
  operator = await operatorCalls(market)
  developer = await developerToken(market)
  user = await userToken(market)
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  internalNames = await internalNamesOf(market)
})
afterAll(() => market.close())

/** The whole of a failure's answer is known: nothing can be hidden in it. */
function expectFailure(answer: Answer, code: 'internal_error' | 'unavailable'): void {
  expectProblem(answer, code)
  const { requestId, type, ...rest } = answer.body
  expect(type).toBe(`${market.url}/docs/errors#${code}`)
  expect(rest).toEqual({
    status: code === 'unavailable' ? 503 : 500,
    code,
    title:
      code === 'unavailable'
        ? 'The server cannot answer just now'
        : 'Something went wrong on our side',
    detail: expect.stringMatching(
      /^(The request id names it in our logs|The database cannot be reached right now|The database took too long to answer. Send the request again|Another change, such as an import, is taking long. Nothing was changed: send the request again|Another change happened at the same time. Nothing was changed: send the request again)\.$/,
    ),
  })
  expect(answer.headers.has('retry-after')).toBe(code === 'unavailable')
  // Those that could not be served are counted together.
  const isCounted = code === 'unavailable'
  const logged = log.filter(({ reqId, msg }) =>
    isCounted ? msg === 'requests not served' : reqId === requestId,
  )
  if (isCounted) expect(logged.length).toBeGreaterThan(0)
  else expect(logged).toHaveLength(1)
  expect(JSON.stringify(logged)).not.toMatch(/canary/)
}

const requests = {
  products: () => call(market, 'GET', '/v1/Products', { token }),
  profile: () => call(market, 'GET', '/v1/User/Profile', { token }),
  account: () => call(market, 'GET', '/v1/Account', { token: user }),
  installations: () => call(market, 'GET', '/v1/Developer/Installations', { token: developer }),
  catalogue: () => call(market, 'GET', '/v1/Apps'),
  signIn: () =>
    call(market, 'POST', '/v1/Account/Auth', {
      body: { email: demoUser(market, 'Seller').email, password: TYPED },
    }),
  createParty: () => operator('POST', 'Parties', { name: TYPED, type: 'Seller' }),
  createUser: () =>
    operator('POST', 'Users', { email: `${newId()}@x.example`, name: TYPED, partyIds: [] }),
  createApp: async () => (await author(market)).create(draft(newId(), { description: TYPED })),
} satisfies Record<string, () => Promise<Answer>>

type Case = [string, Sabotage, keyof typeof requests, 'internal_error' | 'unavailable']

describe('a failure of the database tells nothing of the inside', () => {
  const raised = (sqlState: string, code: Case[3] = 'internal_error'): Case => [
    `SQLSTATE ${sqlState}`,
    failingInserts('audit_events', sqlState),
    'createParty',
    code,
  ]
  const corrupted = (set: string, back: string): Sabotage => ({ sql: set, undo: back })

  const cases: Case[] = [
    ['a table is gone', missing('products'), 'products', 'internal_error'],
    ['a table of the sign-in is gone', missing('users'), 'signIn', 'internal_error'],
    ['a table of the guard is gone', missing('revoked_tokens'), 'products', 'internal_error'],
    ['a column is gone', missing('users', 'name'), 'account', 'internal_error'],
    [
      'a column of a query by hand is gone',
      missing('products', 'body'),
      'products',
      'internal_error',
    ],
    [
      'a column of a list is gone',
      missing('installations', 'permissions'),
      'installations',
      'internal_error',
    ],
    [
      'a table of the catalogue is gone',
      missing('purchase_options'),
      'catalogue',
      'internal_error',
    ],
    ['a table that is written is gone', missing('audit_events'), 'createUser', 'internal_error'],
    raised('23505'),
    raised('23503'),
    raised('23502'),
    raised('23514'),
    raised('22P02'),
    raised('22001'),
    raised('22003'),
    raised('42501'),
    raised('P0001'),
    raised('XX000'),
    raised('XX001'),
    raised('0A000'),
    raised('25006', 'unavailable'),
    raised('26000', 'unavailable'),
    raised('42P05', 'unavailable'),
    raised('40001', 'unavailable'),
    raised('40P01', 'unavailable'),
    raised('53100', 'unavailable'),
    raised('53200', 'unavailable'),
    raised('55P03', 'unavailable'),
    raised('57014', 'unavailable'),
    raised('58030', 'unavailable'),
    [
      'a unique violation that nobody expects',
      corrupted(
        "CREATE UNIQUE INDEX sabotage ON parties ((1)) WHERE id > 1000000; ALTER SEQUENCE parties_id_seq RESTART 1000001; INSERT INTO parties (name, type) VALUES ('x', 'Seller')",
        'DELETE FROM parties WHERE id > 1000000; DROP INDEX sabotage; ALTER SEQUENCE parties_id_seq RESTART 5000',
      ),
      'createParty',
      'internal_error',
    ],
    [
      'a check that nobody expects',
      corrupted(
        'ALTER TABLE parties ADD CONSTRAINT sabotage CHECK (false) NOT VALID',
        'ALTER TABLE parties DROP CONSTRAINT sabotage',
      ),
      'createParty',
      'internal_error',
    ],
    [
      'a column that must not be null and nobody writes',
      corrupted(
        `ALTER TABLE parties ADD COLUMN sabotage text NOT NULL DEFAULT 'x'; ALTER TABLE parties ALTER sabotage DROP DEFAULT`,
        'ALTER TABLE parties DROP COLUMN sabotage',
      ),
      'createParty',
      'internal_error',
    ],
    [
      'a sequence at its end',
      corrupted(
        "ALTER SEQUENCE parties_id_seq MAXVALUE 6000 RESTART 6000; SELECT nextval('parties_id_seq')",
        'ALTER SEQUENCE parties_id_seq MAXVALUE 2147483647 RESTART 7000',
      ),
      'createParty',
      'internal_error',
    ],
    [
      'a password hash that is none',
      corrupted(
        `UPDATE users SET name = password_hash, password_hash = '${PLANTED}' WHERE email LIKE 'kim@%'`,
        `UPDATE users SET password_hash = name, name = 'Kim Keyline' WHERE email LIKE 'kim@%'`,
      ),
      'signIn',
      'internal_error',
    ],
    [
      'a secret that cannot be decrypted',
      corrupted(
        `UPDATE setting_values SET secret = set_byte(secret, length(secret) - 1, get_byte(secret, length(secret) - 1) # 1) WHERE secret IS NOT NULL`,
        `UPDATE setting_values SET secret = set_byte(secret, length(secret) - 1, get_byte(secret, length(secret) - 1) # 1) WHERE secret IS NOT NULL`,
      ),
      'installations',
      'internal_error',
    ],
    [
      'stored JSON that nobody can read',
      corrupted(
        `CREATE TABLE kept AS SELECT * FROM app_versions; UPDATE app_versions SET permissions = '"${PLANTED}"', settings = '"${PLANTED}"'`,
        `UPDATE app_versions v SET permissions = k.permissions, settings = k.settings FROM kept k WHERE (k.app_id, k.version) = (v.app_id, v.version); DROP TABLE kept`,
      ),
      'catalogue',
      'internal_error',
    ],
  ]

  test.each(cases)('%s', async (_name, sabotage, request, code) => {
    const answer = await sabotaged(market, sabotage, requests[request])
    expectFailure(answer, code)
    expect((await requests.account()).status).toBe(200)
  })

  test('a query that is cancelled', async () => {
    const blocker = await market.deps.pool.connect()
    await blocker.query('BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE')
    // A page that no other test has left in memory.
    const waiting = call(market, 'GET', '/v1/Products?brand=unread', { token })
    const cancelled = async () => {
      // Not through the blocker: a transaction sees the activity of its first look.
      const { rowCount } = await market.deps.pool.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rowCount === 1
    }
    await expect.poll(cancelled).toBe(true)
    const answer = await waiting
    await blocker.query('ROLLBACK')
    blocker.release()
    expectFailure(answer, 'unavailable')
    expect(answer.body.detail).toBe('The database took too long to answer. Send the request again.')
  })

  test('all connections in use', async () => {
    const held = await Promise.all(Array.from({ length: 8 }, () => market.deps.pool.connect()))
    const answer = await requests.catalogue()
    for (const client of held) client.release()
    expectFailure(answer, 'unavailable')
  })

  test('on a page: the browser is told the request id and no more', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const open = [
      () => browser.get('/'),
      () => browser.get('/Apps/Authenticate/price-sync'),
      () => webClient(market).login({ email: 'kim@keyline.example', password: TYPED }),
    ]
    for (const request of open) {
      const page = await sabotaged(market, missing('users'), request)
      expect(page.status).toBe(500)
      expect(page.text).toContain('Something went wrong')
      expect(page.text).toContain(String(page.headers.get('x-request-id')))
      expect(page.text).not.toMatch(/canary|prisma|SELECT|relation|gone|\.ts/i)
      expect(page.text).not.toMatch(internalNames)
    }
  })
})
