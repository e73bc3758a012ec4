import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { type Answer, untilTaken } from '../../../setup/client.ts'
import {
  acceptAll,
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
  newCustomers,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { holdRows, inTurnOnApp, untilWaiting } from '../../../setup/turns.ts'
import { installedVersionOne } from '../../../setup/versions.ts'

let market: SharedMarketplace
let developer: Author
let customerAt: (index: number) => Customer
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  customerAt = await newCustomers(market, 4)
})

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

describe('50 installs of one app by one party at once', () => {
  test('make one installation; 49 are told 409 already_installed and which one it is', async () => {
    const { id: appId } = await listedApp(developer, fullDraft())
    const seller = customerAt(0)
    const body = { appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS }
    // One that took too long may have been made all the same, and finds it when it is sent again.
    let hasTakenTooLong = false
    const install = async () => {
      const answer = await seller.install(body)
      hasTakenTooLong ||= answer.status === 503
      return answer
    }
    const answers = await times(50, () => untilTaken(install))
    const { db } = market.deps
    const [{ id } = { id: '' }, ...others] = await db.installation.findMany({ where: { appId } })
    expect(others).toEqual([])
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeLessThanOrEqual(1)
    if (!hasTakenTooLong) expect(created).toHaveLength(1)
    for (const answer of created) expect(answer.body.id).toBe(id)
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expectProblem(refused, 'already_installed')
      expect(refused.body.installationId).toBe(id)
    }
    expect(await db.settingValue.count({ where: { installationId: id } })).toBe(3)
    const audit = { subjectKind: 'installation', action: 'installation.created', subjectId: id }
    expect(await db.auditEvent.count({ where: audit })).toBe(1)
  })
})

describe('20 patches at once', () => {
  test('of different keys are all kept, of both sides', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `key${index}`)
    const setting = (scope: string) => ({ type: 'text', name: 'T', scope })
    const settings = Object.fromEntries([
      ...keys.map((key) => [key, setting('user')]),
      ...keys.map((key) => [`admin${key}`, setting('admin')]),
    ])
    const app = draft(newId(), { settings: { free: settings } })
    await listedApp(developer, app)
    const seller = customerAt(1)
    const calls = developerCalls(market, developer.token)
    const { id } = (await seller.install({ appId: app.id, purchaseOptionId: 'free' })).body
    const answers = await times(20, (index) => {
      const key = keys[index >> 1] as string
      return untilTaken(() =>
        index % 2 === 0
          ? seller.patch(id, { [key]: `user ${key}` })
          : calls.patch(id, { [`admin${key}`]: `admin ${key}` }),
      )
    })
    expect(statusesOf(answers)).toEqual(Array.from({ length: 20 }, () => 200))
    const { body } = await calls.read(id)
    expect(Object.keys(body.userSettings)).toHaveLength(10)
    expect(Object.keys(body.adminSettings)).toHaveLength(10)
    expect((await calls.read(id)).headers.get('etag')).toBe('"21"')
  })

  test('of one key leave one of the values, whole', async () => {
    const one = await installedVersionOne(market)
    const answers = await times(20, (index) =>
      untilTaken(() => one.seller.patch(one.id, { secret: `pass ${index}` })),
    )
    expect(statusesOf(answers)).toEqual(Array.from({ length: 20 }, () => 200))
    expect((await one.calls.read(one.id)).body.userSettings.secret).toMatch(/^pass \d+$/)
  })
})

describe('everything at once', () => {
  test('leaves a record that is of one piece, round after round', async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await installedVersionOne(market)
      await one.publishTwo()
      const consent = await one.consentToTwo()
      const requests = [
        () => one.seller.changeOption(one.id, 'free'),
        () => one.seller.upgrade(one.id, consent),
        () => one.seller.patch(one.id, { text: 'patched' }),
        () => one.calls.patch(one.id, { adminText: 'patched' }),
        () => one.calls.suspend(one.id),
        () => one.calls.resume(one.id),
        ...(round % 2 === 0 ? [() => one.seller.uninstall(one.id)] : []),
        () => one.seller.changeOption(one.id, 'full', GOOD_SETTINGS),
      ]
      const answers = await Promise.all(requests.map(untilTaken))
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
      await expectOnePiece(one.id)
    }
  })
})

/** Version, permissions, option, settings and evidence of an installation fit together. */
async function expectOnePiece(id: string) {
  const row = await market.deps.db.installation.findUniqueOrThrow({
    where: { id },
    include: {
      settings: true,
      acceptances: true,
      purchaseOption: { include: { appVersion: true } },
    },
  })
  const { appVersion } = row.purchaseOption
  const permissions = appVersion.permissions as { id: string }[]
  expect(row.permissions).toEqual(permissions.map((permission) => permission.id))
  const profiles = appVersion.settings as Record<string, Record<string, object>>
  const profile = profiles[row.purchaseOptionId] ?? {}
  for (const { key, secret } of row.settings) {
    expect(Object.keys(profile)).toContain(key)
    expect((profile[key] as { type: string }).type === 'password').toBe(secret !== null)
  }
  if (row.live !== null) {
    const mandatory = Object.entries(profile).filter(
      ([, setting]) =>
        (setting as { mandatory: boolean }).mandatory &&
        (setting as { scope: string }).scope === 'user',
    )
    const present = row.settings.map(({ key }) => key)
    expect(present).toEqual(expect.arrayContaining(mandatory.map(([key]) => key)))
  }
  const asked = (appVersion.acknowledgements as { id: string }[]).map((one) => one.id)
  const accepted = row.acceptances.map(({ subjectId }) => subjectId)
  expect(accepted).toEqual(expect.arrayContaining(asked))
}

describe('an install while the app is being published', () => {
  test('is wholly of the old version or wholly of the new one, 40 rounds', async () => {
    const definition = draft(newId())
    await listedApp(developer, definition)
    for (let round = 1; round <= 40; round += 1) {
      const even = round % 2 === 0
      const next = {
        ...definition,
        version: `v${round}`,
        permissions: [
          { id: 'products:read', purpose: 'Reads.' },
          ...(even ? [{ id: 'products:write', purpose: 'Writes.' }] : []),
        ],
        purchaseOptions: [flat('free', round), ...(even ? [flat('even', 1)] : [])],
        settings: { free: { [`key${round}`]: { type: 'text', name: 'Key' } } },
      } as unknown as typeof definition
      const party = customerAt(round)
      const [published, ...answers] = await Promise.all([
        developer.put(next),
        party.install({
          ...{ appId: definition.id, purchaseOptionId: 'free' },
          userSettings: { [`key${round}`]: 'of the new version' },
        }),
        customerAt(round + 1).install({ appId: definition.id, purchaseOptionId: 'free' }),
        customerAt(round + 2).install({ appId: definition.id, purchaseOptionId: 'even' }),
      ])
      expect(published?.status, published?.text).toBe(200)
      for (const [index, { status, body, text }] of answers.entries()) {
        expect([201, 422], text).toContain(status)
        if (status !== 201) continue
        await expectOnePiece(body.id)
        if (index === 0) expect(body.installedVersion).toBe(`v${round}`)
        expect(body.quote.monthlyCost).toBe(priceOf(body))
        await customerAt(round + index).uninstall(body.id)
      }
    }
  })

  test('has the old version when it was first, and the new one when it was second', async () => {
    const definition = draft(newId())
    await listedApp(developer, definition)
    const install = (customer: ReturnType<typeof customerAt>) =>
      customer.install({ appId: definition.id, purchaseOptionId: 'free' })
    const publish = (version: string) => developer.put({ ...definition, version })

    const [early, published] = await inTurnOnApp(
      market,
      definition.id,
      () => install(customerAt(1)),
      () => publish('2'),
    )
    expect([early.status, early.body.installedVersion]).toEqual([201, definition.version])
    expect(published.status).toBe(200)

    const [again, late] = await inTurnOnApp(
      market,
      definition.id,
      () => publish('3'),
      () => install(customerAt(2)),
    )
    expect(again.status).toBe(200)
    expect([late.status, late.body.installedVersion]).toEqual([201, '3'])
  })
})

/** The price of `free` is the number of its version. */
function priceOf({ installedVersion, purchaseOptionId }: Record<string, string>): number {
  return purchaseOptionId === 'even' ? 1 : Number(installedVersion?.replace(/^(v|1\.0\.)/, ''))
}

describe('an install while the app is being deleted', () => {
  test('leaves either a live installation or a deleted app, 20 rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const app = await listedApp(developer, draft(newId()))
      const [removed, installed] = await Promise.all([
        developer.remove(app.id),
        customerAt(round).install({ appId: app.id, purchaseOptionId: 'free' }),
      ])
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([removed.status, installed.status])
    }
  })
})

describe('an install while the app becomes a draft', () => {
  test('is made when it was first, and refused when it was second', async () => {
    const { id: appId } = await listedApp(developer, draft(newId()))
    const install = (customer: Customer) => customer.install({ appId, purchaseOptionId: 'free' })
    const hide = () => developer.hide(appId)

    const [early, hidden] = await inTurnOnApp(market, appId, () => install(customerAt(1)), hide)
    expect([early.status, hidden.status]).toEqual([201, 200])
    expect((await customerAt(1).read(early.body.id)).body.status).toBe('active')

    expect((await developer.list(appId)).status).toBe(200)
    const [again, late] = await inTurnOnApp(market, appId, hide, () => install(customerAt(2)))
    expect(again.status).toBe(200)
    expectProblem(late, 'unprocessable')
    expect(pointersOf(late)).toEqual(['/appId'])
  })
})

describe('an install while the words of the app change', () => {
  const words = (text: string) => [{ id: 'ack', title: 'Title', text, order: 1 }]
  const wordedApp = () => listedApp(developer, draft(newId(), { acknowledgements: words('0') }))
  const change = (app: Awaited<ReturnType<typeof wordedApp>>, text: string) =>
    developer.put({ ...app, version: `w${text}`, acknowledgements: words(text) })

  test('is refused or has the evidence of the words of its version', async () => {
    const app = await wordedApp()
    for (let round = 1; round <= 15; round += 1) {
      const consent = await acceptAll(market, app.id)
      const [, installed] = await Promise.all([
        change(app, `${round}`),
        customerAt(round).install({ appId: app.id, purchaseOptionId: 'free', ...consent }),
      ])
      expect([201, 409]).toContain(installed.status)
      if (installed.status === 409) expectProblem(installed, 'acknowledgement_changed')
      else {
        expect(installed.body.installedVersion).not.toBe(`w${round}`)
        await customerAt(round).uninstall(installed.body.id)
      }
    }
  })

  test('has that evidence when it was first, and is refused when it was second', async () => {
    const app = await wordedApp()
    const consent = await acceptAll(market, app.id)
    const install = (customer: Customer) =>
      customer.install({ appId: app.id, purchaseOptionId: 'free', ...consent })

    const [early, changed] = await inTurnOnApp(
      market,
      app.id,
      () => install(customerAt(1)),
      () => change(app, '1'),
    )
    expect([early.status, early.body.installedVersion]).toEqual([201, app.version])
    expect(changed.status).toBe(200)
    const where = { installationId: early.body.id, kind: 'acknowledgement' }
    const accepted = await market.deps.db.acceptance.findMany({ where })
    const evidence = accepted.map(({ subjectId: id, sha256 }) => ({ id, sha256 }))
    expect(evidence).toEqual(consent.acknowledgements)

    // The words that `consent` names are the latest ones again.
    expect((await change(app, '0')).status).toBe(200)
    expect(await acceptAll(market, app.id)).toEqual(consent)
    const [again, late] = await inTurnOnApp(
      market,
      app.id,
      () => change(app, '2'),
      () => install(customerAt(2)),
    )
    expect(again.status).toBe(200)
    expectProblem(late, 'acknowledgement_changed')
  })
})

describe('an install while the account is being suspended', () => {
  test('is refused when it was second', async () => {
    const { id: appId } = await listedApp(developer, draft(newId()))
    const customer = await newCustomer(market)
    const operator = await operatorCalls(market)
    const held = await holdRows(market, 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', [appId])
    try {
      const late = customer.install({ appId, purchaseOptionId: 'free' })
      await untilWaiting(market, 1)
      const path = `Parties/${customer.party.id}/Suspend`
      expect((await operator('POST', path, { reason: 'Unpaid.' })).status).toBe(200)
      await held.release()
      const refused = await late
      expectProblem(refused, 'unprocessable')
      expect(pointersOf(refused)).toEqual(['/partyId'])
    } finally {
      await held.release()
    }
  })
})
