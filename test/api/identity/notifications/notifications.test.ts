import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { newUserWithToken, USER_PASSWORD } from '../../../setup/people.ts'
import { newProductParty } from '../../../setup/product-client.ts'

const PATH = '/v1/Account/Notifications'

let market: SharedMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await sharedMarketplace()
  operator = await operatorCalls(market)
})

/** An admin who was told so often that the account is suspended, with the ids, oldest first. */
async function toldAdmin(count: number) {
  const { party, user, token } = await newCustomer(market)
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    const { id } = await market.deps.db.notification.create({
      data: {
        ...{ userId: user.id, kind: 'installation_suspended', partyId: party.id },
        ...{ subjectId: String(party.id), toMail: true, data: { cause: 'account' } },
      },
    })
    ids.push(Number(id))
  }
  const list = async (query = '') => call(market, 'GET', `${PATH}${query}`, { token })
  const read = async (body: unknown) => call(market, 'POST', `${PATH}/Read`, { token, body })
  const unread = async () =>
    ((await list()).body as { id: number; readAt: string | null }[])
      .filter(({ readAt }) => readAt === null)
      .map(({ id }) => id)
      .reverse()
  return { party, user, token, ids, list, read, unread }
}

describe('GET /v1/Account/Notifications', () => {
  test('lists them newest first, page by page, in words and with a link', async () => {
    const { party, ids, list } = await toldAdmin(3)
    const [first, second, third] = ids
    const answer = await list('?limit=2')
    expect(answer.body).toEqual([
      {
        id: third,
        kind: 'installation_suspended',
        text: `The operator suspended ${party.name}. Its apps do not work.`,
        url: `${market.url}/Installed?partyId=${party.id}`,
        partyId: party.id,
        developerId: null,
        appId: null,
        createdAt: expect.any(String),
        readAt: null,
      },
      expect.objectContaining({ id: second }),
    ])
    const next = /<[^>]*(\?[^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1]
    expect((await list(next)).body).toMatchObject([{ id: first }])
    const { list: others } = await toldAdmin(0)
    expectProblem(await others(next), 'invalid_cursor')
  })

  test('names nothing of an account that its user has left', async () => {
    const { party, user, list } = await toldAdmin(1)
    await market.deps.db.membership.deleteMany({ where: { userId: user.id } })
    const { body, text } = await list()
    expect(body).toMatchObject([{ url: null, partyId: null, appId: null }])
    expect(text).not.toContain(party.name)
  })

  test('leaves out a kind that this release does not know', async () => {
    const { user, list } = await toldAdmin(1)
    await market.deps.db.notification.updateMany({
      where: { userId: user.id },
      data: { kind: 'constructor' },
    })
    expect((await list()).body).toEqual([])
  })
})

describe('POST /v1/Account/Notifications/Read', () => {
  test('marks the given ones, or one and all that are older, and takes them from the next mail', async () => {
    const { user, ids, read, unread } = await toldAdmin(4)
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    expect((await read({ ids: [third, third, 1] })).status).toBe(204)
    expect(await unread()).toEqual([first, second, fourth])
    expect((await read({ upTo: second })).status).toBe(204)
    expect(await unread()).toEqual([fourth])
    const waiting = { userId: user.id, toMail: true }
    expect(await market.deps.db.notification.count({ where: waiting })).toBe(1)
    expect((await read({ upTo: Number.MAX_SAFE_INTEGER })).status).toBe(204)
    expect(await unread()).toEqual([])
  })

  test('leaves those of others alone', async () => {
    const [one, other] = [await toldAdmin(1), await toldAdmin(1)]
    await one.read({ ids: other.ids })
    await one.read({ upTo: Number.MAX_SAFE_INTEGER })
    expect(await other.unread()).toEqual(other.ids)
  })

  test.each([
    [422, {}],
    [422, { ids: [] }],
    [422, { ids: [1], upTo: 1 }],
    [400, { upTo: '1' }],
    [422, { upTo: -1 }],
    [400, { upTo: 1.5 }],
    [422, { upTo: 2 ** 60 }],
    [400, { ids: [null] }],
    [422, { ids: Array.from({ length: 201 }, () => 1) }],
    [400, { upTo: 1, userId: randomUUID() }],
  ])('answers %i to %j', async (status, body) => {
    const { read, unread, ids } = await toldAdmin(1)
    expect((await read(body)).status).toBe(status)
    expect(await unread()).toEqual(ids)
  })
})

test('an import with errors is told to the admins once while it is unread, whether it took rows or none', async () => {
  const seller = await newProductParty(market)
  const admin = await newUserWithToken(market, operator, { partyIds: [seller.partyId] })
  const kinds = async () =>
    (await call(market, 'GET', PATH, { token: admin.token })).body as { kind: string; id: number }[]
  const bad = 'brand,partNumber,inStock\nAcme,one,-1\nAcme,two,1\n'
  expect((await seller.import(bad, 'text/csv')).status).toBe(422)
  const [told, ...more] = await kinds()
  expect([told?.kind, more]).toEqual(['import_problems', []])
  expect((await seller.import(bad, 'text/csv', '?onError=skip')).status).toBe(200)
  expect(await kinds()).toHaveLength(1)
  const body = { ids: [told?.id] }
  await call(market, 'POST', `${PATH}/Read`, { token: admin.token, body })
  expect((await seller.import(bad, 'text/csv', '?onError=skip')).status).toBe(200)
  expect((await kinds()).map(({ kind }) => kind)).toEqual(['import_problems', 'import_problems'])
  expect((await seller.import('brand,partNumber,inStock\nAcme,two,2\n', 'text/csv')).status).toBe(
    200,
  )
  expect(await kinds()).toHaveLength(2)
})

test('they are part of the own data, without what tells of other people, and go with their user', async () => {
  const { id, token } = await newUserWithToken(market, operator)
  await market.deps.db.notification.create({
    data: {
      ...{ userId: id, kind: 'member_joined', partyId: 1, subjectId: `${randomUUID()}/1` },
      ...{ toMail: true, data: { userId: randomUUID() } },
    },
  })
  const { body } = await call(market, 'GET', '/v1/Account/Export', { token })
  expect(body.notifications).toEqual([
    {
      ...{ kind: 'member_joined', partyId: 1, developerId: null, appId: null },
      ...{ createdAt: expect.any(String), readAt: null },
    },
  ])
  const removal = { token, body: { password: USER_PASSWORD } }
  expect((await call(market, 'POST', '/v1/Account/Remove', removal)).status).toBe(204)
  expect(await market.deps.db.notification.count({ where: { userId: id } })).toBe(0)
})
