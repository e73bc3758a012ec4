import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, userToken } from '../../../setup/client.ts'
import { newMember } from '../../../setup/customer.ts'
import { newAddress } from '../../../setup/people.ts'

let market: TestMarketplace
let partyId: number
let admin: string
beforeAll(async () => {
  market = await startMarketplace()
  partyId = market.demo.users[0]?.partyId ?? 0
  admin = await userToken(market)
})
afterAll(() => market.close())

const trail = async (token: string, query = '') =>
  (await call(market, 'GET', `/v1/Account/Audit?limit=100${query}`, { token })).body as {
    action: string
    subject: { kind: string; id: string }
  }[]

test('a member reads nothing in the trail that the lists keep from members', async () => {
  const member = await newMember(market, partyId)
  const other = await newMember(market, partyId)
  const token = await accountToken(market, member)
  const path = `/v1/Account/Parties/${partyId}`
  const body = { email: newAddress(), name: 'Secret Person' }
  await call(market, 'POST', `${path}/Invitations`, { token: admin, body })
  for (const role of ['admin', 'member']) {
    await call(market, 'PATCH', `${path}/Members/${other.id}`, { token: admin, body: { role } })
  }
  const { db } = market.deps
  const subjects = { install_request: other.id, invitation: member.id }
  for (const [subjectKind, subjectId] of Object.entries(subjects)) {
    const action = `${subjectKind}.created`
    const actor = { actorKind: 'user', actorId: other.id }
    await db.auditEvent.create({ data: { ...actor, action, subjectKind, subjectId, partyId } })
  }

  const seen = await trail(token)
  const people = seen.filter(({ subject }) =>
    ['invitation', 'membership', 'install_request'].includes(subject.kind),
  )
  expect(people.map(({ action, subject }) => [action, subject.id])).toEqual([
    ['membership.created', `${member.id}/${partyId}`],
  ])
  expect(JSON.stringify(seen)).not.toContain(body.email)
  for (const query of [
    '&action=invitation.created',
    '&subjectKind=install_request',
    `&subjectId=${other.id}/${partyId}`,
    `&partyId=${partyId}&action=membership.changed`,
  ]) {
    expect([query, await trail(token, query)]).toEqual([query, []])
  }
  // An admin reads all of it, and who becomes one as of then.
  expect((await trail(admin, '&action=invitation.created')).length).toBeGreaterThan(0)
  await call(market, 'PATCH', `${path}/Members/${member.id}`, {
    ...{ token: admin, body: { role: 'admin' } },
  })
  expect((await trail(token, '&action=invitation.created')).length).toBeGreaterThan(0)
})
