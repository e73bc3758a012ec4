import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../../src/base/database/transaction.ts'
import type { Event } from '../../../../src/marketplace/events/event-schemas.ts'
import {
  recordAppEvent,
  recordInstallationEvent,
} from '../../../../src/marketplace/events/record-event-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  type Customer,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { type EventReader, newEventReader, positionsOf, upTo } from '../../../setup/events.ts'

const ACCOUNTS = 5
const CHANGES_EACH = 4

let market: TestMarketplace
let reader: EventReader
let appId: string
let customers: Customer[]
beforeAll(async () => {
  market = await startMarketplace()
  reader = await newEventReader(market)
  appId = (await listedApp(reader.developer, fullDraft())).id
  // One after the other: only so many sign-ins of one address wait at once.
  customers = []
  for (const _ of upTo(ACCOUNTS)) customers.push(await newCustomer(market))
})
afterAll(() => market.close())

async function install(customer: Customer): Promise<string> {
  const { status, text, body } = await customer.install({
    ...{ appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

/** The sequences of each installation's events, in the order of the log. */
function sequencesOf(events: readonly Event[]): Map<string, number[]> {
  const sequences = new Map<string, number[]>()
  for (const { data } of events) {
    if (!('sequence' in data)) continue
    const own = sequences.get(data.installationId) ?? []
    sequences.set(data.installationId, [...own, data.sequence])
  }
  return sequences
}

/** Reads on, page by page, while something is done, and to the end of the log afterwards. */
async function readDuring(work: () => Promise<unknown>): Promise<Event[]> {
  const seen: Event[] = []
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let isLast = false
  let answer = await reader.get('?limit=3')
  for (;;) {
    seen.push(...answer.body)
    if (answer.body.length === 0) {
      if (isLast) break
      // From then on nobody else numbers, and whoever does is not skipped.
      isLast = isDone
      await reader.number()
    }
    answer = await reader.follow(answer)
  }
  await done
  return seen
}

describe('changes of several installations at once', () => {
  test('are told once each, with positions and sequences that have no gap and agree', async () => {
    const ids = await Promise.all(customers.map(install))
    let changed = 0
    const change = async (customer: Customer, id: string, number: number) => {
      const { status } = await customer.patch(id, { note: `note ${number}` })
      if (status === 200) changed += 1
      await reader.number()
    }
    const seen = await readDuring(() =>
      Promise.all(
        customers.flatMap((customer, index) =>
          upTo(CHANGES_EACH).map((number) => change(customer, ids[index] as string, number)),
        ),
      ),
    )
    expect(changed).toBe(ACCOUNTS * CHANGES_EACH)
    expect(positionsOf(seen)).toEqual(upTo(seen.length))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    expect(await reader.read()).toEqual(seen)
    const sequences = sequencesOf(seen)
    for (const id of ids) expect(sequences.get(id)).toEqual(upTo(1 + CHANGES_EACH))
  })

  test('with an uninstall among them: it is the last event of each', async () => {
    const [first] = customers
    const { body } = await (first as Customer).list()
    const id: string = body[0].id
    await Promise.all([
      ...upTo(4).map((number) => first?.patch(id, { note: `late ${number}` })),
      first?.uninstall(id),
      ...upTo(4).map((number) => reader.installations.patch(id, { adminText: `${number}` })),
    ])
    const events: Event[] = await reader.read(`?installationId=${id}`)
    expect(events.at(-1)?.type).toBe('installation.deleted')
    expect(events.filter(({ type }) => type === 'installation.deleted')).toHaveLength(1)
    expect(sequencesOf(events).get(id)).toEqual(upTo(events.length))
  })

  test('get their positions once, however many give them', async () => {
    const other = await newEventReader(market)
    const otherApp = await other.newApp()
    await other.write(otherApp, 50)
    await Promise.all(upTo(6).map(() => other.number()))
    expect(positionsOf((await other.get()).body)).toEqual(upTo(50))
  })
})

describe('a change that is undone', () => {
  test('leaves no event and no gap', async () => {
    const { deps } = market
    const [, second] = customers
    const { body } = await (second as Customer).list()
    const id: string = body[0].id
    const before: Event[] = await reader.read()
    const undone = inTransaction(deps.db, async (tx) => {
      const { developerId } = reader
      await recordInstallationEvent(tx, 'installation.suspended', id, { by: 'operator' })
      await recordAppEvent(tx, 'app.suspended', { appId, developerId })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await second?.patch(id, { note: 'after it' })
    const after: Event[] = await reader.read()
    expect(after.slice(0, -1)).toEqual(before)
    expect(positionsOf(after)).toEqual(upTo(before.length + 1))
    const sequences = sequencesOf(after).get(id) ?? []
    expect(sequences).toEqual(upTo(sequences.length))
  })
})
