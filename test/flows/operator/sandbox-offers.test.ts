import { beforeAll, describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, mainOf } from '../../setup/web-client.ts'

const { market, operator, db, seller } = operatorConsole()

/** The sandbox of Northwind Tools, and an account that begins with the same words. */
const SANDBOX = 'Northwind Tools (sandbox)'
const ACCOUNT = 'Northwind Tools Trading'
let sandboxId: number
let accountId: number
beforeAll(async () => {
  const found = await db().party.findFirstOrThrow({ where: { name: SANDBOX } })
  sandboxId = found.id
  accountId = (await createParty(market().deps, { name: ACCOUNT, type: 'Buyer' })).id
})

const newUser = () => createUser(market().deps, { email: newAddress(), name: 'Olga Ordinary' })

describe('the sandbox of a developer is offered by no form of the operator', () => {
  test.each(['Northwind', SANDBOX])('that adds a user to a party: %s', async (text) => {
    const { id } = await newUser()
    const path = `/Operator/Users/${id}/Memberships`
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
  const { id, name } = await newUser()
  const path = `/Operator/Users/${id}/Memberships`
  const found = await operator().get(`${path}?party=${sandboxId}`)
  expect(found.location).toBe(`${path}?partyId=${sandboxId}`)
  const { text } = await operator().get(found.location ?? '')
  expect(text).toContain(`Add ${name} to ${SANDBOX}?`)
  expect(text).toContain('<span class="badge badge-none">Sandbox</span>')
  expect(hiddenFields(text).partyId).toBe(String(sandboxId))
})

test('the list of parties shows sandboxes as what they are', async () => {
  const { text } = await operator().get('/Operator/Parties?type=None')
  expect(text).toContain(SANDBOX)
  expect(text).not.toContain(ACCOUNT)
})
