import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PrismaClient } from '../../../../src/base/database/generated/client.ts'
import { exportOwnData } from '../../../../src/identity/accounts/export-own-data-service.ts'
import { OwnData } from '../../../../src/identity/accounts/own-data.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { fullDraft, listedApp } from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { newUserWithToken } from '../../../setup/people.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const newUser = () => newUserWithToken(market, operator)

/** Stores requests of a new user for an app, one for each of the settings. */
async function askedFor(settings: readonly object[]) {
  const user = await newUser()
  const app = await listedApp(await author(market), fullDraft())
  const { db } = market.deps
  const party = await db.party.create({ data: { name: 'Asking', type: 'Seller' } })
  await db.membership.create({ data: { userId: user.id, partyId: party.id } })
  await db.installRequest.createMany({
    data: settings.map((userSettings) => ({
      ...{ partyId: party.id, userId: user.id, appId: app.id, version: '1.0.0' },
      ...{ purchaseOptionId: 'free', userSettings, passwordKeys: [], consent: {} },
      ...{ note: 'Please.', status: 'withdrawn', decidedBy: user.id, decidedAt: new Date() },
    })),
  })
  return { ...user, appId: app.id }
}

describe('the export of the own data', () => {
  test('has everything about the user, and no secret', async () => {
    const user = demoUser(market, 'Seller')
    const token = await accountToken(market, user)
    await signedIn(market, user)
    await market.deps.auditCounts.write()
    await market.deps.pool.query(
      `INSERT INTO acceptances
         (installation_id, kind, subject_id, sha256, version, actor_kind, actor_id, address)
       SELECT (SELECT id FROM installations LIMIT 1), 'acknowledgement', 'risk', 'x', '1', 'user',
         id::text, '192.0.2.1' FROM users WHERE email = $1`,
      [user.email],
    )
    const answer = await call(market, 'GET', '/v1/Account/Export', { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
    expect(answer.body).toMatchObject({
      email: user.email,
      memberships: [{ party: { id: user.partyId, name: user.partyName }, role: 'admin' }],
    })
    expect(answer.body.sessions.at(-1)).toMatchObject({
      network: '127.0.0.0/24',
      browser: 'Unknown browser',
    })
    expect(answer.body.acceptances).toMatchObject([{ subjectId: 'risk', address: '192.0.2.1' }])
    expect(answer.body.auditTrail).toContainEqual(
      expect.objectContaining({
        ...{ action: 'user.signed_in', address: '127.0.0.1', before: null },
        after: { count: expect.any(Number), lastAt: expect.any(String) },
      }),
    )
    expect(answer.text).not.toMatch(/argon2|passwordHash|"sessionId"/)
  })

  test('has what the document says, and nothing else', async () => {
    const user = await askedFor([{ text: 'x' }])
    const { db } = market.deps
    await db.installRequest.updateMany({
      where: { userId: user.id },
      data: { consent: { acknowledgements: [{ id: 'risk', sha256: 'x' }], termsDocument: null } },
    })
    const installation = await db.installation.findFirstOrThrow()
    await db.acceptance.create({
      data: {
        ...{ installationId: installation.id, kind: 'terms', sha256: 'x', version: '1.0.0' },
        ...{ actorKind: 'user', actorId: user.id },
      },
    })
    await signedIn(market, user)
    await db.secondFactor.create({
      data: {
        ...{ userId: user.id, secret: Buffer.from('sealed'), createdAt: new Date(0) },
        ...{ guessesSince: new Date(0), confirmedAt: new Date(1_000) },
        recoveryCodes: { create: [{ codeSha256: Buffer.from('hashed') }] },
      },
    })
    await operator('POST', 'Invitations', { email: user.email, name: 'Lee', partyIds: [] })
    await operator('POST', `Users/${user.id}/PasswordReset`)
    const { body, text } = await call(market, 'GET', '/v1/Account/Export', { token: user.token })
    expect(z.encode(OwnData, z.decode(OwnData, body))).toEqual(body)
    expect(body).toMatchObject({
      ...{ emailProved: true, suspendedAt: null, suspendedReason: null },
      secondFactor: { enabledAt: '1970-01-01T00:00:01.000Z', recoveryCodesLeft: 1 },
    })
    const purposes = body.links.map(({ purpose }: { purpose: string }) => purpose)
    expect(purposes.sort()).toEqual(['invitation', 'password_reset'])
    expect(body.acceptances).toHaveLength(1)
    expect(body.auditTrail.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/sha256":\{|secretSha256|codeSha256|"secret"|createdBy/)
  })

  test('has no invitations to an address that may be of somebody else', async () => {
    const user = await newUser()
    await operator('POST', 'Invitations', { email: user.email, name: 'Lee', operator: true })
    const where = { id: user.id }
    const links = async () =>
      (await call(market, 'GET', '/v1/Account/Export', { token: user.token })).body.links
    expect(await links()).toMatchObject([{ purpose: 'invitation', grants: { operator: true } }])
    await market.deps.db.user.update({ where, data: { emailProved: false } })
    expect(await links()).toEqual([])
  })

  test('has the apps that the user asked for, in parts, without passwords', async () => {
    const user = await askedFor(Array.from({ length: 45 }, (_, index) => ({ index })))
    const { body, text } = await call(market, 'GET', '/v1/Account/Export', { token: user.token })
    expect(body.installRequests).toHaveLength(45)
    const indexes = body.installRequests.map(
      ({ userSettings }: { userSettings: { index: number } }) => userSettings.index,
    )
    expect(new Set(indexes).size).toBe(45)
    expect(body.installRequests[0]).toMatchObject({
      appId: user.appId,
      note: 'Please.',
      status: 'withdrawn',
    })
    expect(text).not.toMatch(/"passwords"|"decidedBy"/)
  })

  test('reads requests with long settings a megabyte at a time', async () => {
    const sizes = [...Array(9).fill(400_000), 1_500_000, 1]
    const user = await askedFor(sizes.map((size) => ({ text: 'x'.repeat(size) })))
    const parts: unknown[][] = []
    const db = (market.deps.db as PrismaClient).$extends({
      query: {
        installRequest: {
          async findMany({ args, query }) {
            const rows = await query(args)
            if (args.select === undefined) parts.push(rows)
            return rows
          },
        },
      },
    }) as unknown as PrismaClient
    const document = JSON.parse(await textOf(await exportOwnData({ db }, user.id, async () => {})))
    expect(document.installRequests).toHaveLength(sizes.length)
    expect(parts.flat()).toHaveLength(sizes.length)
    for (const part of parts) {
      expect(part.length === 1 || JSON.stringify(part).length < 1.1 * 1024 * 1024).toBe(true)
    }
  })

  test('does not name those who changed the user', async () => {
    const user = await newUser()
    await operator('PATCH', `Users/${user.id}`, { name: 'Lee Changed' })
    const { body } = await call(market, 'GET', '/v1/Account/Export', { token: user.token })
    const changed = body.auditTrail.find((one: { action: string }) => one.action === 'user.changed')
    expect(changed).toMatchObject({ actor: { kind: 'operator', id: null }, address: null })
  })

  test('is whole when it has more entries than one part', async () => {
    const user = await newUser()
    await market.deps.pool.query(
      `INSERT INTO audit_events (actor_kind, actor_id, action, subject_kind, subject_id)
       SELECT 'user', $1, 'test.made', 'test', n::text FROM generate_series(1, 1200) n`,
      [user.id],
    )
    const browser = await signedIn(market, user)
    const body = JSON.parse((await browser.get('/Account/Export')).text)
    const subjects = body.auditTrail
      .filter((one: { action: string }) => one.action === 'test.made')
      .map((one: { subject: { id: string } }) => Number(one.subject.id))
    expect(subjects).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1))
  })
})
