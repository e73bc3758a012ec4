import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/base/database/client.ts'
import { inSnapshot, inSqlTransaction, inTransaction } from '../../src/base/database/transaction.ts'
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

test('a snapshot has nothing of what others commit meanwhile', async () => {
  const { db, pool } = market.deps
  const counts = await inSnapshot(db, async (tx) => {
    const before = await tx.user.count()
    await pool.query(`INSERT INTO parties (name, type) VALUES ('Committed meanwhile', 'Buyer')`)
    return [before, await tx.user.count(), await tx.party.count({ where: MEANWHILE })]
  })
  expect(counts).toEqual([counts[0], counts[0], 0])
  expect(await db.party.count({ where: MEANWHILE })).toBe(1)
})
const MEANWHILE = { name: 'Committed meanwhile' }

test.each([
  ['is undone, and its connection used again', 'SELECT 1 / 0', 1],
  [
    'on a connection that is lost gives way to a new one',
    'SELECT pg_terminate_backend(pg_backend_pid())',
    2,
  ],
])('a transaction in SQL that fails %s', async (_, failing, connections) => {
  let made = 0
  const { pool, close } = openDatabase({
    ...{ connectionString: market.databaseUrl, poolSize: 1, onIdleError: () => {} },
    onConnect: () => {
      made += 1
    },
  })
  const failure = inSqlTransaction(pool, async (client) => {
    await client.query(`UPDATE users SET name = 'Undone'`)
    await client.query(failing)
  })
  await expect(failure).rejects.toThrow()
  const { rows } = await pool.query(
    `SELECT now() = statement_timestamp() AS free, count(*)::int AS undone FROM users
     WHERE name = 'Undone'`,
  )
  expect(rows).toEqual([{ free: true, undone: 0 }])
  expect(made).toBe(connections)
  await close()
})
