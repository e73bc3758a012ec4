import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Answer, call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

const PATH = '/v1/Developer/Installations'

let market: TestMarketplace
let northwind: string
let contoso: string
beforeAll(async () => {
  market = await startMarketplace()
  northwind = await developerToken(market, 0)
  contoso = await developerToken(market, 1)
})
afterAll(() => market.close())

const list = (query = '', token = northwind) => call(market, 'GET', `${PATH}${query}`, { token })
const idsOf = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id)
const cursorOf = ({ headers }: Answer): string | null => {
  const link = headers.get('link')
  if (link === null) return null
  expect(link).toMatch(/^<http:[^>]+>; rel="next"$/)
  return new URL(link.slice(1, link.indexOf('>'))).searchParams.get('cursor')
}

/** One more installation of northwind's app Stock Watch, by a new Seller. */
async function addInstallation(installDate = new Date()): Promise<string> {
  const where = { id: demoInstallation(market, 'stock-watch', 'Buyer').id }
  const { appId, developerId, installedVersion, purchaseOptionId, permissions } =
    await market.deps.db.installation.findUniqueOrThrow({ where })
  const party = await createParty(market.deps, { name: randomUUID(), type: 'Seller' })
  const { id } = await market.deps.db.installation.create({
    data: {
      ...{ appId, developerId, installedVersion, purchaseOptionId, permissions, installDate },
      partyId: party.id,
      partyType: 'Seller',
    },
  })
  return id
}

describe('the record', () => {
  test("has the specification's eleven fields with their types, then status, suspendedReason, permissions, updatedAt", async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const { status, headers, body } = await list(`?partyId=${partyId}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual([
      {
        id,
        appId: 'price-sync',
        appName: 'Price Sync',
        partyType: 'Seller',
        partyId,
        partyName: 'Keyline Electronics',
        installDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        purchaseOptionId: 'premium',
        installedVersion: expect.any(String),
        userSettings: { dryRun: 'true', erpPassword: 's3cret-erp', erpUser: 'jane', margin: 0.15 },
        adminSettings: { routing: 'eu-west/keyline' },
        status: 'active',
        suspendedReason: null,
        permissions: ['products:read', 'profile:read', 'settings:read'],
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ])
  })

  test('of a sandbox has the party type None and keeps the type of its settings', async () => {
    const { body } = await list('?partyType=None')
    expect(body).toMatchObject([
      { partyType: 'None', userSettings: { region: 5 }, adminSettings: {} },
    ])
  })
})

describe('what a developer sees', () => {
  test('are the installations of its own apps, oldest first', async () => {
    const own = market.demo.installations.filter(({ appId }) => appId !== 'catalog-sync')
    const others = market.demo.installations.filter(({ appId }) => appId === 'catalog-sync')
    expect(idsOf(await list()).slice(0, own.length)).toEqual(own.map(({ id }) => id))
    expect(idsOf(await list('', contoso))).toEqual(others.map(({ id }) => id))
  })

  test("is nothing of another developer's app, whatever the filter", async () => {
    const { partyId } = demoInstallation(market, 'catalog-sync', 'Seller')
    expect((await list('?appId=catalog-sync')).body).toEqual([])
    const { body } = await list(`?partyId=${partyId}`)
    expect(body.map(({ appId }: { appId: string }) => appId)).toEqual(['price-sync'])
  })

  test('leaves out what was uninstalled, unless asked for', async () => {
    const id = await addInstallation()
    await market.deps.db.installation.update({
      where: { id },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    expect(idsOf(await list())).not.toContain(id)
    expect(idsOf(await list('?status=uninstalled'))).toEqual([id])
  })
})

describe('filters', () => {
  test('appId, partyId, partyType and status narrow the list, also together', async () => {
    const buyer = demoInstallation(market, 'stock-watch', 'Buyer')
    expect(idsOf(await list('?appId=stock-watch&partyType=Buyer'))).toEqual([buyer.id])
    expect(idsOf(await list(`?partyId=${buyer.partyId}&status=active`))).toEqual([buyer.id])
    expect(idsOf(await list(`?partyId=${buyer.partyId}&partyType=Seller`))).toEqual([])
    const suspended = await addInstallation()
    await market.deps.db.installation.update({
      where: { id: suspended },
      data: { status: 'suspended', suspendedAt: new Date() },
    })
    expect(idsOf(await list('?status=suspended'))).toEqual([suspended])
    expect(idsOf(await list())).toContain(suspended)
  })

  test.each(['appId=no-such-app', 'appId=', 'partyId=2147483647', 'appId=Price-Sync'])(
    '%s matches nothing',
    async (query) => {
      const { status, body } = await list(`?${query}`)
      expect({ status, body }).toEqual({ status: 200, body: [] })
    },
  )

  test.each([
    ['an unknown filter', 'color=red', '/color'],
    ['a filter in another case', 'AppId=price-sync', '/AppId'],
    ['a repeated parameter', 'appId=a&appId=b', '/appId'],
    ['a bracketed parameter', 'appId[startsWith]=a', '/appId[startsWith]'],
    ['a NUL character', 'appId=%00', '/appId'],
    ['an unknown status', 'status=deleted', '/status'],
    ['a status in another case', 'status=Active', '/status'],
    ['an unknown party type', 'partyType=Vendor', '/partyType'],
    ['a party id of 0', 'partyId=0', '/partyId'],
    ['a negative party id', 'partyId=-1', '/partyId'],
    ['a fraction', 'partyId=1.5', '/partyId'],
    ['an exponent', 'partyId=1e1', '/partyId'],
    ['2^31', 'partyId=2147483648', '/partyId'],
    ['2^53 + 1', 'partyId=9007199254740993', '/partyId'],
    ['a word', 'partyId=seventeen', '/partyId'],
    ['an empty party id', 'partyId=', '/partyId'],
    ['a limit of 0', 'limit=0', '/limit'],
    ['a limit over 1000', 'limit=1001', '/limit'],
    ['a limit that is no number', 'limit=ten', '/limit'],
    ['a padded limit', 'limit=%2010', '/limit'],
  ])('%s is 400 with a pointer', async (_name, query, pointer) => {
    const answer = await list(`?${query}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('all problems of a query are told at once', async () => {
    const answer = await list('?partyId=x&status=y&limit=z')
    expect(pointersOf(answer)).toEqual(['/limit', '/partyId', '/status'])
  })
})

describe('pages', () => {
  async function walk(query: string, onPage: () => Promise<unknown> = async () => {}) {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?${query}${cursor && `&cursor=${cursor}`}`)
      expect(page.status).toBe(200)
      ids.push(...idsOf(page))
      cursor = cursorOf(page)
      await onPage()
    }
    return ids
  }

  test('of any size make up the whole list, each entry once', async () => {
    const sameMoment = new Date()
    for (let count = 0; count < 4; count += 1) await addInstallation(sameMoment)
    const whole = idsOf(await list())
    for (const limit of [1, 2, 3, whole.length - 1, whole.length]) {
      expect(await walk(`limit=${limit}`)).toEqual(whole)
    }
  })

  test('keep the filters in the link to the next page', async () => {
    const { headers } = await list('?appId=stock-watch&limit=1')
    expect(headers.get('link')).toContain('appId=stock-watch&limit=1&cursor=')
    const whole = idsOf(await list('?appId=stock-watch'))
    expect(await walk('appId=stock-watch&limit=1')).toEqual(whole)
  })

  test('there is no link when nothing follows', async () => {
    expect((await list()).headers.has('link')).toBe(false)
    const exact = idsOf(await list()).length
    expect((await list(`?limit=${exact}`)).headers.has('link')).toBe(false)
  })

  test('neither repeat nor skip an entry when others are added meanwhile', async () => {
    const before = idsOf(await list())
    const early = new Date('2020-01-01T00:00:00Z')
    const added: string[] = []
    const walked = await walk('limit=2', async () => {
      if (added.length < 4) added.push(await addInstallation(early), await addInstallation())
    })
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked.filter((id) => before.includes(id))).toEqual(before)
  })

  test('a cursor that this list did not give out is 400 and shows nothing', async () => {
    const cursor = cursorOf(await list('?limit=1')) ?? ''
    const foreign = cursorOf(await list('?limit=1', contoso))
    const forgedPosition = Buffer.concat([
      Buffer.from(cursor, 'base64url').subarray(0, 16),
      Buffer.from(JSON.stringify(['1970-01-01T00:00:00.000Z', randomUUID()])),
    ]).toString('base64url')
    const queries = [
      `limit=1&cursor=${foreign}`,
      `limit=1&appId=price-sync&cursor=${cursor}`,
      `limit=1&status=active&cursor=${cursor}`,
      `cursor=${forgedPosition}`,
      `cursor=${cursor.slice(0, -1)}`,
      `cursor=${cursor}A`,
      `cursor=${cursor}%3D`,
      `cursor=${cursor.slice(0, 10)}`,
      'cursor=',
      'cursor=nonsense',
      `cursor=${Buffer.from('["2020-01-01",""]').toString('base64url')}`,
    ]
    for (const query of queries) expectProblem(await list(`?${query}`), 'invalid_cursor')
    expect((await list(`?limit=5&cursor=${cursor}`)).status).toBe(200)
  })

  test("another list's cursor is 400", async () => {
    const cursor = cursorOf(await list('?limit=1'))
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    const issued = await call(market, 'POST', '/v1/Developer/Token', {
      token: northwind,
      body: { installationId: id },
    })
    const answer = await call(market, 'GET', `/v1/Products?cursor=${cursor}`, {
      token: issued.body.token,
    })
    expectProblem(answer, 'invalid_cursor')
  })
})
