import { describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn } from '../../setup/web-client.ts'

const { market, operator, db } = operatorConsole()

const newUser = (fields: object = {}) =>
  createUser(market().deps, { email: newAddress(), name: 'Rita Role', ...fields })
const newParty = () => createParty(market().deps, { name: newAddress(), type: 'Buyer' })
const roleOf = async (userId: string, partyId: number) =>
  (await db().membership.findUnique({ where: { userId_partyId: { userId, partyId } } }))?.role

describe('a user who is added to a party', () => {
  test.each(['member', 'admin'] as const)('gets the role that was chosen: %s', async (role) => {
    const [user, party] = [await newUser(), await newParty()]
    const path = `/Operator/Parties/${party.id}/Users`
    const asked = await operator().get(`${path}?userId=${user.id}`)
    expect(asked.text).toContain('<label for="role">Role</label>')
    expect(asked.text).toMatch(/<option value="member">[\s\S]*<option value="admin">/)
    await operator().post(path, { ...hiddenFields(asked.text), role })
    expect(await roleOf(user.id, party.id)).toBe(role)
  })

  test('from the page of the user likewise', async () => {
    const [user, party] = [await newUser(), await newParty()]
    const path = `/Operator/Users/${user.id}/Memberships`
    const asked = await operator().get(`${path}?partyId=${party.id}`)
    await operator().post(path, { ...hiddenFields(asked.text), role: 'member' })
    expect(await roleOf(user.id, party.id)).toBe('member')
  })

  test.each([[{ role: 'king' }], [{ role: '' }], [{}]])(
    'by a form with the role %j gets none',
    async (fields: Record<string, string>) => {
      const [user, party] = [await newUser(), await newParty()]
      const sent = { userId: user.id, ...fields }
      const { status, text } = await operator().send(`/Operator/Parties/${party.id}/Users`, sent)
      expect([status, text]).toEqual([422, expect.stringContaining('Choose a role.')])
      expect(await roleOf(user.id, party.id)).toBeUndefined()
    },
  )
})

describe('the role of a user in a party', () => {
  test('is shown and changed on the page of the party', async () => {
    const party = await newParty()
    const [user, other] = [
      await newUser({ partyIds: [party.id] }),
      await newUser({ partyIds: [party.id] }),
    ]
    const path = `/Operator/Parties/${party.id}`
    const page = (await operator().get(path)).text
    expect(page).toContain('<span class="badge badge-on">Admin</span>')
    expect(page).toContain(`action="${path}/Roles"`)
    const done = await operator().send(`${path}/Roles`, { userId: user.id, role: 'member' })
    expect(done.location).toBe(path)
    expect((await operator().get(path)).text).toContain(`Rita Role is a member of ${party.name}`)
    expect([await roleOf(user.id, party.id), await roleOf(other.id, party.id)]).toEqual([
      'member',
      'admin',
    ])
    const subjectId = `${user.id}/${party.id}`
    expect(
      await db().auditEvent.findMany({ where: { action: 'membership.changed', subjectId } }),
    ).toMatchObject([
      { actorKind: 'operator', before: { role: 'admin' }, after: { role: 'member' } },
    ])
  })

  test('is shown and changed on the page of the user', async () => {
    const party = await newParty()
    await newUser({ partyIds: [party.id] })
    const user = await newUser({ partyIds: [party.id] })
    const path = `/Operator/Users/${user.id}`
    expect((await operator().get(path)).text).toContain(`action="${path}/Roles"`)
    const partyId = String(party.id)
    await operator().send(`${path}/Roles`, { partyId, role: 'member' })
    expect(await roleOf(user.id, party.id)).toBe('member')
    await operator().send(`${path}/Roles`, { partyId, role: 'admin' })
    expect(await roleOf(user.id, party.id)).toBe('admin')
  })

  test('stays admin for the last one who can sign in', async () => {
    const party = await newParty()
    const user = await newUser({ partyIds: [party.id] })
    const suspended = await newUser({ partyIds: [party.id] })
    await db().user.update({ where: { id: suspended.id }, data: { suspendedAt: new Date() } })
    const path = `/Operator/Parties/${party.id}/Roles`
    const refused = await operator().send(path, { userId: user.id, role: 'member' })
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Make another member an admin first.'),
    ])
    expect(await roleOf(user.id, party.id)).toBe('admin')
  })

  test('of two last admins who are demoted at once, one stays', async () => {
    const party = await newParty()
    const users = [await newUser({ partyIds: [party.id] }), await newUser({ partyIds: [party.id] })]
    const path = `/Operator/Parties/${party.id}/Roles`
    await Promise.all(users.map(({ id }) => operator().send(path, { userId: id, role: 'member' })))
    const roles = await Promise.all(users.map(({ id }) => roleOf(id, party.id)))
    expect(roles.toSorted()).toEqual(['admin', 'member'])
  })

  test('is changed by no form with another role, another user or another party', async () => {
    const [party, user] = [await newParty(), await newUser()]
    const path = `/Operator/Parties/${party.id}/Roles`
    for (const [fields, status] of [
      [{ userId: user.id, role: 'member' }, 404],
      [{ userId: 'x', role: 'member' }, 404],
      [{ userId: user.id, role: 'king' }, 422],
      [{}, 404],
    ] as [Record<string, string>, number][]) {
      expect((await operator().send(path, fields)).status).toBe(status)
    }
    const own = `/Operator/Users/${user.id}/Roles`
    for (const partyId of ['999999', 'x', '']) {
      expect((await operator().send(own, { partyId, role: 'admin' })).status).toBe(404)
    }
  })

  test('is shown to support, who has no form for it', async () => {
    const party = await newParty()
    await newUser({ partyIds: [party.id] })
    const support = await signedIn(market(), await newUser({ partyIds: [], support: true }))
    const { text } = await support.get(`/Operator/Parties/${party.id}`)
    expect(text).toContain('<span class="badge badge-on">Admin</span>')
    expect(text).not.toContain('/Roles"')
  })
})
