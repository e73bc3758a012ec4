import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import {
  inviteByOperator,
  inviteToParty,
  revokeInvitation,
} from '../../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken } from '../../../setup/client.ts'
import { accept, newAddress } from '../../../setup/people.ts'
import { untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('an invitation to a role that the person has already changes nothing, also in the audit trail', async () => {
  const { deps } = market
  const partyId = market.demo.users[0]?.partyId ?? 0
  const [email, password] = [newAddress(), 'a password of eight words']
  const { id: userId } = await createUser(deps, { email, name: 'Known', password })
  const token = await accountToken(market, { email, password })
  for (const role of ['member', 'member', 'admin', 'admin', 'member'] as const) {
    const person = { email, name: 'Known', partyIds: [partyId], role }
    const { link } = await inviteByOperator(deps, person, SYSTEM)
    expect((await accept(market, link, undefined, token)).status).toBe(200)
  }
  const entries = await deps.db.auditEvent.findMany({
    where: { subjectKind: 'membership', subjectId: `${userId}/${partyId}` },
    select: { action: true, before: true, after: true },
    orderBy: { id: 'asc' },
  })
  expect(entries).toMatchObject([
    { action: 'membership.created', after: { role: 'member' } },
    { action: 'membership.changed', before: { role: 'member' }, after: { role: 'admin' } },
  ])
})

test('an account invites 50 people in 24 hours, however many are invited at once', async () => {
  const { deps } = market
  const party = await createParty(deps, { name: 'Many People', type: 'Seller' }, SYSTEM)
  const { id: userId } = await createUser(deps, { email: newAddress(), name: 'Admin' })
  await deps.db.membership.create({ data: { userId, partyId: party.id, role: 'admin' } })
  const author = { userId, actor: { kind: 'user', id: userId, address: null } as const }
  const invite = () => {
    const person = { email: newAddress(), name: 'Ingo Invited', role: 'member' as const }
    return inviteToParty(deps, party.id, person, author)
  }
  for (let made = 0; made < 48; made += 1) await invite()
  // Nobody gets as far as the audit trail before all are under way.
  const other = await deps.pool.connect()
  await other.query('BEGIN')
  await other.query('LOCK TABLE audit_events IN SHARE MODE')
  const inviting = Promise.allSettled(Array.from({ length: 4 }, invite))
  await untilWaiting(market, 4)
  await other.query('COMMIT')
  other.release()
  const answers = await inviting
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  await expect(invite()).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('an invitation that ran out cannot be revoked', async () => {
  const { deps } = market
  const person = { email: newAddress(), name: 'Ingo Invited', operator: true }
  const { id } = await inviteByOperator(deps, person, SYSTEM)
  market.advance(8 * 86_400)
  await expect(revokeInvitation(deps, id, SYSTEM)).rejects.toMatchObject({ code: 'not_found' })
})
