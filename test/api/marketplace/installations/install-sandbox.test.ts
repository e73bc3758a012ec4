import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../../src/base/database/transaction.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, installedBy, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { developerCalls, EVERY_SETTING, fullDraft, sandboxUser } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
let developer: Author
let calls: ReturnType<typeof developerCalls>
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  calls = developerCalls(market, developer.token)
})
afterAll(() => market.close())

const sandbox = (appId: string, body?: unknown, token = developer.token) =>
  call(market, 'POST', `/v1/Developer/Apps/${appId}/Sandbox`, {
    token,
    ...(body === undefined ? {} : { body }),
  })

async function published(changes: Record<string, unknown> = {}) {
  const app = fullDraft(changes)
  const { status, text } = await developer.create(app)
  expect(status, text).toBe(201)
  return app
}

describe('the sandbox', () => {
  test('has an app that is not listed installed by one call without a body', async () => {
    const { id } = await published()
    const answer = await sandbox(id)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/Developer/Installations/${answer.body.id}`)
    expect(answer.body).toMatchObject({
      ...{ appId: id, partyType: 'None', purchaseOptionId: 'free', status: 'active' },
      ...{ partyName: 'Northwind Tools (sandbox)', installedVersion: '1.0.0' },
    })
    expect((await calls.read(answer.body.id)).body).toEqual(answer.body)
  })

  test('does not replace an installation that the operator has suspended', async () => {
    const { id } = await published()
    const former = (await sandbox(id)).body
    const operator = await operatorCalls(market)
    await operator('POST', `Installations/${former.id}/Suspend`, { reason: 'Floods us.' })
    expect(await sandbox(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await calls.read(former.id)).body.status).toBe('suspended')
  })

  test('gives its installation a token that reads the sample products', async () => {
    const { body } = await sandbox((await published()).id)
    const { token } = (await calls.mint(body.id)).body
    const products = await call(market, 'GET', '/v1/Products?limit=5', { token })
    expect(products.status).toBe(200)
    expect(products.body).toHaveLength(5)
  })

  test('fills mandatory settings of every type with sample values', async () => {
    const mandatory = Object.fromEntries(
      Object.entries(EVERY_SETTING)
        .filter(([key]) => !key.startsWith('admin'))
        .map(([key, setting]) => [key, { ...setting, mandatory: true }]),
    )
    const { id } = await published({ settings: { full: mandatory } })
    const { status, body, text } = await sandbox(id, { purchaseOptionId: 'full' })
    expect(status, text).toBe(201)
    expect(body.userSettings).toEqual({
      ...{ text: 'sample', note: 'sample', choice: 'eu', amount: 0, count: 1, flag: 'false' },
      ...{ secret: 'sample', pin: 'sample' },
    })
  })

  test.each([
    [{ max: -0.55, step: 0.1 }, -0.6],
    [{ max: -0.3, step: 0.1 }, -0.3],
    [{ max: -7 }, -7],
    [{ max: -0.000000001, step: 0.000000003 }, -0.000000003],
    [{ max: 5, step: 3 }, 0],
    [{ min: 0.05, step: 0.1 }, 0.05],
    [{ min: -3, max: -3, step: 5 }, -3],
    [{}, 0],
    [{ max: -1_000_000_000_000_000, step: 7 }, -1_000_000_000_000_001],
  ])('samples a number within %j', async (bounds, expected) => {
    const amount = { type: 'number', name: 'Amount', mandatory: true, ...bounds }
    const { id } = await published({ settings: { full: { amount } } })
    const { status, body, text } = await sandbox(id, { purchaseOptionId: 'full' })
    expect(status, text).toBe(201)
    expect(body.userSettings).toEqual({ amount: expected })
  })

  test('samples a text by its placeholder, unless that is empty', async () => {
    const text = (placeholder: string) => ({
      type: 'text',
      name: 'T',
      mandatory: true,
      placeholder,
    })
    const { id } = await published({ settings: { full: { a: text('jane'), b: text('  ') } } })
    const { body } = await sandbox(id, { purchaseOptionId: 'full' })
    expect(body.userSettings).toEqual({ a: 'jane', b: 'sample' })
  })

  test('takes settings that are given, and refuses wrong ones with pointers', async () => {
    const { id } = await published()
    const given = { purchaseOptionId: 'full', userSettings: { text: 'mine', amount: 0.1 } }
    expect((await sandbox(id, given)).body.userSettings).toMatchObject({
      text: 'mine',
      amount: 0.1,
    })
    const refused = await sandbox(id, { ...given, userSettings: { text: null, amount: 9, x: 1 } })
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual([
      ...['/userSettings/amount', '/userSettings/text', '/userSettings/x'],
    ])
    // The former one is still there.
    expect((await calls.list(`?appId=${id}`)).body).toHaveLength(1)
  })

  test('again replaces the installation by one of the latest version', async () => {
    const app = await published()
    const first = (await sandbox(app.id)).body
    const { token } = (await calls.mint(first.id)).body
    await developer.put({ ...app, version: '2', permissions: [] } as typeof app)
    const second = (await sandbox(app.id, {})).body
    expect(second).toMatchObject({ installedVersion: '2', permissions: [] })
    expect(second.id).not.toBe(first.id)
    expect((await calls.read(first.id)).body.status).toBe('uninstalled')
    expect((await calls.list(`?appId=${app.id}`)).body).toHaveLength(1)
    expectProblem(await call(market, 'GET', '/v1/Installation', { token }), 'invalid_token')
  })

  test('several times at once leaves one, and no call fails', async () => {
    const { id } = await published()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sandbox(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    expect((await calls.list(`?appId=${id}`)).body).toHaveLength(1)
    expect((await calls.list(`?appId=${id}&status=uninstalled`)).body).toHaveLength(7)
  })

  test('says which installation came first, where the database alone saw it', async () => {
    const { id: appId } = await published()
    const { deps } = market
    const { sandboxPartyId: partyId } = await deps.db.developer.findFirstOrThrow({
      where: { name: 'Northwind Tools' },
    })
    const held = Promise.withResolvers<void>()
    const written = Promise.withResolvers<string>()
    const first = inTransaction(deps.db, async (tx) => {
      written.resolve(await installedBy({ ...market, deps: { ...deps, db: tx } }, appId, partyId))
      await held.promise
    })
    const id = await written.promise
    const second = sandbox(appId)
    await untilWaiting(market, 1)
    held.resolve()
    await first
    const answer = await second
    expectProblem(answer, 'already_installed')
    expect(answer.body.installationId).toBe(id)
  })

  test('and its user upgrading at the same time never wait for each other in a circle', async () => {
    const user = await sandboxUser(market)
    for (let round = 0; round < 15; round += 1) {
      const app = await published()
      const { id } = (await sandbox(app.id)).body
      await developer.put({ ...app, version: '2' })
      const [again, upgraded] = await Promise.all([
        sandbox(app.id),
        user.upgrade(id, { version: '2' }),
      ])
      expect(again.status).toBe(201)
      expect([200, 409]).toContain(upgraded.status)
    }
  })

  test('counts what the app asks to be accepted as accepted by the developer', async () => {
    const acknowledgements = [{ id: 'ack', title: 'Title', text: 'Text', order: 1 }]
    const { id } = await published({ acknowledgements })
    await developer.putTerms(id, '# Terms')
    const { body } = await sandbox(id)
    const rows = await market.deps.db.acceptance.findMany({ where: { installationId: body.id } })
    expect(rows).toMatchObject([
      { kind: 'acknowledgement', subjectId: 'ack', actorKind: 'developer', actorId: 'northwind' },
      { kind: 'terms', subjectId: null, actorKind: 'developer' },
      { kind: 'permission', subjectId: 'products:read', actorKind: 'developer' },
      { kind: 'permission', subjectId: 'settings:read', actorKind: 'developer' },
    ])
  })

  test("takes nobody else's app", async () => {
    const { id } = await published()
    const other = await author(market, 1)
    expectProblem(await sandbox(id, undefined, other.token), 'not_found')
    expectProblem(await sandbox('catalog-sync'), 'not_found')
    for (const unknown of ['no-such-app', 'constructor', '%00', '__proto__']) {
      expectProblem(await sandbox(unknown), 'not_found')
    }
    expect(await market.deps.db.installation.count({ where: { appId: id } })).toBe(0)
  })

  test('takes no suspended app, and says why', async () => {
    const { id } = await published()
    await market.deps.db.app.update({ where: { id }, data: { suspendedAt: new Date() } })
    const answer = await sandbox(id)
    expectProblem(answer, 'unprocessable')
    expect(answer.body.detail).toContain('suspended')
  })

  test.each([
    [{ purchaseOptionId: 'none' }, '/purchaseOptionId'],
    [{ purchaseOptionId: 'constructor' }, '/purchaseOptionId'],
    [{ purchaseOptionId: 5 }, '/purchaseOptionId'],
    [{ userSettings: [] }, '/userSettings'],
    [{ userSettings: 'x' }, '/userSettings'],
    [{ partyId: 3 }, '/partyId'],
    [{ status: 'active' }, '/status'],
    [{ permissions: ['products:write'] }, '/permissions'],
    [[], ''],
    ['"x"', ''],
  ])('refuses the body %j', async (body, pointer) => {
    const { id } = await published()
    const answer = await sandbox(id, body)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual([pointer])
    expect(await market.deps.db.installation.count({ where: { appId: id } })).toBe(0)
  })

  test('is where the specification has its partyType "None", and nowhere else', async () => {
    const { id } = draft(newId(), { purchaseOptions: [flat('free', 0)] })
    await developer.create(draft(id))
    await sandbox(id)
    const { body } = await calls.list(`?appId=${id}&partyType=None`)
    expect(body).toHaveLength(1)
    expect((await calls.list(`?appId=${id}&partyType=Seller`)).body).toEqual([])
  })
})
