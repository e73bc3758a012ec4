import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { newUserWithToken, USER_PASSWORD as password } from '../../../setup/people.ts'
import { hiddenFields, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const newUser = (input: { partyIds?: number[] } = {}) => newUserWithToken(market, operator, input)

/** A user who is no admin of the account. */
async function addMember(partyId: number) {
  const user = await newUser()
  await operator('POST', 'Memberships', { userId: user.id, partyId, role: 'member' })
  return user
}

const rowOf = (id: string) => market.deps.db.user.findUniqueOrThrow({ where: { id } })

describe('the removal of oneself', () => {
  const removeOneself = ({ token }: { token: string }) =>
    call(market, 'POST', '/v1/Account/Remove', { token, body: { password } })

  test('is refused for the last admin who can sign in, of an account with other members', async () => {
    const { body: party } = await operator('POST', 'Parties', { name: 'Crew', type: 'Buyer' })
    const admin = await newUser({ partyIds: [party.id] })
    const member = await addMember(party.id)
    const away = await newUser({ partyIds: [party.id] })
    await operator('POST', `Users/${away.id}/Suspend`, { reason: 'Away.' })
    const refused = await removeOneself(admin)
    expectProblem(refused, 'conflict')
    expect(refused.body.detail).toBe(
      'Nobody else is an admin of: Crew. Make somebody else an admin first.',
    )
    expect((await rowOf(admin.id)).removedAt).toBeNull()
    expect((await removeOneself(member)).status).toBe(204)
    expect((await operator('DELETE', `Users/${away.id}`)).status).toBe(204)
    expect((await removeOneself(admin)).status).toBe(204)
  })

  test('is refused so on the page, which says it before', async () => {
    const { body: party } = await operator('POST', 'Parties', { name: 'Deck', type: 'Buyer' })
    const admin = await newUser({ partyIds: [party.id] })
    await addMember(party.id)
    const browser = await signedIn(market, admin)
    const page = await browser.get('/Account/Remove')
    expect(page.text).toContain('only admin of an account with other members')
    const sent = { ...hiddenFields(page.text), currentPassword: password }
    const refused = await browser.post('/Account/Remove', sent)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Nobody else is an admin of: Deck.')
    expect((await operator('DELETE', `Users/${admin.id}`)).status).toBe(204)
  })

  test('is not refused for the admin of a closed account, which nobody can manage', async () => {
    const { body: party } = await operator('POST', 'Parties', { name: 'Gone', type: 'Buyer' })
    const admin = await newUser({ partyIds: [party.id] })
    await addMember(party.id)
    expect((await operator('POST', `Parties/${party.id}/Close`)).status).toBe(200)
    expect((await removeOneself(admin)).status).toBe(204)
  })

  test('is not refused for the last admin of a sandbox: its developer manages what is installed', async () => {
    const token = await developerToken(market)
    const path = '/v1/Developer/Apps/price-sync/Sandbox'
    const { partyId } = (await call(market, 'POST', path, { token })).body
    await market.deps.db.membership.deleteMany({ where: { partyId } })
    const admin = await newUser({ partyIds: [partyId] })
    expect((await removeOneself(admin)).status).toBe(204)
  })

  test('leaves one of two last admins who remove themselves at once', async () => {
    const { body: party } = await operator('POST', 'Parties', { name: 'Pair', type: 'Buyer' })
    const admins = [
      await newUser({ partyIds: [party.id] }),
      await newUser({ partyIds: [party.id] }),
    ]
    await addMember(party.id)
    const answers = await Promise.all(admins.map(removeOneself))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    const left = await market.deps.db.membership.findMany({
      where: { partyId: party.id, role: 'admin' },
    })
    expect(left).toHaveLength(1)
  })
})
