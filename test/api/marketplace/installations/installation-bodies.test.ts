import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
let developer: Author
let operate: OperatorCalls
let calls: ReturnType<typeof developerCalls>
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  operate = await operatorCalls(market)
  calls = developerCalls(market, developer.token)
})
afterAll(() => market.close())

/** Texts whose JSON has to be escaped, in one way or another. */
const NASTY = '"quoted" \\ back\tslash </script> \u007f \u001e \u2028 😀 é'

const publish = () => listedApp(developer, fullDraft())

async function installed(customer: Customer, app?: Awaited<ReturnType<typeof publish>>) {
  const definition = app ?? (await publish())
  const { body, text } = await customer.install({
    appId: definition.id,
    partyId: customer.party.id,
    purchaseOptionId: 'full',
    userSettings: { ...GOOD_SETTINGS, note: NASTY, amount: 0.3, count: 3, flag: 'true' },
  })
  expect(body.id, text).toBeTypeOf('string')
  return { id: body.id as string, definition }
}

/** The list has an installation in the very bytes in which it is read alone. */
async function expectSame(id: string, partyId: number, query = '') {
  const alone = await calls.read(id)
  expect(alone.status).toBe(200)
  const list = await calls.list(`?partyId=${partyId}${query}`)
  expect(list.text).toBe(`[${alone.text}]`)
  const secretless = await calls.list(`?partyId=${partyId}${query}&secrets=omit`)
  expect(secretless.text).toBe(`[${(await calls.read(id, '?secrets=omit')).text}]`)
  return alone.body
}

test('the list shows each change of an installation, as the installation read alone does', async () => {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const { id, definition } = await installed(customer)
  const same = (query?: string) => expectSame(id, partyId, query)
  expect((await same()).userSettings).toMatchObject({ note: NASTY, secret: 's3cret-one', count: 3 })

  const admin = { adminText: NASTY, adminNumber: '1.5', adminSecret: 'hidden', adminMust: 'x' }
  expect((await calls.patch(id, admin)).status).toBe(200)
  expect((await same()).adminSettings).toMatchObject({ adminText: NASTY, adminSecret: 'hidden' })
  expect((await customer.patch(id, { note: null, amount: 0.7 })).status).toBe(200)
  expect((await same()).userSettings).not.toHaveProperty('note')

  const reason = NASTY.replace('\u007f', '\n').replace('\u001e', '')
  expect((await calls.suspend(id, reason)).status).toBe(200)
  expect(await same()).toMatchObject({ status: 'suspended', suspendedReason: reason })
  expect((await calls.suspend(id, 'Another reason')).status).toBe(200)
  expect((await same()).suspendedReason).toBe('Another reason')
  expect((await calls.resume(id)).status).toBe(200)
  expect(await same()).toMatchObject({ status: 'active', suspendedReason: null })

  const next = { ...definition, version: '2.0.0', settings: { full: { ...EVERY_SETTING } } }
  const published = await developer.put(next)
  expect(published.status, published.text).toBe(200)
  const upgraded = await customer.upgrade(id, { version: '2.0.0', userSettings: {} })
  expect(upgraded.status, upgraded.text).toBe(200)
  expect((await same()).installedVersion).toBe('2.0.0')

  expect((await developer.put({ ...next, name: `New ${definition.id}` })).status).toBe(200)
  expect((await same()).appName).toBe(`New ${definition.id}`)
  await rename(partyId, `Renamed "${partyId}"`)
  expect((await same()).partyName).toBe(`Renamed "${partyId}"`)

  expect((await customer.changeOption(id, 'free')).status).toBe(200)
  expect((await same()).userSettings).toEqual({})
  expect((await customer.uninstall(id)).status).toBe(204)
  await rename(partyId, `Once more ${partyId}`)
  const last = await same('&status=uninstalled')
  expect(last).toMatchObject({ status: 'uninstalled', partyName: `Once more ${partyId}` })
})

test('each installation of a list has its own passwords, also between those without any', async () => {
  const definition = await publish()
  for (const secret of [null, 'first', null, null, 'second', null]) {
    const customer = await newCustomer(market)
    const { status, text } = await customer.install({
      appId: definition.id,
      partyId: customer.party.id,
      purchaseOptionId: secret === null ? 'free' : 'full',
      ...(secret !== null && { userSettings: { ...GOOD_SETTINGS, secret } }),
    })
    expect(status, text).toBe(201)
  }
  const list = await calls.list(`?appId=${definition.id}`)
  const alone = await Promise.all(
    list.body.map(({ id }: { id: string }) => calls.read(id).then(({ text }) => text)),
  )
  expect(list.text).toBe(`[${alone.join(',')}]`)
  const secrets = list.body.map(({ userSettings }: { userSettings: { secret?: string } }) => {
    return userSettings.secret ?? null
  })
  expect(secrets).toEqual([null, 'first', null, null, 'second', null])
})

test('settings that change just before the account is renamed are in the list', async () => {
  const customer = await newCustomer(market)
  const { id } = await installed(customer)
  const held = await holdRows(market, LOCKED_INSTALLATION, [id])
  try {
    const changed = customer.patch(id, { note: 'new' })
    await untilWaiting(market, 1)
    const renamed = rename(customer.party.id, `Renamed ${customer.party.id}`)
    await untilWaiting(market, 2)
    await held.release()
    expect((await changed).status).toBe(200)
    await renamed
  } finally {
    await held.release()
  }
  expect((await expectSame(id, customer.party.id)).userSettings.note).toBe('new')
})

test('what is installed while the account is renamed has the new name', async () => {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const first = await installed(customer)
  const name = `Renamed ${partyId}`
  // Whoever waits for a row does so for some seconds only.
  const app = await publish()
  const held = await holdRows(market, LOCKED_INSTALLATION, [first.id])
  let id: string
  try {
    const renamed = rename(partyId, name)
    await untilWaiting(market, 1)
    const made = installed(customer, app)
    await untilWaiting(market, 2)
    await held.release()
    await renamed
    ;({ id } = await made)
  } finally {
    await held.release()
  }
  expect((await customer.uninstall(first.id)).status).toBe(204)
  expect((await expectSame(id, partyId)).partyName).toBe(name)
})

const LOCKED_INSTALLATION = 'SELECT 1 FROM installations WHERE id = $1 FOR UPDATE'

async function rename(partyId: number, name: string) {
  const answer = await operate('PATCH', `Parties/${partyId}`, { name })
  expect(answer.status, answer.text).toBe(200)
}

test('what another release writes is in the list too', async () => {
  const customer = await newCustomer(market)
  const { id } = await installed(customer)
  const { db } = market.deps
  await db.settingValue.update({
    where: { installationId_scope_key: { installationId: id, scope: 'user', key: 'note' } },
    data: { value: 'written by itself' },
  })
  await db.$executeRaw`
    UPDATE installations SET status = 'suspended', suspended_at = now(), suspended_by = 'developer',
      suspended_reason = 'alone' WHERE id = ${id}::uuid`
  expect((await expectSame(id, customer.party.id)).suspendedReason).toBe('alone')
  expect((await expectSame(id, customer.party.id)).userSettings.note).toBe('written by itself')
  const held = await holdRows(market, LOCKED_INSTALLATION, [id])
  try {
    const changed = customer.patch(id, { text: 'new' })
    await untilWaiting(market, 1)
    const reencrypted = market.deps.pool.query(
      "UPDATE setting_values SET secret = secret WHERE installation_id = $1 AND key = 'choice'",
      [id],
    )
    await untilWaiting(market, 2)
    await held.release()
    expect((await changed).status).toBe(200)
    await reencrypted
  } finally {
    await held.release()
  }
  expect((await expectSame(id, customer.party.id)).userSettings.text).toBe('new')
  await db.settingValue.deleteMany({
    where: { installationId: id, key: { in: ['note', 'secret'] } },
  })
  const { userSettings } = await expectSame(id, customer.party.id)
  expect(userSettings).not.toHaveProperty('note')
  expect(userSettings).not.toHaveProperty('secret')
})
