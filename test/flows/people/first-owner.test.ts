import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { newOwner } from '../../setup/developer-person.ts'
import { operatorBrowser, operatorCalls } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, mainOf, webClient } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'

let market: SharedMarketplace
let developer: { id: string; name: string }
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  developer = await createDeveloper(market.deps, { name: `Acme ${randomUUID()}` })
})

/** Accepts an invitation in a browser, which then opens the console. */
async function accepts(link: string) {
  const browser = webClient(market)
  const path = link.slice(market.url.length)
  const form = hiddenFields((await browser.get(path)).text)
  const password = { newPassword: PASSWORD, repeatedPassword: PASSWORD }
  expect((await browser.post('/invitation', { ...form, ...password })).status).toBe(303)
  return browser.get('/Developer/Members')
}

test('the page of a developer without people leads to the invitation of its first owner', async () => {
  const operator = await operatorBrowser(market)
  const path = `/Operator/Developers/${developer.id}`
  const { text } = await operator.get(path)
  expect(text).toContain('No people yet')
  const [, href = ''] = /href="([^"]+)">Invite the first owner</.exec(text) ?? []
  const form = await operator.get(href)
  expect(form.text).toContain(`value="${developer.id}"`)
  const email = newAddress()
  const made = await operator.send('/Operator/Invitations', {
    ...{ name: 'Ona Owner', email, developer: developer.id },
    ...{ party: '', role: '', console: '' },
  })
  const link = /https?:\/\/[^\s<]+\?token=[\w-]+/.exec(made.text)?.[0] ?? ''
  const members = await accepts(link)
  expect(members.status).toBe(200)
  expect(mainOf(members)).toContain('Ona Owner')
  expect(mainOf(members)).toContain('Owner</span>')
  expect((await operator.get(path)).text).not.toContain('No people yet')
})

test('nobody is invited to a developer that is closed or has people by such a link', async () => {
  const operator = await operatorBrowser(market)
  const path = `/Operator/Developers/${developer.id}`
  const calls = await operatorCalls(market)
  expect((await calls('POST', `Developers/${developer.id}/Close`)).status).toBe(200)
  const closed = (await operator.get(path)).text
  expect(closed).toContain('No people yet')
  expect(closed).not.toContain('/Operator/Invitations?')
  const other = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
  await newOwner(market, other)
  const manned = (await operator.get(`/Operator/Developers/${other.id}`)).text
  expect(manned).not.toContain('No people yet')
})

test('an invitation with a developer by API makes an owner, who opens the console', async () => {
  const operator = await operatorCalls(market)
  const input = { name: 'Ona Owner', email: newAddress(), developerId: developer.id }
  const { status, body } = await operator('POST', 'Invitations', input)
  expect(status).toBe(201)
  const members = await accepts(body.link)
  expect(members.status).toBe(200)
  const where = { developerId: developer.id }
  const [{ role } = { role: undefined }] = await market.deps.db.developerMember.findMany({ where })
  expect(role).toBe('owner')
})
