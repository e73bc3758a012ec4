import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { GOOD_SETTINGS } from '../../../setup/customer.ts'
import { pointersOf } from '../../../setup/expect-problem.ts'
import { type InstalledVersionOne, installedVersionOne } from '../../../setup/versions.ts'

let market: SharedMarketplace
let one: InstalledVersionOne
beforeAll(async () => {
  market = await sharedMarketplace()
  one = await installedVersionOne(market)
  await one.publish('2')
})

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** What no request may set, in the API's spelling and in the database's. */
const PROTECTED: Record<string, unknown> = {
  id: ID,
  developerId: ID,
  developer_id: ID,
  party: { connect: { id: 1 } },
  partyType: 'None',
  party_type: 'None',
  partyName: 'Mine',
  appName: 'Mine',
  installedVersion: '0.0.1',
  installed_version: '0.0.1',
  permissions: ['products:write'],
  status: 'uninstalled',
  live: false,
  suspendedAt: null,
  suspendedBy: 'developer',
  suspendedReason: 'x',
  uninstalledAt: '2020-01-01T00:00:00Z',
  tokenGeneration: 0,
  token_generation: 0,
  revision: 999,
  installDate: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
  adminSettings: { adminText: 'mine' },
  settings: { adminText: 'mine' },
  acceptances: [],
  actorId: ID,
  price: 0,
  quote: { monthlyCost: 0 },
}

/** Everything that a request could have changed. */
async function state() {
  const { deps } = market
  const [installations, settings, acceptances] = await Promise.all([
    deps.db.installation.findMany({ orderBy: { id: 'asc' } }),
    deps.db.settingValue.findMany({ orderBy: [{ installationId: 'asc' }, { key: 'asc' }] }),
    deps.db.acceptance.findMany({ orderBy: { id: 'asc' } }),
  ])
  return JSON.stringify({ installations, settings, acceptances }, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

type Field = readonly [string, unknown]
const BODIES: Record<string, (field: Field) => Promise<{ status: number }>> = {
  'POST Installations': ([name, value]) =>
    one.seller.install({ appId: 'stock-watch', purchaseOptionId: 'standard', [name]: value }),
  'PATCH UserSettings': ([name, value]) => one.seller.patch(one.id, { text: 'x', [name]: value }),
  'POST PurchaseOption': ([name, value]) =>
    one.seller.send('POST', `/${one.id}/PurchaseOption`, {
      ...{ purchaseOptionId: 'free', [name]: value },
    }),
  'POST Upgrade': ([name, value]) => one.seller.upgrade(one.id, { version: '2', [name]: value }),
  'PATCH AdminSettings': ([name, value]) =>
    one.calls.patch(one.id, { adminText: 'x', [name]: value }),
  'POST Suspend': ([name, value]) =>
    one.calls.send('POST', `/${one.id}/Suspend`, { reason: 'x', [name]: value }),
  'POST Sandbox': ([name, value]) =>
    call(market, 'POST', `/v1/Developer/Apps/${one.app.id}/Sandbox`, {
      token: one.developer.token,
      body: { [name]: value },
    }),
}

describe.each(Object.keys(BODIES))('%s', (name) => {
  const send = BODIES[name] as (typeof BODIES)[string]

  test.each(Object.keys(PROTECTED))('refuses %s and changes nothing', async (field) => {
    const before = await state()
    const answer = await send([field, PROTECTED[field]])
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer as never)).toContain(`/${field}`)
    expect(await state()).toBe(before)
  })

  test('refuses all of them at once, each with its pointer', async () => {
    const before = await state()
    const entries = Object.entries(PROTECTED)
    const answers = await Promise.all(entries.map((entry) => send(entry)))
    expect(answers.every(({ status }) => status === 400 || status === 422)).toBe(true)
    expect(await state()).toBe(before)
  })
})

describe('fields that belong to another endpoint', () => {
  test.each<[string, () => Promise<{ status: number }>, string]>([
    ['appId in a change', () => one.seller.upgrade(one.id, { version: '2', appId: 'x' }), '/appId'],
    [
      'partyId in a change',
      () => one.seller.upgrade(one.id, { version: '2', partyId: 1 }),
      '/partyId',
    ],
    ['partyId in a patch', () => one.seller.patch(one.id, { partyId: 1 }), '/partyId'],
    [
      'userSettings in a suspension',
      () => BODIES['POST Suspend']?.(['userSettings', {}]) as never,
      '/userSettings',
    ],
    [
      'purchaseOptionId in a patch',
      () => one.seller.patch(one.id, { purchaseOptionId: 'free' }),
      '/purchaseOptionId',
    ],
  ])('are refused: %s', async (_, send, pointer) => {
    const before = await state()
    const answer = await send()
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer as never)).toEqual([pointer])
    expect(await state()).toBe(before)
  })

  test('in the body of a resume or a delete are never looked at', async () => {
    const body = { ...PROTECTED, userSettings: GOOD_SETTINGS }
    const before = await state()
    const answer = await one.calls.send('POST', `/${one.id}/Resume`, body)
    expect([200, 400, 422]).toContain(answer.status)
    expect(await state()).toBe(before)
  })
})
