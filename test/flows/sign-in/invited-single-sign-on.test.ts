import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteByOperator } from '../../../src/people/invitations-service.ts'
import { SYSTEM } from '../../../src/values/actor.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { demoUser, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let provider: TestProvider
beforeAll(async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  provider = await startIdentityProvider(publicUrl)
  market = await startMarketplace({ config: provider.config })
})
afterAll(() => Promise.all([market.close(), provider.close()]))

const invite = (email: string, grants: object) =>
  inviteByOperator(market.deps, { email, name: 'Ina Invited', ...grants }, SYSTEM)
const stored = (email: string) =>
  market.deps.db.user.findUnique({
    where: { email },
    include: { memberships: true, identities: true },
  })

async function signIn(sub: string, email: string, isVerified = true) {
  provider.person = { sub, email, email_verified: isVerified }
  const browser = webClient(market)
  const begun = await browser.get('/signin/oidc')
  const page = await browser.get(await provider.visit(begun.location ?? ''))
  return { browser, page }
}

test('a first single sign-on accepts the invitations to the verified email', async () => {
  const { partyId } = demoUser(market, 'Seller')
  const invited = await invite('ina@example.com', { partyIds: [partyId], role: 'member' })
  const { browser, page } = await signIn('ina', 'Ina@example.com')
  expect(page.status).toBe(303)
  expect((await browser.get('/')).text).toContain('Ina Invited')
  const user = await stored('ina@example.com')
  expect(user?.memberships).toMatchObject([{ partyId, role: 'member' }])
  expect(user?.identities).toMatchObject([{ issuer: provider.issuer, subject: 'ina' }])
  const link = await market.deps.db.linkToken.findUniqueOrThrow({ where: { id: invited.id } })
  expect(link.usedAt).not.toBeNull()
  const entries = await market.deps.db.auditEvent.findMany({
    where: {
      action: { in: ['invitation.accepted', 'user.created', 'user.identity_linked'] },
      actorId: String(user?.id),
    },
  })
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'invitation.accepted',
    'user.created',
    'user.identity_linked',
  ])
})

test('an email that the provider has not verified accepts nothing', async () => {
  await invite('uma@example.com', {})
  expect((await signIn('uma', 'uma@example.com', false)).page.status).toBe(403)
  expect(await stored('uma@example.com')).toBeNull()
})

test('an invitation that was revoked or ran out, or whose author lost the right, lets nobody in', async () => {
  const { deps } = market
  const revoked = await invite('rex@example.com', {})
  await deps.db.linkToken.update({ where: { id: revoked.id }, data: { endedAt: deps.now() } })
  const late = await invite('lea@example.com', {})
  await deps.db.linkToken.update({ where: { id: late.id }, data: { expiresAt: deps.now() } })
  const author = await deps.db.user.create({
    data: { email: 'author@example.com', name: 'Author', passwordHash: 'x' },
  })
  const actor = { kind: 'operator', id: author.id, address: null } as const
  await inviteByOperator(deps, { email: 'orla@example.com', name: 'Orla' }, actor)
  for (const who of ['rex', 'lea', 'orla']) {
    const { page } = await signIn(who, `${who}@example.com`)
    expect(page.status).toBe(403)
    expect(page.text).toContain('Ask its operator to invite you.')
    expect(await stored(`${who}@example.com`)).toBeNull()
  }
})
