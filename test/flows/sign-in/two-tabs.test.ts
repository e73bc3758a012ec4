import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { removeDeveloperMember } from '../../../src/identity/accounts/members/developer-members-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { fullDraft } from '../../setup/customer.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { demoUser, hiddenFields, type WebClient, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('the sign-in of a second tab leads on to where it was to lead, when the first was faster', async () => {
  const browser = webClient(market)
  const user = demoUser(market, 'Seller')
  const next = '/Installed?status=active'
  const path = `/login?next=${encodeURIComponent(next)}`
  const fields = hiddenFields((await browser.get(path)).text)
  await browser.login(user)
  const refused = await browser.post('/login', { ...fields, email: user.email, password: 'x' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain(`href="${path}">Open the page again<`)
  expect((await browser.get(path)).location).toBe(next)
})

describe('a person who works for several developers, and has switched in another tab,', () => {
  type Developer = Awaited<ReturnType<typeof createDeveloper>>
  let developer: Developer
  let other: Developer
  let browser: WebClient
  let user: { id: string }
  beforeEach(async () => {
    developer = await createDeveloper(market.deps, { name: `Acme ${randomUUID()}` })
    other = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
    ;({ browser, user } = await developerPerson(market, 'owner', [developer, other]))
  })
  const formOf = async (path: string) => hiddenFields((await browser.get(path)).text)
  const choose = async (developerId: string) =>
    browser.submit('/Developer/Choose', { ...(await formOf('/Developer/Choose')), developerId })

  test('sends no form for another developer than its page showed', async () => {
    const { id } = developer
    await choose(id)
    const invite = await formOf('/Developer/Members/Invite')
    const email = `${randomUUID()}@example.com`
    const forms: [string, Record<string, string>][] = [
      ['/Developer/Members/Invite', { name: 'Eve Early', email, role: 'owner' }],
      ['/Developer/Credentials', { clientId: '' }],
      ['/Developer/Apps/New', { definition: JSON.stringify(fullDraft()), do: 'save' }],
      ['/Developer/Members', { userId: user.id, role: 'member' }],
      [`/Developer/Members/${user.id}/Remove`, {}],
    ]
    await choose(other.id)
    const refused = []
    for (const [path, fields] of forms) {
      const { status, text } = await browser.post(path, { ...invite, ...fields })
      expect([path, status]).toEqual([path, 409])
      expect(text).toContain(`You now work for ${other.name}`)
      expect(text).toContain(`This form was for ${developer.name}`)
      refused.push(text)
    }
    const where = { developerId: other.id }
    const { db } = market.deps
    expect(await db.developerCredential.count({ where })).toBe(1)
    expect(await db.linkToken.count({ where: { email } })).toBe(0)
    expect(await db.app.count({ where })).toBe(0)
    expect(await db.developerMember.count({ where: { ...where, role: 'owner' } })).toBe(1)

    const [way = ''] = /\/Developer\/Choose\?next=[^"]+form%3D[^"]+/.exec(refused[0] ?? '') ?? []
    const fields = hiddenFields((await browser.get(way)).text)
    const back = await browser.submit('/Developer/Choose', { ...fields, developerId: id })
    expect(back.location).toMatch(/^\/Developer\/Members\/Invite\?form=/)
    const { text } = await browser.get(back.location ?? '')
    expect(text).toContain(`value="${email}"`)
    expect(text).toContain('Nothing was saved yet')
    const stays = await browser.submit('/Developer/Choose', { ...fields, developerId: other.id })
    expect(stays.location).toBe('/Developer/Members')
    expect((await browser.get(back.location ?? '')).text).not.toContain(email)
  })

  test('sends none for the one left when the person has lost the developer of the page', async () => {
    await choose(developer.id)
    const invite = await formOf('/Developer/Members/Invite')
    const member = { developerId: developer.id, userId: user.id }
    await removeDeveloperMember(market.deps, member, { actor: SYSTEM, keepsAnOwner: false })
    const email = `${randomUUID()}@example.com`
    const fields = { ...invite, name: 'Eve', email, role: 'owner' }
    expect((await browser.post('/Developer/Members/Invite', fields)).status).toBe(409)
    expect(await market.deps.db.linkToken.count({ where: { email } })).toBe(0)
  })
})
