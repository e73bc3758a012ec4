import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../../src/base/database/client.ts'
import { isDatabaseUnavailable } from '../../src/base/database/failures.ts'
import { inSqlTransaction, inTransaction } from '../../src/base/database/transaction.ts'
import { deadlineIn, withDeadline } from '../../src/base/fair-share/deadline.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { expectUnavailable } from '../setup/expect-unavailable.ts'

let testDatabase: TestDatabase
let admin: pg.Client
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true })
  admin = new pg.Client({ connectionString: inject('serverUrl') })
  await admin.connect()
  database = open(3)
  await database.pool.query('CREATE TABLE written (what text)')
})
beforeEach(() => database.pool.query('TRUNCATE written'))
afterAll(async () => {
  await database.close()
  await admin.end()
  await testDatabase.drop()
})

const open = (poolSize: number) =>
  openDatabase({ connectionString: testDatabase.url, poolSize, onIdleError: () => {} })

/** Prisma begins a statement when it is awaited. */
const soon = <T>(work: () => Promise<T>) => withDeadline(deadlineIn(200), async () => await work())

/** Statements and transactions that the database has from us. */
async function underWay(): Promise<number> {
  const { rows } = await admin.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = $1 AND state <> 'idle' AND application_name = 'app-marketplace'`,
    [new URL(testDatabase.url.replace('@/', '@localhost/')).pathname.slice(1)],
  )
  return rows[0].count
}

/** What was cancelled is over at once, but perhaps not yet for another connection. */
const expectNothingUnderWay = () => expect.poll(underWay, { timeout: 5_000 }).toBe(0)

const written = async () => (await database.pool.query('SELECT what FROM written')).rows

test('a COPY whose deadline passes fails, and nothing of it stays', async () => {
  await expectUnavailable(
    soon(() =>
      inSqlTransaction(database.pool, async (client) => {
        const copy = client.query(copyFrom('COPY written FROM STDIN'))
        copy.write('one\n')
        // It never ends.
        await finished(copy)
      }),
    ),
  )
  await expectNothingUnderWay()
  expect(await written()).toEqual([])
})

test('a statement may take as long as its work says', async () => {
  const work = deadlineIn(60_000, { statementMs: 50 })
  await expectUnavailable(withDeadline(work, () => database.pool.query('SELECT pg_sleep(60)')))
  await expectNothingUnderWay()
})

test('Postgres gives up a lock after 4 s and a statement after 7 s', async () => {
  const { rows } = await database.pool.query(
    `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement`,
  )
  expect(rows).toEqual([{ lock: '4s', statement: '7s' }])
})

describe('a deadline ends', () => {
  test('a statement, and its connection with it', async () => {
    await expectUnavailable(soon(() => database.pool.query('SELECT pg_sleep(30)')))
    expect(database.pool.totalCount).toBe(0)
    await expectUnavailable(soon(() => database.db.$queryRaw`SELECT pg_sleep(30)::text`))
    expect(await written()).toEqual([])
  })

  test('the wait for a connection', async () => {
    const small = open(1)
    const held = await small.pool.connect()
    await expectUnavailable(soon(() => small.pool.query('SELECT 1')))
    await expectUnavailable(soon(() => small.pool.connect()))
    await expectUnavailable(soon(() => small.db.$transaction([small.db.$queryRaw`SELECT 1`])))
    held.release()
    expect(small.pool.waitingCount).toBe(0)
    await small.close()
  })

  test('a transaction, which is undone', async () => {
    await expectUnavailable(
      soon(() =>
        inSqlTransaction(database.pool, async (client) => {
          await client.query(`INSERT INTO written VALUES ('by SQL')`)
          await client.query('SELECT pg_sleep(30)')
        }),
      ),
    )
    await expectUnavailable(
      soon(() =>
        inTransaction(database.db, async (tx) => {
          await tx.$executeRaw`INSERT INTO written VALUES ('by Prisma')`
          await tx.$executeRaw`SELECT pg_sleep(30)`
        }),
      ),
    )
    expect(await written()).toEqual([])
    await expectNothingUnderWay()
  })

  test('a transaction also where only its end is left to do', async () => {
    const deadline = deadlineIn(100)
    const late = withDeadline(deadline, () =>
      inSqlTransaction(database.pool, async (client) => {
        await client.query(`INSERT INTO written VALUES ('late')`)
        while (performance.now() <= deadline.atMs) await sleep(10)
      }),
    )
    await expectUnavailable(late)
    expect(await written()).toEqual([])
  })

  test('only its own work: a reused connection gets the deadline of the next work', async () => {
    const small = open(1)
    // The first has a connection that is open, and nothing to wait for.
    await small.pool.query('SELECT 1')
    const first = withDeadline(deadlineIn(5_000), () => small.pool.query('SELECT 1'))
    const second = withDeadline(deadlineIn(60_000), () => small.pool.query('SELECT pg_sleep(5.5)'))
    await first
    await second
    await small.close()
  })
})

test('a connection that breaks between two statements fails its transaction and nothing else', async () => {
  const broken = inSqlTransaction(database.pool, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    const gone = new Promise((resolve) => client.once('end', () => resolve(undefined)))
    await admin.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
    await gone
    await client.query(`INSERT INTO written VALUES ('lost')`)
  })
  await expectUnavailable(broken)
  expect(await written()).toEqual([])
})

test('an interruption cancels all statements, rejects those that wait, and lets none begin', async () => {
  const ending = open(2)
  const work = [
    ending.pool.query('SELECT pg_sleep(30)'),
    ending.db.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(30)`),
  ].map(expectUnavailable)
  await expect.poll(underWay).toBe(2)
  const waiting = ending.pool.query('SELECT 1')
  work.push(expectUnavailable(waiting), expect(waiting).rejects.toThrow('shutting down'))
  ending.interrupt()
  await Promise.all(work)
  await expectNothingUnderWay()
  await expectUnavailable(ending.pool.query('SELECT 1'))
  await ending.close()
})

test('a file that is not there is no outage, a socket that is not there is one', async () => {
  const path = `/tmp/${crypto.randomUUID()}`
  const isOutage = (error: unknown) => isDatabaseUnavailable(error)
  expect(await readFile(path).catch(isOutage)).toBe(false)
  const socket = connect(path)
  const [error] = await once(socket, 'error')
  expect([error.code, isOutage(error)]).toEqual(['ENOENT', true])
})

test.each(['25P03', '25P04', '53100', '58P01', '58030'])(
  'a transaction that was cut, or a disk that is full or fails (%s), is an outage',
  (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(true)
  },
)

test('an interruption refuses a connection that is being made', async () => {
  const ending = open(1)
  const work = expectUnavailable(ending.pool.connect())
  ending.interrupt()
  await work
  await ending.close()
})
