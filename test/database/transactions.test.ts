import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSnapshot, inTransaction } from '../../src/database/transaction.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { noteStatements } from '../setup/statements.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test.each([
  ['transaction', inTransaction],
  ['snapshot', inSnapshot],
])('a %s in a transaction is part of it and sends nothing of its own', async (_, inside) => {
  const statements = noteStatements(market.deps.pool)
  const count = await inTransaction(market.deps.db, (tx) => inside(tx, (same) => same.user.count()))
  expect(count).toBeGreaterThan(0)
  const sent = statements.take().map(({ text }) => text.split(' ', 1)[0])
  expect(sent).toEqual(['BEGIN', 'SELECT', 'COMMIT'])
})
