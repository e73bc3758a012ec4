import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken } from '../../setup/client.ts'
import { newCustomer, newMember } from '../../setup/customer.ts'
import { accept, newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn, signedInDeveloper } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'
const NOBODY = { email: '', password: '' }

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const linkOn = ({ text }: { text: string }) => /https?:\/\/[^\s<]+\?token=[\w-]+/.exec(text)?.[0]

test('an admin invites to its account and is shown the link once; a member does not', async () => {
  const user = market.demo.users[0] ?? { email: '', password: '', partyId: 0 }
  const admin = await signedIn(market, user)
  const path = '/Account/Members/Invite'
  const fields = hiddenFields((await admin.get(`${path}?partyId=${user.partyId}`)).text)
  expect(fields.partyId).toBe(String(user.partyId))
  const email = newAddress()
  const wrong = await admin.post(path, { ...fields, name: '', email, role: 'member' })
  expect([wrong.status, wrong.text.includes('Enter a name.')]).toEqual([422, true])
  const link = linkOn(await admin.post(path, { ...fields, name: 'Kim', email, role: 'member' }))
  expect((await admin.get(path)).text).not.toContain('?token=')
  expect((await accept(market, link, PASSWORD)).status).toBe(200)
  const member = await signedIn(market, { email, password: PASSWORD })
  expect((await member.get(path)).status).toBe(403)
  const { _csrf = '' } = hiddenFields((await member.get('/Account')).text)
  const again = { ...fields, _csrf, name: 'Kim', email: newAddress(), role: 'admin' }
  expect((await member.post(path, again)).status).toBe(403)
  const others = market.demo.users.find(({ partyId }) => partyId !== user.partyId)?.partyId
  expect((await admin.get(`${path}?partyId=${others}`)).status).toBe(404)
})

test('an admin of several accounts is shown the link, and invites to the same account next', async () => {
  const { party, user } = await newCustomer(market, 'Buyer')
  const second = await newCustomer(market, 'Seller', [])
  await market.deps.db.membership.create({ data: { userId: user.id, partyId: second.party.id } })
  const admin = await signedIn(market, user)
  const path = '/Account/Members/Invite'
  const { _csrf = '' } = hiddenFields((await admin.get('/Account/Choose')).text)
  await admin.post('/Account/Choose', { _csrf, partyId: String(second.party.id) })
  let page = await admin.get(`${path}?partyId=${party.id}`)
  for (const _person of [1, 2]) {
    const fields = { ...hiddenFields(page.text), name: 'Kim', email: newAddress(), role: 'member' }
    page = await admin.post(path, fields)
    expect(linkOn(page)).toBeDefined()
    expect(hiddenFields(page.text).partyId).toBe(String(party.id))
  }
  expect(
    (await admin.get(`/Account/Members?partyId=${party.id}`)).text
      .split('Open invitations')[1]
      ?.match(/>Kim</g),
  ).toHaveLength(2)
})

test('a developer invites in its console and is shown the link once', async () => {
  const developer = await signedInDeveloper(market)
  const path = '/Developer/Members/Invite'
  const fields = hiddenFields((await developer.get(path)).text)
  const email = newAddress()
  const link = linkOn(await developer.post(path, { ...fields, name: 'Kim', email, role: 'owner' }))
  expect((await accept(market, link, PASSWORD)).status).toBe(200)
  expect(
    await market.deps.db.developerMember.findMany({ where: { user: { email } } }),
  ).toMatchObject([{ role: 'owner' }])
  expect(typeof (await accountToken(market, { email, password: PASSWORD }))).toBe('string')
})

test('admins see who is invited to their account and revoke it; members see nothing of it', async () => {
  const user = market.demo.users[0] ?? { email: '', password: '', partyId: 0 }
  const admin = await signedIn(market, user)
  const invite = '/Account/Members/Invite'
  const path = `/Account/Members?partyId=${user.partyId}`
  expect((await admin.get(path)).text).toContain('No open invitations')
  const fields = hiddenFields((await admin.get(`${invite}?partyId=${user.partyId}`)).text)
  const email = newAddress()
  const shown = await admin.post(invite, { ...fields, name: 'Ines <b>', email, role: 'admin' })
  const { text } = await admin.get(path)
  const [, card = ''] = text.split('Open invitations')
  for (const part of [email, 'Ines &lt;b&gt;', 'Admin', 'invited by']) expect(card).toContain(part)
  expect(card).not.toContain('?token=')
  const { _csrf = '', invitationId = '', partyId = '' } = hiddenFields(text)
  const member = await signedIn(market, await newMember(market, user.partyId))
  expect((await member.get(path)).text).not.toContain('Open invitations')
  const ownCsrf = hiddenFields((await member.get('/Account')).text)._csrf ?? ''
  const revoke = '/Account/Members/Revoke'
  const refused = await member.post(revoke, { _csrf: ownCsrf, invitationId, partyId })
  expect(refused.status).toBe(403)
  for (const _click of [1, 2]) {
    const done = await admin.submit(revoke, { _csrf, invitationId, partyId })
    expect([done.status, done.location]).toEqual([303, path])
  }
  const after = (await admin.get(path)).text
  expect([after.includes('was revoked'), after.includes('No open invitations')]).toEqual([
    true,
    true,
  ])
  expect((await accept(market, linkOn(shown), PASSWORD)).status).toBe(410)
  const others = market.demo.users.find(({ partyId: id }) => id !== user.partyId)?.partyId
  const foreign = { _csrf, invitationId, partyId: String(others) }
  expect((await admin.post(revoke, foreign)).status).toBe(404)
  expect((await admin.post(revoke, { _csrf, invitationId: 'x', partyId })).status).toBe(404)
})

test('an admin of several accounts who signs in again while revoking comes back to the same one', async () => {
  const { user } = await newCustomer(market)
  const { partyId } = market.demo.users[0] ?? { partyId: 0 }
  const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
    where: { email: user.email },
  })
  await market.deps.db.membership.create({ data: { userId, partyId, role: 'admin' } })
  const admin = await signedIn(market, user)
  const path = `/Account/Members?partyId=${partyId}`
  const { _csrf = '' } = hiddenFields((await admin.get(path)).text)
  await market.deps.db.session.deleteMany({ where: { userId } })
  const fields = { _csrf, partyId: String(partyId), invitationId: randomUUID() }
  const { location } = await admin.submit('/Account/Members/Revoke', fields)
  const form = hiddenFields((await admin.get(location ?? '')).text)
  const { email, password } = user
  const { location: back } = await admin.submit('/login', { ...form, email, password })
  expect((await admin.get(back ?? '')).location).toBe(path)
  expect((await admin.get(path)).text).toContain('You were signed out before this was')
})

test('owners of a developer see who is invited and revoke it', async () => {
  const developer = await signedInDeveloper(market)
  const invite = '/Developer/Members/Invite'
  const fields = hiddenFields((await developer.get(invite)).text)
  const email = newAddress()
  const shown = await developer.post(invite, { ...fields, name: 'Kim', email, role: 'member' })
  const page = (await developer.get('/Developer/Members')).text
  expect(page.split('Open invitations')[1]).toContain(email)
  const { _csrf = '', invitationId = '' } = hiddenFields(page)
  const revoke = '/Developer/Members/Revoke'
  const done = await developer.submit(revoke, { _csrf, invitationId })
  expect([done.status, done.location]).toEqual([303, '/Developer/Members'])
  expect((await developer.get('/Developer/Members')).text).toContain('No open invitations')
  expect((await accept(market, linkOn(shown), PASSWORD)).status).toBe(410)
  expect((await developer.post(revoke, { _csrf, invitationId: 'x' })).status).toBe(404)
})

test.each([
  ['an account', '/Account/Members', () => signedIn(market, market.demo.users[0] ?? NOBODY)],
  ['a developer', '/Developer/Members', () => signedInDeveloper(market)],
] as const)(
  'who revokes an invitation to %s that was accepted meanwhile does not read that it is revoked',
  async (_side, path, signIn) => {
    const browser = await signIn()
    const invite = `${path}/Invite`
    const fields = hiddenFields((await browser.get(invite)).text)
    const person = { name: 'Kim', email: newAddress(), role: 'member' }
    const shown = await browser.post(invite, { ...fields, ...person })
    const form = hiddenFields((await browser.get(path)).text)
    expect((await accept(market, linkOn(shown), PASSWORD)).status).toBe(200)
    const { location } = await browser.submit(`${path}/Revoke`, form)
    const { text } = await browser.get(location ?? '')
    expect(text).not.toContain('The invitation was revoked.')
    expect(text).toContain('The invitation is not open any more')
  },
)
