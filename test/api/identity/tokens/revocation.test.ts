import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../../../src/marketplace/installations/mint-token-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { redirectToken } from '../../../setup/redirect.ts'
import { credentialOf } from '../../../setup/token-maker.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const jtiOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).jti
const read = (token: string) => call(market, 'GET', '/v1/Products?limit=1', { token })
const list = (token: string) => call(market, 'GET', '/v1/Developer/Installations', { token })
const revoke = (token: string) =>
  market.deps.db.revokedToken.create({
    data: { jti: jtiOf(token), expiresAt: new Date(Date.now() + 3_600_000) },
  })
const past = { suspendedAt: new Date() }
const present = { suspendedAt: null }

/** The row of the installation that the tests below act on. */
async function subject() {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  return market.deps.db.installation.findUniqueOrThrow({ where: { id } })
}

const redirected = async (userId: string) => redirectToken(market, (await subject()).id, userId)

describe('an installation token is refused at the very next request after', () => {
  type Step = () => Promise<unknown>
  const cases: [name: string, away: Step, back: Step][] = [
    [
      'the installation is suspended',
      async () =>
        market.deps.db.installation.update({
          where: { id: (await subject()).id },
          data: { status: 'suspended', ...past },
        }),
      async () =>
        market.deps.db.installation.update({
          where: { id: (await subject()).id },
          data: { status: 'active', ...present },
        }),
    ],
    [
      'the app is suspended',
      () => market.deps.db.app.update({ where: { id: 'price-sync' }, data: past }),
      () => market.deps.db.app.update({ where: { id: 'price-sync' }, data: present }),
    ],
    [
      'the party is suspended',
      async () =>
        market.deps.db.party.update({ where: { id: (await subject()).partyId }, data: past }),
      async () =>
        market.deps.db.party.update({ where: { id: (await subject()).partyId }, data: present }),
    ],
    [
      'the developer is suspended',
      async () =>
        market.deps.db.developer.update({
          where: { id: (await subject()).developerId },
          data: past,
        }),
      async () =>
        market.deps.db.developer.update({
          where: { id: (await subject()).developerId },
          data: present,
        }),
    ],
  ]

  test.each(cases)('%s, and works again afterwards', async (_name, away, back) => {
    const token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
    expect((await read(token)).status).toBe(200)
    await away()
    const refused = await read(token)
    await back()
    expectProblem(refused, 'invalid_token')
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await read(token)).status).toBe(200)
  })

  test('it alone was revoked; other tokens of the installation still work', async () => {
    const installation = demoInstallation(market, 'price-sync', 'Seller')
    const [token, sibling] = await Promise.all([
      installationToken(market, installation),
      installationToken(market, installation),
    ])
    await revoke(token)
    expectProblem(await read(token), 'invalid_token')
    expect((await read(sibling)).status).toBe(200)
  })

  test('the token generation was raised, which revokes all that were made before', async () => {
    const installation = demoInstallation(market, 'price-sync', 'Seller')
    const tokens = await Promise.all([1, 2].map(() => installationToken(market, installation)))
    await market.deps.db.installation.update({
      where: { id: installation.id },
      data: { tokenGeneration: { increment: 1 } },
    })
    for (const token of tokens) expectProblem(await read(token), 'invalid_token')
    expect((await read(await installationToken(market, installation))).status).toBe(200)
  })

  test('the app was uninstalled, for good', async () => {
    const installation = demoInstallation(market, 'stock-watch', 'Buyer')
    const token = await installationToken(market, installation)
    await market.deps.db.installation.update({
      where: { id: installation.id },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    expectProblem(await read(token), 'invalid_token')
  })

  test('its installation does not exist', async () => {
    const installation = { ...(await subject()), id: randomUUID() }
    const maker = await credentialOf(market.deps.db, installation)
    const claims = tokenClaims(installation, installation.permissions, maker)
    expectProblem(await read((await issueToken(market.deps, claims, 900)).token), 'invalid_token')
  })
})

describe('a token from the redirect is refused at the very next request after', () => {
  const member = async () => {
    const email = `${randomUUID()}@keyline.example`
    const partyIds = [(await subject()).partyId]
    return createUser(market.deps, { email, name: 'Temporary', partyIds })
  }

  test('the user was removed from the party', async () => {
    const { id } = await member()
    const token = await redirected(id)
    expect((await read(token)).status).toBe(200)
    await market.deps.db.membership.deleteMany({ where: { userId: id } })
    expectProblem(await read(token), 'invalid_token')
  })

  test('the user was suspended', async () => {
    const { id } = await member()
    const token = await redirected(id)
    await market.deps.db.user.update({ where: { id }, data: past })
    expectProblem(await read(token), 'invalid_token')
  })

  test('the user was deleted', async () => {
    const { id } = await member()
    const token = await redirected(id)
    await market.deps.db.user.delete({ where: { id } })
    expectProblem(await read(token), 'invalid_token')
  })

  test('a member of another party cannot have a working one', async () => {
    const buyer = await market.deps.db.party.findFirstOrThrow({ where: { type: 'Buyer' } })
    const email = `${randomUUID()}@buyer.example`
    const { id } = await createUser(market.deps, { email, name: 'X', partyIds: [buyer.id] })
    expectProblem(await read(await redirected(id)), 'invalid_token')
  })
})

describe('a developer token is refused at the very next request after', () => {
  test('the developer is suspended, and works again afterwards', async () => {
    const token = await developerToken(market, 1)
    await market.deps.db.developer.updateMany({ data: past })
    const refused = await list(token)
    await market.deps.db.developer.updateMany({ data: present })
    expectProblem(refused, 'invalid_token')
    expect((await list(token)).status).toBe(200)
  })

  test('it alone was revoked', async () => {
    const token = await developerToken(market, 1)
    await revoke(token)
    expectProblem(await list(token), 'invalid_token')
  })

  test('its credential was removed, while tokens of a second credential still work', async () => {
    const token = await developerToken(market, 1)
    const where = { clientId: 'contoso' }
    const old = await market.deps.db.developerCredential.findUniqueOrThrow({ where })
    const second = await market.deps.db.developerCredential.create({
      data: {
        developerId: old.developerId,
        clientId: 'contoso-2',
        passwordHash: old.passwordHash,
        slot: 2,
      },
    })
    const claims = { aud: 'developer' as const, sub: old.developerId, client_id: second.clientId }
    const other = (await issueToken(market.deps, { ...claims, cid: second.id }, 900)).token
    await market.deps.db.developerCredential.update({
      where,
      data: { removedAt: new Date(), slot: null },
    })
    expectProblem(await list(token), 'invalid_token')
    expect((await list(other)).status).toBe(200)
  })

  test('a credential of one developer never counts for another', async () => {
    const [one, two] = await market.deps.db.developerCredential.findMany({
      where: { removedAt: null },
      distinct: ['developerId'],
    })
    if (one === undefined || two === undefined) throw new Error('two developers are needed')
    const claims = { aud: 'developer' as const, sub: one.developerId, client_id: two.clientId }
    const { token } = await issueToken(market.deps, { ...claims, cid: two.id }, 900)
    expectProblem(await list(token), 'invalid_token')
  })
})

test('200 requests at once with live and revoked tokens each get the right response', async () => {
  const seller = demoInstallation(market, 'price-sync', 'Seller')
  const sandbox = demoInstallation(market, 'price-sync', 'None')
  const homewell = demoInstallation(market, 'catalog-sync', 'Seller')
  const rows = await market.deps.db.installation.findMany({
    where: { id: { in: [seller.id, sandbox.id, homewell.id] } },
  })
  const credentials = await market.deps.db.developerCredential.findMany({
    where: { removedAt: null },
  })
  const issued = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const row = rows[index % rows.length]
      if (row === undefined) throw new Error('no installation')
      const cid = credentials.find(({ developerId }) => developerId === row.developerId)?.id ?? ''
      const claims = tokenClaims(row, ['products:read', 'profile:read'], { cid })
      const { token } = await issueToken(market.deps, claims, 900)
      return { token, installationId: row.id, revoked: index % 7 < 3 }
    }),
  )
  await market.deps.db.revokedToken.createMany({
    data: issued
      .filter(({ revoked }) => revoked)
      .map(({ token }) => ({ jti: jtiOf(token), expiresAt: new Date(Date.now() + 900_000) })),
  })
  const answers = await Promise.all(
    issued.map(({ token }) =>
      market.app.inject({
        url: '/v1/User/Profile',
        headers: { authorization: `Bearer ${token}` },
      }),
    ),
  )
  const seen = answers.map(({ statusCode, body }) => ({
    statusCode,
    installationId: JSON.parse(body).installationId,
  }))
  expect(seen).toEqual(
    issued.map(({ revoked, installationId }) => ({
      statusCode: revoked ? 401 : 200,
      installationId: revoked ? undefined : installationId,
    })),
  )
})

test('a revocation is forgotten an hour after its token ran out, with a later one', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const revoked = async () => {
    const token = await installationToken(market, installation)
    const index = market.demo.developers.findIndex(({ apps }) => apps.includes('price-sync'))
    const developer = await developerToken(market, index)
    const path = '/v1/Developer/Token/Revoke'
    const { status } = await call(market, 'POST', path, { token: developer, body: { token } })
    expect(status).toBe(200)
    return jtiOf(token)
  }
  const first = await revoked()
  const isKept = async () =>
    (await market.deps.db.revokedToken.count({ where: { jti: first } })) === 1
  market.advance(3_600 + 3_500)
  await revoked()
  expect(await isKept()).toBe(true)
  market.advance(200)
  await revoked()
  expect(await isKept()).toBe(false)
})
