import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { forgetNotifications } from '../../src/identity/notifications/forget-notifications-service.ts'
import { TIDYING } from '../../src/process/start/job-kinds.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { newAddress } from '../setup/people.ts'
import { waitUntil } from '../setup/server-process.ts'

const DAY_MS = 86_400_000

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** A user who was told so often, the oldest so many days ago. */
async function toldUser({ deps }: TestMarketplace, count: number, days = 0): Promise<string> {
  const { id: userId } = await createUser(deps, { email: newAddress(), name: 'Nora' })
  const createdAt = new Date(deps.now().getTime() - days * DAY_MS)
  await deps.db.notification.createMany({
    data: Array.from({ length: count }, (_, at) => ({
      ...{ userId, kind: 'member_joined', subjectId: String(at), toMail: false },
      createdAt: at === 0 ? createdAt : deps.now(),
    })),
  })
  return userId
}

const subjectsOf = async (userId: string) =>
  (
    await market.deps.db.notification.findMany({
      where: { userId },
      select: { subjectId: true },
      orderBy: { id: 'asc' },
    })
  ).map(({ subjectId }) => Number(subjectId))

test('a notification is kept for 90 days, and then forgotten', async () => {
  const [young, old] = [await toldUser(market, 2, 89), await toldUser(market, 2, 91)]
  await forgetNotifications(market.deps)
  expect(await subjectsOf(young)).toEqual([0, 1])
  expect(await subjectsOf(old)).toEqual([1])
})

test('of one person the 200 newest are kept', async () => {
  const [many, few] = [await toldUser(market, 1_300), await toldUser(market, 200)]
  await forgetNotifications(market.deps)
  const kept = await subjectsOf(many)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, 1_100, 1_299])
  expect(await subjectsOf(few)).toHaveLength(200)
})

test('what another replica removes at this moment is left to it, without waiting', async () => {
  const userId = await toldUser(market, 202)
  const client = await market.deps.pool.connect()
  onTestFinished(() => client.release())
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM notifications WHERE user_id = $1 FOR UPDATE', [userId])
  await forgetNotifications(market.deps)
  expect(await subjectsOf(userId)).toHaveLength(202)
  await client.query('ROLLBACK')
  await forgetNotifications(market.deps)
  expect(await subjectsOf(userId)).toHaveLength(200)
})

test('a server forgets old notifications by itself', async () => {
  const tidy = await startMarketplace({ background: {} })
  onTestFinished(() => tidy.close())
  const userId = await toldUser(tidy, 3)
  tidy.advance(91 * 86_400)
  await tidy.deps.jobs.ask(TIDYING, {})
  await waitUntil(async () => (await tidy.deps.db.notification.count({ where: { userId } })) === 0)
})
