import { describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { author, draft, newId } from '../../setup/apps.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { signedIn } from '../../setup/web-client.ts'

const { market, operator, db, seller, aDeveloper } = operatorConsole()

const newUser = (rights: { support?: boolean } = {}) =>
  createUser(market().deps, { email: newAddress(), name: 'Pat Person', ...rights })

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
    expect(main).not.toMatch(/href="\/Operator[^"]*\/(New|Remove|Suspend|Close)/)
  }
  const { text } = await browser.get(`/Operator/Users?q=${encodeURIComponent(email)}`)
  expect(text).toContain('<span class="badge badge-on">Support</span>')
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
