import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { loadConfig } from '../../../src/config.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
  inviteToParty,
} from '../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken, call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { accept, newAddress } from '../../setup/people.ts'
import { enrol } from '../../setup/second-factor.ts'
import { heldRows } from '../../setup/turns.ts'
import {
  demoUser,
  hiddenFields,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'
import { withConfig } from '../../setup/with-config.ts'

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

/** A browser that the provider has sent back, and where to. */
async function atProvider(sub: string, email: string, isVerified = true) {
  provider.person = { sub, email, email_verified: isVerified }
  const browser = webClient(market)
  const begun = await browser.get('/signin/oidc')
  return { browser, path: await provider.visit(begun.location ?? '') }
}

async function signIn(sub: string, email: string, isVerified = true) {
  const { browser, path } = await atProvider(sub, email, isVerified)
  return { browser, page: await browser.get(path) }
}

const { hold, waiting, letGo, statuses } = heldRows(() => market)

test('a first single sign-on accepts the invitation of an operator to the verified email', async () => {
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

test('whoever came by single sign-on turns on a second factor without a password', async () => {
  await invite('oda@example.com', {})
  const { browser } = await signIn('oda', 'oda@example.com')
  const path = '/Account/SecondFactor'
  const begin = await browser.get(path)
  expect(begin.text).not.toContain('currentPassword')
  expect((await browser.post(path, hiddenFields(begin.text))).text).toContain('Scan the code')
})

test('whoever came by single sign-on reads where a password is asked for how to choose one', async () => {
  await invite('pia@example.com', {})
  const { browser } = await signIn('pia', 'pia@example.com')
  const withPassword = await signedIn(market, demoUser(market, 'Seller'))
  const hint = 'You sign in with <bdi>Example ID</bdi>. No password yet?'
  const { smtpUrl, mailFrom } = loadConfig({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'market@example.com',
  })
  await withConfig(market, { smtpUrl, mailFrom }, async () => {
    for (const path of ['/Account/Password', '/Account/Email', '/Account/Remove']) {
      expect((await browser.get(path)).text).toContain(hint)
      expect((await withPassword.get(path)).text).not.toContain('No password yet?')
    }
  })
  const security = (client: WebClient) => client.get('/Account/Security')
  expect((await security(browser)).text).toContain('You sign in with Example ID or your password.')
  expect((await security(withPassword)).text).toContain('Only your password protects this account.')
})

test('a verified email that only looks like the invited one accepts nothing', async () => {
  await invite('kay@example.com', {})
  const { page } = await signIn('kay', '\u212aay@example.com')
  expect([page.status, page.text]).toEqual([403, expect.stringContaining('No user of this')])
  expect(await stored('kay@example.com')).toBeNull()
})

test('nobody is a user whom the marketplace has made for itself', async () => {
  const { db } = market.deps
  const email = 'it@removed.invalid'
  await db.user.create({ data: { email, name: 'Test', passwordHash: 'none' } })
  expect((await signIn('it', email)).page.status).toBe(403)
  expect((await stored(email))?.identities).toEqual([])
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

test('a first single sign-on takes over a user whom somebody else has made', async () => {
  const { deps } = market
  const other = { email: 'vic@example.com', password: 'password of somebody else' }
  const { id: developerId } = await deps.db.developer.findFirstOrThrow()
  const person = { email: other.email, name: 'Vic', role: 'member' as const }
  const actor = { kind: 'developer', id: market.demo.developers[0]?.clientId ?? '' } as const
  const { link } = await inviteToDeveloper(deps, developerId, person, { ...actor, address: null })
  expect((await accept(market, link, other.password)).body.created).toBe(true)
  const browserOfOther = await signedIn(market, other)
  const token = await accountToken(market, other)
  await enrol(market, other)
  const { browser, page } = await signIn('vic', other.email)
  expect([page.status, page.location]).toEqual([303, '/Developer'])
  expect((await browser.get('/')).text).toContain(other.email)
  expect((await browserOfOther.get('/')).text).not.toContain(other.email)
  expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'invalid_token')
  expectProblem(
    await call(market, 'POST', '/v1/Account/Auth', { body: other }),
    'invalid_credentials',
  )
  const user = await stored(other.email)
  expect(user).toMatchObject({ emailProved: true, identities: [{ subject: 'vic' }] })
  expect(await deps.db.secondFactor.count({ where: { userId: String(user?.id) } })).toBe(0)
})

test('an invitation to a developer without a place stays open, and keeps nobody out', async () => {
  const { deps } = market
  const full = await createDeveloper(deps, { name: 'Full House' })
  const people = Array.from({ length: 50 }, () => ({
    ...{ email: newAddress(), name: 'Staff', passwordHash: 'x' },
  }))
  const staff = await deps.db.user.createManyAndReturn({ data: people, select: { id: true } })
  await deps.db.developerMember.createMany({
    data: staff.map(({ id }) => ({ developerId: full.id, userId: id, role: 'member' })),
  })
  const { partyId } = demoUser(market, 'Seller')
  const actor = { kind: 'developer', id: full.clientId, address: null } as const
  const person = { email: 'fay@example.com', name: 'Fay', role: 'member' as const }
  const left = await inviteToDeveloper(deps, full.id, person, actor)
  await invite(person.email, { partyIds: [partyId] })
  expect((await signIn('fay', person.email)).page.location).toBe('/')
  expect((await stored(person.email))?.memberships).toMatchObject([{ partyId }])
  const link = await deps.db.linkToken.findUniqueOrThrow({ where: { id: left.id } })
  expect(link.usedAt).toBeNull()
})

describe('a first single sign-on while an invitation to the address', () => {
  test('is accepted in another tab lets in both, as one user', async () => {
    const { partyId } = demoUser(market, 'Seller')
    const { id } = await invite('tab@example.com', { partyIds: [partyId] })
    const tabs = [await atProvider('tab', 'tab@example.com')]
    tabs.push(await atProvider('tab', 'tab@example.com'))
    await hold('SELECT 1 FROM link_tokens WHERE id = $1 FOR UPDATE', id)
    try {
      const pages = tabs.map(({ browser, path }) => browser.get(path))
      await waiting(2)
      await letGo()
      expect(await statuses(pages)).toEqual([303, 303])
    } finally {
      await letGo()
    }
    const user = await stored('tab@example.com')
    expect(user?.memberships).toMatchObject([{ partyId }])
    for (const { browser } of tabs) expect((await browser.get('/')).text).toContain(user?.email)
  })

  test('is accepted by its link lets in the same user, and takes it over', async () => {
    const { deps } = market
    const { id, clientId } = await createDeveloper(deps, { name: 'Slow House' })
    const actor = { kind: 'developer', id: clientId, address: null } as const
    const person = { email: 'both@example.com', name: 'Bo', role: 'member' as const }
    const { link } = { link: '', ...(await inviteToDeveloper(deps, id, person, actor)) }
    const other = { email: person.email, password: 'password of somebody else' }
    const { browser, path } = await atProvider('both', person.email)
    await hold('SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', id)
    try {
      const accepted = accept(market, link, other.password)
      await waiting(1)
      const page = browser.get(path)
      await waiting(2)
      await letGo()
      expect(await statuses([accepted, page])).toEqual([200, 303])
    } finally {
      await letGo()
    }
    expect(await stored(person.email)).toMatchObject({ emailProved: true })
    const refused = await call(market, 'POST', '/v1/Account/Auth', { body: other })
    expectProblem(refused, 'invalid_credentials')
  })

  test('is renewed lets the person in by the new one', async () => {
    const { email, partyId } = demoUser(market, 'Seller')
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const person = { email: 'anew@example.com', name: 'Ann', role: 'member' as const }
    const actor = { kind: 'user', id: userId, address: null } as const
    const inviteAnew = () => inviteToParty(market.deps, partyId, person, { userId, actor })
    await inviteAnew()
    const { browser, path } = await atProvider('anew', person.email)
    // The new one is made after the end of the old one, and before this.
    await hold('SELECT pg_advisory_xact_lock(hashtext($1))', `invitations party ${partyId}`)
    try {
      const renewed = inviteAnew()
      await waiting(1)
      const page = browser.get(path)
      await waiting(2)
      await letGo()
      await renewed
      expect(await statuses([page])).toEqual([303])
    } finally {
      await letGo()
    }
    // The new one waits for an answer.
    expect(await stored(person.email)).toMatchObject({ emailProved: true, memberships: [] })
  })
})
