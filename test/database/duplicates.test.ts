import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/base/database/transaction.ts'
import type { Deps } from '../../src/deps.ts'
import { AppError } from '../../src/errors.ts'
import { inUse, refusingDuplicates } from '../../src/identity/accounts/refusals-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

let market: TestMarketplace
let db: Deps['db']
beforeAll(async () => {
  market = await startMarketplace()
  ;({ db } = market.deps)
})
afterAll(() => market.close())

const refused = (work: () => Promise<unknown>) =>
  refusingDuplicates(inUse('/email'), work).then(
    () => expect.unreachable('the write was accepted'),
    (error: unknown) => error,
  )

const copyOfUser = async () => {
  const { email, name, passwordHash } = await db.user.findFirstOrThrow()
  return { email, name, passwordHash }
}

test.each<[string, () => Promise<unknown>]>([
  ['by Prisma', async () => db.user.create({ data: await copyOfUser() })],
  [
    'by Prisma in a transaction',
    async () => {
      const data = await copyOfUser()
      return inTransaction(db, (tx) => tx.user.create({ data }))
    },
  ],
  [
    'by SQL',
    () =>
      db.$executeRaw`INSERT INTO users (email, name, password_hash)
        SELECT email, name, password_hash FROM users LIMIT 1`,
  ],
])('a duplicate that is written %s is answered as one', async (_, write) => {
  const error = await refused(write)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({
    code: 'already_exists',
    options: { errors: [{ pointer: '/email', detail: 'It is in use already.' }] },
  })
})

test.each<[string, string, () => Promise<unknown>]>([
  [
    'a check by Prisma',
    'users_email_check',
    async () => db.user.create({ data: { ...(await copyOfUser()), email: 'NOT LOWER CASE' } }),
  ],
  ['a check by SQL', 'users_email_check', () => db.$executeRaw`UPDATE users SET email = ' x'`],
  [
    'a foreign key by Prisma',
    'connections_buyer_id_buyer_type_fkey',
    () => db.connection.create({ data: { buyerId: 2_000_000_001, sellerId: 2_000_000_002 } }),
  ],
  [
    'a foreign key by SQL',
    'connections_buyer_id_buyer_type_fkey',
    () =>
      db.$executeRaw`INSERT INTO connections (buyer_id, seller_id) VALUES (2000000001, 2000000002)`,
  ],
])('a write that breaks %s is no duplicate', async (_, constraint, write) => {
  const error = await refused(write)
  expect(error).not.toBeInstanceOf(AppError)
  expect(inspect(error, { depth: 10 })).toContain(constraint)
})
