import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { setPassword } from '../../../src/identity/accounts/user-passwords-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { stoppedReader } from '../../setup/clients-that-stop.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { newOwner } from '../../setup/developer-person.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { newUserWithToken } from '../../setup/people.ts'
import { waitUntil } from '../../setup/server-process.ts'
import { cookieLine, signedIn } from '../../setup/web-client.ts'

// Whoever loses a right while a long answer is on its way gets no more of it.

const ACTION = 'test.long'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

type Person = Awaited<ReturnType<typeof newUserWithToken>>

/** An operator, about whom the audit trail has far more than what sockets take in. */
async function longKnown(): Promise<Person> {
  const person = await newUserWithToken(market, operator, { operator: true })
  await market.deps.pool.query(
    `INSERT INTO audit_events (actor_kind, actor_id, action, subject_kind, subject_id, after)
     SELECT 'user', $1, $2, 'user', $1, jsonb_build_object('text', repeat('long ', 2000))
     FROM generate_series(1, 2000)`,
    [person.id, ACTION],
  )
  return person
}

/** What somebody who reads the beginning and then waits gets, and whether it is all. */
async function answerTo(path: string, header: string, meanwhile: () => Promise<unknown>) {
  const { hostname } = new URL(market.url)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${header}\r\nconnection: close\r\n\r\n`
  const { socket } = await stoppedReader(market.url, request)
  await meanwhile()
  const rest = await textOf(socket)
  return { isWhole: rest.endsWith('\r\n0\r\n\r\n'), entries: rest.split(ACTION).length - 1 }
}

const byToken = async ({ token }: Person) => `authorization: Bearer ${token}`
const bySession = async (person: Person) => {
  const { cookies } = await signedIn(market, person)
  return `cookie: ${cookieLine(market, cookies)}`
}
const ENDS = [
  [
    'is suspended',
    ({ id }: Person) => operator('POST', `Users/${id}/Suspend`, { reason: 'Left.' }),
  ],
  [
    'gets another password',
    ({ id }: Person) => setPassword(market.deps, id, {}, SYSTEM).then(() => ({ status: 200 })),
  ],
] as const
const DEMOTED = [
  'is no operator any more',
  ({ id }: Person) => operator('PATCH', `Users/${id}`, { operator: false }),
] as const

describe.each([
  ['the audit trail by token', `/v1/Operator/Audit/Export?action=${ACTION}`, byToken, [DEMOTED]],
  ['the audit trail in a browser', `/Operator/Audit/Export?action=${ACTION}`, bySession, [DEMOTED]],
  ['the own data by token', '/v1/Account/Export', byToken, []],
  ['the own data in a browser', '/Account/Export', bySession, []],
] as const)('%s', (_what, path, by, others) => {
  test.each([...ENDS, ...others])('breaks off for who %s', async (_how, end) => {
    const person = await longKnown()
    const { isWhole } = await answerTo(path, await by(person), async () =>
      expect((await end(person)).status).toBeLessThan(300),
    )
    expect(isWhole).toBe(false)
  })

  test('is whole for who stays', async () => {
    const { isWhole, entries } = await answerTo(path, await by(await longKnown()), async () => {})
    expect(isWhole).toBe(true)
    expect(entries).toBeGreaterThan(1_900)
  })
})

test('a file of a developer breaks off for who does not work there any more', async () => {
  const { id } = await createDeveloper(market.deps, { name: 'Long Events' })
  await market.deps.pool.query(
    `INSERT INTO events (developer_id, type, position, data)
     SELECT $1, $2, n, jsonb_build_object('text', repeat('long ', 2000))
     FROM generate_series(1, 2000) AS n`,
    [id, ACTION],
  )
  const answers = async (end: (userId: string) => Promise<unknown>) => {
    const person = await newOwner(market, { id })
    const { cookies } = await signedIn(market, person)
    const header = `cookie: ${cookieLine(market, cookies)}`
    return answerTo('/Developer/Events/Export', header, () => end(person.id))
  }
  expect((await answers(async () => {})).isWhole).toBe(true)
  const left = await answers((userId) =>
    market.deps.db.developerMember.deleteMany({ where: { developerId: id, userId } }),
  )
  expect(left.isWhole).toBe(false)
})

test('the file of installed apps breaks off for who does not belong to the account any more', async () => {
  const { party, user, install, uninstall } = await newCustomer(market)
  const { id: appId } = await listedApp(await author(market), fullDraft())
  const { body } = await install({ appId, purchaseOptionId: 'free' })
  await uninstall(body.id)
  await market.deps.pool.query(
    `INSERT INTO installations
     SELECT (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid()))).*
     FROM installations i, generate_series(1, 4000) WHERE i.id = $1`,
    [body.id],
  )
  await market.deps.pool.query(
    `UPDATE purchase_options SET name = repeat('long ', 2000) WHERE app_id = $1`,
    [appId],
  )
  const { cookies } = await signedIn(market, user)
  const header = `cookie: ${cookieLine(market, cookies)}`
  const path = '/Installed/Export?status=uninstalled'
  expect((await answerTo(path, header, async () => {})).isWhole).toBe(true)
  const left = await answerTo(path, header, () =>
    market.deps.db.membership.deleteMany({ where: { partyId: party.id, userId: user.id } }),
  )
  expect(left.isWhole).toBe(false)
})

describe.each([
  ['members', '/Account/Members/Export'],
  ['requests', '/Account/Requests/Export'],
])('the file of %s of an account', (_what, path) => {
  test.each([
    ['leaves it', { count: 1 }],
    ['is no admin of it any more', { role: 'member' }],
  ] as const)('breaks off for an admin who %s', async (_how, change) => {
    const { party, user } = await newCustomer(market)
    const membership = { partyId: party.id, userId: user.id }
    await manyMembers(party.id)
    await manyRequests(membership)
    const { cookies } = await signedIn(market, user)
    const header = `cookie: ${cookieLine(market, cookies)}`
    expect((await answerTo(path, header, async () => {})).isWhole).toBe(true)
    const { db } = market.deps
    const left = await answerTo(path, header, () =>
      'role' in change
        ? db.membership.updateMany({ where: membership, data: change })
        : db.membership.deleteMany({ where: membership }),
    )
    expect(left.isWhole).toBe(false)
  })
})

/** So many, with such names, that sockets do not take in a file of them. */
async function manyMembers(partyId: number): Promise<void> {
  await market.deps.pool.query(
    `WITH made AS (
       INSERT INTO users (email, name, password_hash)
       SELECT gen_random_uuid() || '@many.example', repeat('long ', 2000), 'none'
       FROM generate_series(1, 2000) RETURNING id)
     INSERT INTO memberships (user_id, party_id, role) SELECT id, $1, 'member' FROM made`,
    [partyId],
  )
}

/** Requests that were declined for long reasons. */
async function manyRequests({ partyId, userId }: { partyId: number; userId: string }) {
  const { id: appId } = await listedApp(await author(market), fullDraft())
  await market.deps.pool.query(
    `INSERT INTO install_requests (party_id, user_id, app_id, version, purchase_option_id,
       user_settings, password_keys, consent, status, reason, decided_by, decided_at)
     SELECT $1, $2, app_id, version, id, '{}', '{}',
       '{"acknowledgements": [], "termsDocument": null}', 'declined', repeat('long ', 2000), $2, now()
     FROM purchase_options, generate_series(1, 2000) WHERE app_id = $3 AND id = 'free'`,
    [partyId, userId, appId],
  )
}

test('one person gets at most 4 files at once; the fifth is told to wait, others are not', async () => {
  const person = await longKnown()
  const { hostname } = new URL(market.url)
  const header = `host: ${hostname}\r\n${await byToken(person)}`
  const reader = (path: string) =>
    stoppedReader(market.url, `GET ${path} HTTP/1.1\r\n${header}\r\n\r\n`)
  const own = '/v1/Account/Export'
  const paths = [own, own, own, `/v1/Operator/Audit/Export?action=${ACTION}`]
  const readers = await Promise.all(paths.map(reader))
  const asked = ({ token }: Person) => call(market, 'GET', own, { token })
  const refused = await asked(person)
  expectProblem(refused, 'too_many_requests')
  expect(refused.headers.get('retry-after')).toBe('10')
  expect((await asked(await newUserWithToken(market, operator))).status).toBe(200)
  for (const { socket } of readers) socket.destroy()
  await waitUntil(async () => (await asked(person)).status === 200)
})
