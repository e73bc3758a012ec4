import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken } from '../../setup/client.ts'
import { accept, newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'

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
  expect([wrong.status, wrong.text.includes('Name must not be empty.')]).toEqual([422, true])
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

test('a developer invites in its console and is shown the link once', async () => {
  const [credential] = market.demo.developers
  const developer = webClient(market)
  await developer.loginDeveloper(credential ?? { clientId: '', password: '' })
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
