import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createMembership } from '../../../../src/identity/accounts/members/memberships-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { fullDraft, listedApp, newCustomer, newMember } from '../../../setup/customer.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

/** An account with an admin and a member who asks for an app. */
async function company() {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const user = await newMember(market, partyId)
  const app = await listedApp(developer, fullDraft())
  const path = `/v1/Account/Parties/${partyId}/InstallRequests`
  const token = await accountToken(market, user)
  const as = (tokenOf: string) => (method: string, more: string, body?: unknown) =>
    call(market, method, `${path}${more}`, {
      token: tokenOf,
      ...(body === undefined ? {} : { body }),
    })
  const [member, admin] = [as(token), as(customer.token)]
  return {
    ...{ partyId, user, app },
    body: { appId: app.id, purchaseOptionId: 'free' },
    member: {
      create: (body: unknown) => member('POST', '', body),
      list: (query = '') => member('GET', query),
      withdraw: (id: string) => member('DELETE', `/${id}`),
    },
    admin: {
      accept: (id: string) => admin('POST', `/${id}/Accept`),
      decline: (id: string) => admin('POST', `/${id}/Decline`, { reason: 'No.' }),
    },
  }
}

test('of two who decide a request at once, the second finds it decided', async () => {
  const { partyId, member, admin, body } = await company()
  const { id } = (await member.create(body)).body
  const held = await holdRows(market, 'SELECT 1 FROM install_requests WHERE id = $1 FOR UPDATE', [
    id,
  ])
  const answers = [admin.accept(id), admin.decline(id)]
  try {
    await untilWaiting(market, 2)
  } finally {
    await held.release()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect([...statuses].sort()).toEqual([200, 409])
  const { status } = await market.deps.db.installRequest.findUniqueOrThrow({ where: { id } })
  const installed = await market.deps.db.installation.count({ where: { partyId } })
  expect([status, installed]).toEqual(statuses[0] === 200 ? ['accepted', 1] : ['declined', 0])
})

describe('decided requests', () => {
  const KEPT = 50

  /** Withdrawn requests of a member, the oldest first. */
  async function withdrawn(
    { partyId, app }: Awaited<ReturnType<typeof company>>,
    userId: string,
    count: number,
    userSettings: Record<string, string> = {},
  ) {
    const first = Date.now() - 86_400_000
    await market.deps.db.installRequest.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        ...{ partyId, userId, appId: app.id, version: '1.0.0', purchaseOptionId: 'free' },
        ...{ userSettings, passwordKeys: [], note: String(index) },
        ...{
          consent: { acknowledgements: [], termsDocument: null },
          createdAt: new Date(first + index),
        },
        ...{ status: 'withdrawn', decidedBy: userId, decidedAt: new Date(first + index) },
      })),
    })
  }
  const notesOf = async (userId: string) =>
    (
      await market.deps.db.installRequest.findMany({
        where: { userId, status: { not: 'pending' } },
        orderBy: { decidedAt: 'asc' },
      })
    ).map(({ note }) => note)

  test('of a member are the newest 50: who asks and withdraws again fills nothing', async () => {
    const one = await company()
    const { member, user, body, partyId } = one
    await withdrawn(one, user.id, KEPT)
    const colleague = await newMember(market, partyId)
    await withdrawn(one, colleague.id, 3)
    for (const note of ['first', 'second']) {
      const { body: made } = await member.create({ ...body, note })
      expect((await member.withdraw(made.id)).status).toBe(204)
    }
    const notes = await notesOf(user.id)
    expect(notes).toHaveLength(KEPT)
    expect([notes[0], ...notes.slice(-2)]).toEqual(['2', 'first', 'second'])
    expect(await notesOf(colleague.id)).toHaveLength(3)
  })

  test('of a member are counted for each account', async () => {
    const [one, other] = [await company(), await company()]
    const membership = { userId: one.user.id, partyId: other.partyId, role: 'member' } as const
    await createMembership(market.deps, membership, SYSTEM)
    await withdrawn(other, one.user.id, KEPT)
    await withdrawn(one, one.user.id, KEPT)
    const { body: made } = await one.member.create(one.body)
    expect((await one.member.withdraw(made.id)).status).toBe(204)
    expect(await notesOf(one.user.id)).toHaveLength(2 * KEPT)
  })

  test('are listed in pages of 1 MiB at most', async () => {
    const account = await company()
    await withdrawn(account, account.user.id, 3, { text: 'x'.repeat(400_000) })
    const { body, headers } = await account.member.list()
    expect(body.map(({ note }: { note: string }) => note)).toEqual(['0', '1'])
    const next = new URL(/<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '')
    const rest = await account.member.list(next.search)
    expect(rest.body.map(({ note }: { note: string }) => note)).toEqual(['2'])
    expect(rest.headers.get('link')).toBeNull()
  })

  test('of an account are the newest 500; those that wait stay', async () => {
    const one = await company()
    const { member, admin, body } = one
    for (let count = 0; count < 11; count++) {
      await withdrawn(one, (await newMember(market, one.partyId)).id, KEPT)
    }
    const { body: made } = await member.create(body)
    const { id: appId } = await listedApp(developer, fullDraft())
    const { body: waiting } = await member.create({ ...body, appId })
    const kept = () => market.deps.db.installRequest.count({ where: { partyId: one.partyId } })
    expect(await kept()).toBe(552)
    expect((await admin.decline(made.id)).status).toBe(200)
    expect(await kept()).toBe(501)
    expect((await member.list('?status=pending')).body).toMatchObject([{ id: waiting.id }])
    const declined = await member.list('?status=declined')
    expect(declined.body).toMatchObject([{ id: made.id }])
  })

  test('are forgotten by several decisions at once without one waiting for another', async () => {
    const one = await company()
    const { member, user, body } = one
    const apps = await Promise.all(
      Array.from({ length: 4 }, () => listedApp(developer, fullDraft())),
    )
    await withdrawn(one, user.id, KEPT)
    const made: string[] = []
    for (const { id: appId } of apps) made.push((await member.create({ ...body, appId })).body.id)
    const answers = await Promise.all(made.map((id) => member.withdraw(id)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const last = (await member.create(body)).body.id
    await member.withdraw(last)
    expect(await notesOf(user.id)).toHaveLength(KEPT)
  })
})
