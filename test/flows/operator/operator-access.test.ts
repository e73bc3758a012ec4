import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createMembership } from '../../../src/identity/accounts/members/memberships-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { sessionIdOf } from '../../../src/identity/auth/session-store-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, mainOf, signedIn } from '../../setup/web-client.ts'

const { market, operator, db, seller, buyer, userIdOf } = operatorConsole()

const deps = () => market().deps
const find = (path: string, field: string, text: string) =>
  operator().get(`${path}?${field}=${encodeURIComponent(text)}`)
const choices = (text: string) =>
  [...text.matchAll(/class="row-name" href="([^"]+)"/g)].map(([, href]) =>
    href?.replaceAll('&amp;', '&'),
  )
const newUser = async (email: string) => {
  const { id, name } = await createUser(deps(), { email, name: `Sam ${email}` })
  return { id, name, path: `/Operator/Users/${id}/Memberships` }
}
const joined = async (userId: string) =>
  (await db().membership.findMany({ where: { userId } })).map(({ partyId }) => partyId)

/** The sandbox of Northwind Tools, and an account that begins with the same words. */
const SANDBOX = 'Northwind Tools (sandbox)'
const ACCOUNT = 'Northwind Tools Trading'
let sandboxId: number
let accountId: number
beforeAll(async () => {
  const found = await db().party.findFirstOrThrow({ where: { name: SANDBOX } })
  sandboxId = found.id
  accountId = (await createParty(deps(), { name: ACCOUNT, type: 'Buyer' })).id
})

describe('a user is added to a party', () => {
  test.each([
    ['an id', () => String(seller().partyId)],
    ['a whole name, in capitals or not', () => ' keyline ELECTRONICS '],
  ])('by %s, after a question that names both', async (what, text) => {
    const { id, name, path } = await newUser(`exact-${what.length}@x.example`)
    const { partyId } = seller()
    const { status, location } = await find(path, 'party', text())
    expect([status, location]).toEqual([303, `${path}?partyId=${partyId}`])
    const asked = await operator().get(location ?? '')
    expect(asked.text).toContain(`<h1><bdi>Add ${name} to Keyline Electronics?</bdi></h1>`)
    expect(asked.text).toContain(`<dt>Account ${partyId}</dt>`)
    expect(asked.text).toContain('A member can see and open the apps of the account')
    expect(await joined(id)).toEqual([])
    const fields = { ...hiddenFields(asked.text), role: 'member' }
    expect(fields).toMatchObject({ partyId: String(partyId) })
    for (let times = 0; times < 2; times++) {
      const sent = await operator().post(path, fields)
      expect(sent.location).toBe(`/Operator/Users/${id}`)
      expect(await joined(id)).toEqual([partyId])
    }
    const again = await operator().get(location ?? '')
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining(`${name} is already a member of Keyline Electronics.`),
    ])
  })

  test.each([
    ['says so', 'admin', 'member', 409],
    ['is done', 'member', 'member', 303],
  ] as const)('whom somebody else has added meanwhile %s as %s after %s', async (...given) => {
    const [, asked, added, status] = given
    const { id, name, path } = await newUser(`meanwhile-${status}@x.example`)
    const { partyId } = seller()
    const page = await operator().get(`${path}?partyId=${partyId}`)
    await createMembership(deps(), { userId: id, partyId, role: added }, SYSTEM)
    const answer = await operator().send(path, { ...hiddenFields(page.text), role: asked })
    expect(answer.status).toBe(status)
    const already = `${name} is already a member of Keyline Electronics.`
    expect(answer.text.includes(already)).toBe(status === 409)
    expect(await db().membership.findMany({ where: { userId: id } })).toMatchObject([
      { role: added },
    ])
  })

  test('by a part of a name only after a choice, even where it is a part of one name', async () => {
    const { id, name, path } = await newUser('part@x.example')
    const { partyId, partyName } = seller()
    const { status, text } = await find(path, 'party', partyName.slice(0, 7))
    expect(status).toBe(200)
    expect(choices(text)).toEqual([`${path}?partyId=${partyId}`])
    expect(text).toContain(`Account ${partyId}`)
    expect(text).toContain('<span class="badge">Seller</span>')
    const asked = await operator().get(`${path}?partyId=${partyId}`)
    expect(asked.text).toContain(`Add ${name} to ${partyName}?`)
    expect(await joined(id)).toEqual([])
  })

  test('by a name that several have only after a choice of these', async () => {
    const { path } = await newUser('several@x.example')
    const same = [
      await createParty(deps(), { name: 'Cellar Twin', type: 'Buyer' }),
      await createParty(deps(), { name: 'Cellar Twin', type: 'Seller' }),
    ]
    await createParty(deps(), { name: 'Cellar Twins', type: 'Seller' })
    const { status, text } = await find(path, 'party', 'Cellar Twin')
    expect([status, choices(text)]).toEqual([200, same.map(({ id }) => `${path}?partyId=${id}`)])
  })

  test('never by a text that is sent: the form that gives access takes an id', async () => {
    const { id, path } = await newUser('never@x.example')
    for (const sent of [
      { party: 'Keyline Electronics' },
      { party: String(seller().partyId) },
      { partyId: 'Keyline Electronics' },
      { partyId: '' },
      { partyId: '999999' },
    ]) {
      const { status, text } = await operator().send(path, sent)
      expect([status, text]).toEqual([422, expect.stringContaining('id="party-error"')])
    }
    expect(await joined(id)).toEqual([])
  })

  test('after a sign-in, or a code, that came between, with the user and the role as chosen', async () => {
    const { id, name, path } = await newUser('between@x.example')
    const browser = await signedIn(market(), market().demo.operator)
    const asked = await browser.get(`${path}?partyId=${seller().partyId}`)
    const session = sessionIdOf(browser.cookies.get('session') ?? '')
    await db().session.delete({ where: { id: session } })
    const sent = await browser.submit(path, { ...hiddenFields(asked.text), role: 'admin' })
    const next = new URLSearchParams(sent.location?.split('?', 2)[1]).get('next') ?? ''
    const again = await browser.login(market().demo.operator, next)
    expect(again.text).toContain(`<bdi>Add ${name} to Keyline Electronics?</bdi>`)
    expect(again.text).toContain('You were signed out before this was')
    expect(again.text).toContain('<option value="admin" selected>')
    await browser.submit(path, { ...hiddenFields(again.text), role: 'admin' })
    expect(await joined(id)).toEqual([seller().partyId])
  })

  test('whom nobody finds is said beside the field, with what was typed', async () => {
    const { path } = await newUser('none@x.example')
    for (const [text, problem] of [
      ['', 'Enter an account.'],
      ['  ', 'Enter an account.'],
      ['nobody of this name', 'No account found.'],
      ['999999', 'No account found.'],
      ['x'.repeat(300), 'No account found.'],
    ] as const) {
      const answer = await find(path, 'party', text)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(problem)])
      expect(answer.text).toContain('id="party-error"')
      expect(answer.text).toContain(`value="${text}"`)
    }
  })
})

describe('a party gets a user', () => {
  const path = () => `/Operator/Parties/${seller().partyId}/Users`

  test('by the whole email, after a question; by a part of one after a choice', async () => {
    const { id } = await newUser('whole@access.example')
    await newUser('another-whole@access.example')
    const exact = await find(path(), 'user', ' WHOLE@access.example ')
    expect([exact.status, exact.location]).toEqual([303, `${path()}?userId=${id}`])
    const part = await find(path(), 'user', 'whole@access')
    expect([part.status, choices(part.text)]).toEqual([
      200,
      expect.arrayContaining([`${path()}?userId=${id}`]),
    ])
    const asked = await operator().get(exact.location ?? '')
    expect(asked.text).toContain('Add Sam whole@access.example to Keyline Electronics?')
    expect(asked.text).toContain('<bdi>whole@access.example</bdi>')
    expect(await joined(id)).toEqual([])
    await operator().post(path(), { ...hiddenFields(asked.text), role: 'member' })
    expect(await joined(id)).toEqual([seller().partyId])
  })

  test('only if somebody can sign in so', async () => {
    const { status, text } = await find(path(), 'user', 'nobody@x.example')
    expect([status, text]).toEqual([422, expect.stringContaining('No user found.')])
    const gone = `${path()}?userId=00000000-0000-4000-8000-000000000000`
    expect((await operator().get(gone)).status).toBe(422)
  })
})

describe('a Seller is connected', () => {
  test('with a Buyer, after a question that names both', async () => {
    const { id } = await createParty(deps(), { name: 'Selling', type: 'Seller' })
    const path = `/Operator/Parties/${id}/Connections`
    const { location } = await find(path, 'party', 'fairmarket stores')
    expect(location).toBe(`${path}?partyId=${buyer().partyId}`)
    const asked = await operator().get(location ?? '')
    expect(asked.text).toContain('Connect Fairmarket Stores with Selling?')
    const where = { buyerId: buyer().partyId, sellerId: id }
    expect(await db().connection.count({ where })).toBe(0)
    for (let times = 0; times < 2; times++) {
      const answer = await operator().post(path, hiddenFields(asked.text))
      expect(answer.location).toBe(`/Operator/Parties/${id}`)
    }
    expect(await db().connection.count({ where })).toBe(1)
    const again = await operator().get(location ?? '')
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining('are already connected.'),
    ])
    await operator().send(`${path}/${buyer().partyId}/Remove`)
    expect(await db().connection.count({ where })).toBe(0)
  })

  test('with Buyers only, however they are named', async () => {
    const { id } = await createParty(deps(), { name: 'Selling too', type: 'Seller' })
    const path = `/Operator/Parties/${id}/Connections`
    const { partyId } = seller()
    for (const text of ['Keyline Electronics', 'keyline', String(partyId)]) {
      expect((await find(path, 'party', text)).status).toBe(422)
    }
    const asked = await operator().get(`${path}?partyId=${partyId}`)
    expect([asked.status, asked.text]).toEqual([
      422,
      expect.stringContaining(`Keyline Electronics (account ${partyId}) is not a Buyer.`),
    ])
    const sent = await operator().send(path, { partyId: String(partyId) })
    expect([sent.status, sent.text]).toEqual([
      422,
      expect.stringContaining('is a Seller, not a Buyer.'),
    ])
    expect(await db().connection.count({ where: { sellerId: id } })).toBe(0)
  })

  test('never if it is a sandbox', async () => {
    const { id } = await db().party.findFirstOrThrow({ where: { type: 'None' } })
    expect((await operator().get(`/Operator/Parties/${id}/Connections`)).status).toBe(404)
  })
})

test('a new user gets the party of a whole name or an id; a part of a name is an error', async () => {
  const path = '/Operator/Users/New'
  const sent = { name: 'New', email: 'new@access.example', party: 'keyline' }
  const part = await operator().send(path, sent)
  expect([part.status, part.text]).toEqual([
    422,
    expect.stringContaining(
      `Did you mean Keyline Electronics (${seller().partyId})? Enter the ID.`,
    ),
  ])
  expect(await db().user.count({ where: { email: sent.email } })).toBe(0)
  // Who may have been meant is to be chosen in the form, which keeps all that was typed.
  expect(part.text).toMatch(/<select id="party" name="party"[^>]* aria-invalid="true"/)
  expect(part.text).toContain(`<option value="${seller().partyId}">`)
  expect(part.text).toContain('<option value="">None of these</option>')
  expect(part.text).toContain(`value="${sent.email}"`)
  expect((await operator().send(path, { ...sent, party: 'KEYLINE electronics' })).status).toBe(200)
  expect(await joined(await userIdOf(sent.email))).toEqual([seller().partyId])
})

describe('the sandbox of a developer is offered by no form of the operator', () => {
  test.each(['Northwind', SANDBOX])('that adds a user to a party: %s', async (text) => {
    const { path } = await newUser(newAddress())
    const page = await operator().get(`${path}?party=${encodeURIComponent(text)}`)
    expect(mainOf(page)).not.toContain(`partyId=${sandboxId}`)
    expect(mainOf(page).includes(`partyId=${accountId}`)).toBe(text !== SANDBOX)
  })

  test.each(['Northwind', SANDBOX])('of a new user: %s', async (party) => {
    const fields = { name: 'Olga Ordinary', email: newAddress(), party }
    const { status, text } = await operator().send('/Operator/Users/New', fields)
    expect(status).toBe(422)
    expect(text).toContain('id="party-error"')
    expect(text).not.toContain(`${SANDBOX} (${sandboxId})`)
    expect(text.includes(`${ACCOUNT} (${accountId})`)).toBe(party !== SANDBOX)
    expect(await db().user.count({ where: { email: fields.email } })).toBe(0)
  })

  test.each(['Northwind', SANDBOX])('of an invitation: %s', async (party) => {
    const fields = { name: 'Olga Ordinary', email: newAddress(), party, role: 'admin' }
    const { status, text } = await operator().send('/Operator/Invitations', fields)
    expect(status).toBe(422)
    expect(text).not.toContain(`${SANDBOX} (${sandboxId})`)
    expect(await db().linkToken.count({ where: { email: fields.email } })).toBe(0)
  })

  test.each(['Northwind', SANDBOX, 'ID'])('that connects parties: %s', async (text) => {
    const path = `/Operator/Parties/${seller().partyId}/Connections`
    const typed = text === 'ID' ? String(sandboxId) : text
    const page = await operator().get(`${path}?party=${encodeURIComponent(typed)}`)
    expect(page.location ?? mainOf(page)).not.toContain(`partyId=${sandboxId}`)
    const sent = await operator().send(path, { partyId: String(sandboxId) })
    expect(sent.status).toBe(422)
    expect((await operator().get(`/Operator/Parties/${sandboxId}/Connections`)).status).toBe(404)
  })
})

test('an operator who types the ID of a sandbox is asked first, and told what it is', async () => {
  const { name, path } = await newUser(newAddress())
  const found = await operator().get(`${path}?party=${sandboxId}`)
  expect(found.location).toBe(`${path}?partyId=${sandboxId}`)
  const { text } = await operator().get(found.location ?? '')
  expect(text).toContain(`Add ${name} to ${SANDBOX}?`)
  expect(text).toContain('<span class="badge">Sandbox</span>')
  expect(hiddenFields(text).partyId).toBe(String(sandboxId))
})

test('the list of parties shows sandboxes as what they are', async () => {
  const { text } = await operator().get('/Operator/Parties?type=None')
  expect(text).toContain(SANDBOX)
  expect(text).not.toContain(ACCOUNT)
})
