import type { SharedMarketplace } from './app.ts'
import { waitUntil } from './server-process.ts'

type Market = Pick<SharedMarketplace, 'deps'>

/**
 * Holds the rows that a statement locks until `release`, in a transaction of its own: whoever needs
 * them stops there.
 */
export async function holdRows({ deps }: Market, sql: string, values: readonly unknown[]) {
  const client = await deps.pool.connect()
  await client.query('BEGIN')
  const { rowCount } = await client.query(sql, [...values])
  if (!rowCount) throw new Error('the statement locks nothing')
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      await client.query('COMMIT')
      client.release()
    },
  }
}

/** Goes on when at least so many transactions of the marketplace wait for somebody else's lock. */
export function untilWaiting({ deps }: Market, count: number): Promise<unknown> {
  return waitUntil(async () => {
    const { rows } = await deps.pool.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length >= count
  })
}

/** The results of two requests that wait for the row of an app in this order. */
export async function inTurnOnApp<First, Second>(
  market: Market,
  appId: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const held = await holdRows(market, 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', [appId])
  try {
    const one = first()
    await untilWaiting(market, 1)
    const two = second()
    await untilWaiting(market, 2)
    await held.release()
    return await Promise.all([one, two])
  } finally {
    await held.release()
  }
}

/**
 * Stops a transaction of the marketplace between two of its locks: `hold` takes the rows of a
 * statement, `waiting` goes on when so many wait, `letGo` gives the rows back. It may be called
 * twice: the next test begins with nobody waiting.
 */
export function heldRows(market: () => Market) {
  let held: { release(): Promise<void> } | undefined
  return {
    async hold(sql: string, ...values: unknown[]) {
      held = await holdRows(market(), sql, values)
    },
    waiting: (count: number) => untilWaiting(market(), count),
    async letGo() {
      await held?.release()
      held = undefined
    },
    statuses: async (answers: Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status),
  }
}
