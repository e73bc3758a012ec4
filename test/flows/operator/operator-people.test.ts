import { describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { author, draft, newId } from '../../setup/apps.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn } from '../../setup/web-client.ts'

const { market, operator, db, seller, aDeveloper } = operatorConsole()

const newUser = (fields: object = {}) =>
  createUser(market().deps, { email: newAddress(), name: 'Pat Person', ...fields })
const newParty = () => createParty(market().deps, { name: newAddress(), type: 'Buyer' })
const roleOf = async (userId: string, partyId: number) =>
  (await db().membership.findUnique({ where: { userId_partyId: { userId, partyId } } }))?.role

describe('the page of a developer', () => {
  test('lists its people, and adds, changes and removes them', async () => {
    const { id: developerId } = await aDeveloper()
    const path = `/Operator/Developers/${developerId}`
    const { id: userId, email } = await newUser()
    const rolesOf = async () =>
      (await db().developerMember.findMany({ where: { userId } })).map(({ role }) => role)
    const added = await operator().send(`${path}/Members`, { user: email, role: 'owner' })
    expect([added.status, added.location]).toEqual([303, path])
    expect((await operator().get(path)).text).toContain(email)
    expect(await rolesOf()).toEqual(['owner'])
    const again = await operator().send(`${path}/Members`, { user: email, role: 'member' })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('id="user-error"')])
    await operator().send(`${path}/Roles`, { userId, role: 'member' })
    expect(await rolesOf()).toEqual(['member'])
    const asked = await operator().get(`${path}/Members/${userId}/Remove`)
    expect(asked.text).toContain('can no longer open the console of this developer')
    await operator().send(`${path}/Members/${userId}/Remove`)
    await operator().send(`${path}/Members/${userId}/Remove`)
    expect(await rolesOf()).toEqual([])
  })

  test('makes a member of the last owner, and removes the last owner', async () => {
    const { id: developerId } = await createDeveloper(market().deps, { name: newAddress() })
    const path = `/Operator/Developers/${developerId}`
    const { id: userId, email } = await newUser()
    const roleOf = async () =>
      (await db().developerMember.findFirst({ where: { developerId, userId } }))?.role
    await operator().send(`${path}/Members`, { user: email, role: 'owner' })
    const changed = await operator().send(`${path}/Roles`, { userId, role: 'member' })
    expect([changed.location, await roleOf()]).toEqual([path, 'member'])
    await operator().send(`${path}/Roles`, { userId, role: 'owner' })
    const removed = await operator().send(`${path}/Members/${userId}/Remove`)
    expect([removed.location, await roleOf()]).toEqual([path, undefined])
  })

  test('says who or what is missing, beside the field', async () => {
    const path = `/Operator/Developers/${(await aDeveloper()).id}/Members`
    for (const user of ['', 'nobody@x.example', 'x'.repeat(300)]) {
      const { status, text } = await operator().send(path, { user, role: 'member' })
      expect([status, text]).toEqual([422, expect.stringContaining('id="user-error"')])
    }
    const { email } = await newUser()
    const { status, text } = await operator().send(path, { user: email, role: 'boss' })
    expect([status, text]).toEqual([422, expect.stringContaining('id="role-error"')])
  })
})

describe('the form of a user', () => {
  test('gives and takes the role support, and refuses both roles at once', async () => {
    const { id } = await newUser()
    const path = `/Operator/Users/${id}/Edit`
    const shown = { name: 'Pat', operatorShown: 'false', supportShown: 'false' }
    const both = await operator().send(path, { ...shown, operator: 'true', support: 'true' })
    expect([both.status, both.text]).toEqual([422, expect.stringContaining('id="support-error"')])
    await operator().send(path, { ...shown, support: 'true' })
    const isSupport = async () => (await db().user.findUniqueOrThrow({ where: { id } })).support
    expect(await isSupport()).toBe(true)
    await operator().send(path, shown)
    expect(await isSupport()).toBe(true)
    await operator().send(path, { ...shown, supportShown: 'true' })
    expect(await isSupport()).toBe(false)
  })

  test('makes a new user with the role support', async () => {
    const email = newAddress()
    await operator().send('/Operator/Users/New', { name: 'New', email, support: 'true' })
    const user = await db().user.findUniqueOrThrow({ where: { email } })
    expect(user).toMatchObject({ support: true, operator: false })
  })
})

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
    expect(page).toContain('<span class="badge badge-role">Admin</span>')
    expect(page).toContain(`action="${path}/Roles"`)
    const done = await operator().send(`${path}/Roles`, { userId: user.id, role: 'member' })
    expect(done.location).toBe(path)
    expect((await operator().get(path)).text).toContain(`Pat Person is a member of ${party.name}`)
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
    expect(text).toContain('<span class="badge badge-role">Admin</span>')
    expect(text).not.toContain('/Roles"')
  })
})

test('support is shown no form that changes something, and no way to one', async () => {
  const support = await newUser({ support: true })
  const { email } = support
  const browser = await signedIn(market(), support)
  const [app, installation, user] = await Promise.all([
    db().app.findFirstOrThrow(),
    db().installation.findFirstOrThrow(),
    db().user.findFirstOrThrow(),
  ])
  for (const path of [
    ...['', '/Parties', '/Users', '/Developers', '/Apps', '/Installations', '/Audit'],
    ...[`/Parties?partnerId=${seller().partyId}`, `/Users?partyId=${seller().partyId}`],
    ...['/Invitations', `/Parties/${seller().partyId}`, `/Users/${user.id}`],
    ...[`/Developers/${(await aDeveloper()).id}`, `/Apps/${app.id}`],
    `/Installations/${installation.id}`,
  ]) {
    const { status, text } = await browser.get(`/Operator${path}`)
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    expect([path, status]).toEqual([path, 200])
    expect(main).not.toContain('method="post"')
    expect(main).not.toMatch(/href="\/Operator[^"]*\/(New|Edit|Remove|Suspend|Close)/)
  }
  const { text } = await browser.get(`/Operator/Users?q=${encodeURIComponent(email)}`)
  expect(text).toContain('data-label="Role">Support</td>')
})

describe('the audit trail', () => {
  /** The sentences of the entries about these things, with their links. */
  const said = async (query: string) => {
    const { text } = await operator().get(`/Operator/Audit?${query}`)
    return [...text.matchAll(/<li><span>(.*?)<\/span><span class="fine">/gs)].map(
      ([, entry = '']) => entry.replaceAll(/\s+/g, ' '),
    )
  }
  const plain = (sentence: string) => sentence.replaceAll(/<[^>]*>/g, '')

  test('says who was added to a developer, whose role was changed in it, and who was removed from it', async () => {
    const { id, name } = await aDeveloper()
    const { id: userId, email } = await newUser()
    const path = `/Operator/Developers/${id}`
    await operator().send(`${path}/Members`, { user: email, role: 'owner' })
    await operator().send(`${path}/Roles`, { userId, role: 'member' })
    await operator().send(`${path}/Members/${userId}/Remove`)
    const sentences = await said(`subjectKind=developer_member&subjectId=${userId}/${id}`)
    expect(sentences.map((one) => plain(one).replace(/^.*Operator /, ''))).toEqual([
      `removed Pat Person from ${name}`,
      `changed the role of Pat Person in ${name}`,
      `added Pat Person to ${name}`,
    ])
  })

  test('links a user until the user is removed, and tells removed users apart by their ID', async () => {
    const { id } = await newUser()
    const link = `href="/Operator/Users/${id}"`
    const about = `subjectKind=user&subjectId=${id}`
    expect((await said(about)).join()).toContain(link)
    await operator().send(`/Operator/Users/${id}/Remove`)
    const sentences = await said(about)
    expect(sentences.join()).not.toContain(link)
    expect(plain(sentences[0] ?? '')).toContain(`removed the user Removed user ${id}`)
  })

  test('links an app until it is deleted', async () => {
    const developer = await author(market())
    const id = newId()
    expect((await developer.create(draft(id))).status).toBe(201)
    const link = `href="/Operator/Apps/${id}"`
    const about = `subjectKind=app&subjectId=${id}`
    expect((await said(about)).join()).toContain(link)
    expect((await developer.remove(id)).status).toBe(204)
    const sentences = await said(about)
    expect(sentences.join()).not.toContain(link)
    expect(plain(sentences[0] ?? '')).toContain(`deleted the app App ${id}`)
  })
})
