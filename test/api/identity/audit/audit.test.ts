import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { demoInstallation } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { auditCount, type OperatorCalls, operatorWithCode } from '../../../setup/operator.ts'
import { sabotaged } from '../../../setup/sabotage.ts'

let market: TestMarketplace
let operator: OperatorCalls
let operatorId: string
beforeAll(async () => {
  market = await startMarketplace()
  operator = (await operatorWithCode(market, market.demo.operator)).calls
  const { email } = market.demo.operator
  operatorId = (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).id
})
afterAll(() => market.close())

type Row = Record<string, unknown>

describe('the database keeps the trail as it is', () => {
  test.each([
    'UPDATE audit_events SET action = action',
    "UPDATE audit_events SET after = '{}' WHERE id = 1",
    'DELETE FROM audit_events',
    'DELETE FROM audit_events WHERE id = 1',
    'TRUNCATE audit_events',
    'TRUNCATE audit_events CASCADE',
  ])('%s', async (sql) => {
    const before = await auditCount(market)
    await expect(market.deps.pool.query(sql)).rejects.toMatchObject({ code: '23001' })
    expect(await auditCount(market)).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})

test('every change by an operator has its entry: who, from where, what, before and after', async () => {
  const developer = (await operator('POST', 'Developers', { name: 'Audited' })).body
  const { id: developerId, clientId, sandboxPartyId } = developer
  const credentials = `Developers/${developerId}/Credentials`
  const second = (await operator('POST', credentials, {})).body
  await operator('DELETE', `${credentials}/${second.id}`)
  const buyer = (await operator('POST', 'Parties', { name: 'Bo', type: 'Buyer' })).body.id
  const seller = (await operator('POST', 'Parties', { name: 'Sy', type: 'Seller' })).body.id
  const person = { email: 'audited@example.com', name: 'Audited', partyIds: [buyer] }
  const user = (await operator('POST', 'Users', person)).body
  await operator('PUT', `Users/${user.id}/Password`, {})
  await operator('POST', 'Memberships', { userId: user.id, partyId: seller })
  await operator('DELETE', `Memberships/${user.id}/${seller}`)
  await operator('POST', 'Connections', { buyerId: buyer, sellerId: seller })
  await operator('DELETE', `Connections/${buyer}/${seller}`)
  const { id: installationId, partyId } = demoInstallation(market, 'catalog-sync')
  const reason = 'late'
  for (const path of [
    `Developers/${developerId}`,
    'Apps/price-sync',
    `Parties/${buyer}`,
    `Users/${user.id}`,
    `Installations/${installationId}`,
  ]) {
    await operator('POST', `${path}/Suspend`, { reason })
    await operator('POST', `${path}/Resume`)
  }

  const apps = (await operator('GET', 'Apps')).body
  const ownerOf = (appId: string) => apps.find((app: Row) => app.id === appId).developerId
  const rest = { suspended: false }
  const halt = { suspended: true, reason }
  const membership = (of: number) => ({ userId: user.id, partyId: of, role: 'admin' })
  const link = { buyerId: buyer, sellerId: seller }
  const none = { developerId: null, partyId: null }
  const suspensions = (kind: string, id: unknown, owner: object) => [
    [`${kind}.suspended`, kind, id, owner, rest, halt],
    [`${kind}.resumed`, kind, id, owner, halt, rest],
  ]
  const expected = [
    [
      'developer.created',
      'developer',
      developerId,
      { developerId, partyId: sandboxPartyId },
      null,
      { name: 'Audited', clientId, sandboxPartyId },
    ],
    [
      'credential.created',
      'credential',
      second.id,
      { developerId, partyId: null },
      null,
      { clientId: second.clientId },
    ],
    [
      'credential.removed',
      'credential',
      second.id,
      { developerId, partyId: null },
      { clientId: second.clientId },
      null,
    ],
    [
      'party.created',
      'party',
      buyer,
      { developerId: null, partyId: buyer },
      null,
      { name: 'Bo', type: 'Buyer' },
    ],
    [
      'party.created',
      'party',
      seller,
      { developerId: null, partyId: seller },
      null,
      { name: 'Sy', type: 'Seller' },
    ],
    ['user.created', 'user', user.id, none, null, { ...person, operator: false, support: false }],
    [
      'membership.created',
      'membership',
      `${user.id}/${buyer}`,
      { ...none, partyId: buyer },
      null,
      membership(buyer),
    ],
    ['user.password_changed', 'user', user.id, none, null, null],
    [
      'membership.created',
      'membership',
      `${user.id}/${seller}`,
      { ...none, partyId: seller },
      null,
      membership(seller),
    ],
    [
      'membership.removed',
      'membership',
      `${user.id}/${seller}`,
      { ...none, partyId: seller },
      membership(seller),
      null,
    ],
    [
      'connection.created',
      'connection',
      `${buyer}/${seller}`,
      { ...none, partyId: buyer },
      null,
      link,
    ],
    [
      'connection.created',
      'connection',
      `${buyer}/${seller}`,
      { ...none, partyId: seller },
      null,
      link,
    ],
    [
      'connection.removed',
      'connection',
      `${buyer}/${seller}`,
      { ...none, partyId: buyer },
      link,
      null,
    ],
    [
      'connection.removed',
      'connection',
      `${buyer}/${seller}`,
      { ...none, partyId: seller },
      link,
      null,
    ],
    ...suspensions('developer', developerId, { developerId, partyId: null }),
    ...suspensions('app', 'price-sync', { developerId: ownerOf('price-sync'), partyId: null }),
    ...suspensions('party', buyer, { developerId: null, partyId: buyer }),
    ...suspensions('user', user.id, none),
    [
      'installation.suspended',
      'installation',
      installationId,
      { developerId: ownerOf('catalog-sync'), partyId },
      { status: 'active' },
      { status: 'suspended', reason },
    ],
    [
      'installation.resumed',
      'installation',
      installationId,
      { developerId: ownerOf('catalog-sync'), partyId },
      { status: 'suspended' },
      { status: 'active' },
    ],
  ].map(([action, kind, id, owner, before, after]) => ({
    id: expect.any(Number),
    at: expect.stringMatching(/Z$/),
    actor: { kind: 'operator', id: operatorId },
    actorDeveloperId: null,
    address: '127.0.0.1',
    action,
    subject: { kind, id: String(id) },
    ...(owner as object),
    before,
    after,
  }))
  const trail = (await operator('GET', `Audit?actorKind=operator&actorId=${operatorId}`)).body
  expect(trail.toReversed()).toEqual(expected)
})

test('no password and no hash is in the trail', async () => {
  const given = 'planted password 4711'
  await operator('POST', 'Developers', { name: 'Planted', password: given })
  const made = (
    await operator('POST', 'Users', { email: 'p@example.com', name: 'P', partyIds: [] })
  ).body
  const renewed = (await operator('PUT', `Users/${made.id}/Password`, {})).body
  const { rows } = await market.deps.pool.query('SELECT a::text FROM audit_events a')
  const text = JSON.stringify(rows)
  const { demo } = market
  const passwords = [...demo.developers, ...demo.users, demo.operator, made, renewed]
  for (const password of [given, 'argon2', ...passwords.map((one) => one.password)]) {
    expect(text).not.toContain(password)
  }
})

test('a change that fails leaves no entry, a change whose entry fails is not made', async () => {
  const before = await auditCount(market)
  const refused = [
    await operator('POST', 'Developers', {
      name: 'X',
      clientId: market.demo.developers[0]?.clientId,
    }),
    await operator('POST', 'Users', { email: market.demo.operator.email, name: 'X', partyIds: [] }),
    await operator('POST', 'Connections', { buyerId: 1, sellerId: 1 }),
    await operator('POST', 'Apps/nothing/Suspend', { reason: 'x' }),
    await operator('DELETE', 'Connections/1/1'),
  ]
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 422, 404, 404])
  expect(await auditCount(market)).toBe(before)

  const parties = await market.deps.db.party.count()
  const noMore = {
    sql: "ALTER TABLE audit_events ADD CONSTRAINT no_more CHECK (action <> 'party.created') NOT VALID",
    undo: 'ALTER TABLE audit_events DROP CONSTRAINT no_more',
  }
  const answer = await sabotaged(market, noMore, () =>
    operator('POST', 'Parties', { name: 'Unheard of', type: 'Buyer' }),
  )
  expectProblem(answer, 'internal_error')
  expect(await market.deps.db.party.count()).toBe(parties)
})

test('an entry names its subject in one way, however the address had it', async () => {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const count = () => market.deps.db.auditEvent.count({ where: { subjectId: id } })
  const before = await count()
  const address = `Installations/${id.toUpperCase()}`
  expect((await operator('POST', `${address}/Suspend`, { reason: 'x' })).status).toBe(200)
  expect((await operator('POST', `${address}/Resume`)).status).toBe(200)
  expect(await count()).toBe(before + 2)
})
