import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '../../../src/accounts/users-service.ts'
import { inviteByOperator } from '../../../src/people/invitations-service.ts'
import { SYSTEM } from '../../../src/values/actor.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken } from '../../setup/client.ts'
import { accept, newAddress } from '../../setup/people.ts'

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
