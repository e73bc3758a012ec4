import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
  inviteToParty,
} from '../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { demoUser, hiddenFields, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let provider: TestProvider
beforeAll(async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  provider = await startIdentityProvider(publicUrl)
  market = await startMarketplace({ config: provider.config })
})
afterAll(() => Promise.all([market.close(), provider.close()]))

const invite = (email: string) =>
  inviteByOperator(market.deps, { email, name: 'Ina Invited' }, SYSTEM)
const stored = (email: string) =>
  market.deps.db.user.findUnique({ where: { email }, include: { memberships: true } })

async function signIn(person: TestProvider['person']) {
  provider.person = person
  const browser = webClient(market)
  const begun = await browser.get('/signin/oidc')
  const page = await browser.get(await provider.visit(begun.location ?? ''))
  return { browser, page }
}

test('invitations by others wait until the person has answered them, and name nobody', async () => {
  const { deps } = market
  const { partyId, email: adminEmail } = demoUser(market, 'Seller')
  const admin = await deps.db.user.findUniqueOrThrow({ where: { email: adminEmail } })
  const author = { userId: admin.id, actor: { kind: 'user', id: admin.id, address: null } } as const
  const { id: developerId, name: developer } = await deps.db.developer.findFirstOrThrow()
  const actor = { kind: 'developer', id: market.demo.developers[0]?.clientId ?? '' } as const
  const fool = { email: 'wes@example.com', name: 'Mister Fool' }
  await inviteToParty(deps, partyId, { ...fool, role: 'admin' }, author)
  await inviteToDeveloper(
    deps,
    developerId,
    { ...fool, role: 'owner' },
    { ...actor, address: null },
  )
  const { browser } = await signIn({ sub: 'wes', email: fool.email, email_verified: true })
  const user = await stored(fool.email)
  expect([user?.name, user?.memberships, user?.emailProved]).toEqual(['wes', [], true])
  expect((await browser.get('/')).text).toContain('2 invitations wait for you')

  const account = (await browser.get('/Account')).text
  expect(account).toContain(`<bdi>${admin.name}</bdi> invites you to`)
  expect(account).toContain(`the developer ${developer} as an owner`)
  const ids = [...account.matchAll(/name="invitationId" value="([^"]+)"/g)].map(([, id]) => id)
  const [ofParty = '', , ofDeveloper = ''] = ids
  const answer = (invitationId: string, given: string) =>
    browser.post('/Account/Invitations', {
      ...hiddenFields(account),
      ...{ invitationId, answer: given },
    })
  const notice = async () => (await browser.get('/Account')).text
  await answer(ofParty, 'accept')
  expect(await notice()).toContain('You have accepted the invitation.')
  expect((await stored(fool.email))?.memberships).toMatchObject([{ partyId, role: 'admin' }])
  await answer(ofDeveloper, 'decline')
  expect(await notice()).toContain('You have declined the invitation.')
  expect(await deps.db.developerMember.count({ where: { userId: String(user?.id) } })).toBe(0)
  expect((await browser.get('/Account')).text).not.toContain('invites you to')
  // Answered once, and by nobody else.
  expect((await answer(ofDeveloper, 'accept')).status).toBeGreaterThan(399)
  const left = await invite('somebody.else@example.com')
  expect((await answer(left.id, 'accept')).status).toBeGreaterThan(399)
  const trail = await deps.db.auditEvent.findMany({
    where: { actorId: String(user?.id), action: { startsWith: 'invitation.' } },
    orderBy: { id: 'asc' },
  })
  expect(trail.map((one) => [one.action, one.partyId, one.developerId])).toEqual([
    ['invitation.accepted', partyId, null],
    ['invitation.declined', null, developerId],
  ])
})

test('a first single sign-on takes the name from the provider, if it can be a name here', async () => {
  for (const [sub, name, expected] of [
    ['una', 'Una Unique', 'Una Unique'],
    ['udo', 'Udo\u202eUnreadable', 'Ina Invited'],
  ] as const) {
    await invite(`${sub}@example.com`)
    await signIn({ sub, name, email: `${sub}@example.com`, email_verified: true })
    expect((await stored(`${sub}@example.com`))?.name).toBe(expected)
  }
})
