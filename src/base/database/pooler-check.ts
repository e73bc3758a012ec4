import type { Pool, PoolClient } from 'pg'

/** The process of Postgres that runs the statement. The time tells those of two servers apart. */
const BACKEND = `
  SELECT concat(pid, ' ', backend_start) AS backend
  FROM pg_stat_get_activity(pg_backend_pid())`
/** For a role that may not read when its process began. */
const BACKEND_WITHOUT_TIME = `
  SELECT concat_ws(' ', pg_backend_pid(), inet_server_addr(), inet_server_port()) AS backend`
const INSUFFICIENT_PRIVILEGE = '42501'
/** More than one, because other clients of the pooler take sessions between two statements. */
const ROUNDS = 3

/**
 * Whether Postgres is behind a pooler that gives statements of one connection to changing sessions,
 * as PgBouncer does in transaction mode. There, prepared statements and session locks are lost. Two
 * connections ask in turns which session they have: it must stay the same, and differ from the
 * other's. For operators who put a pooler in front: they are told at the start, and not by tokens and
 * locks that fail now and then. The order is a, b, b, a and so on: a pooler that gives the session used last gives both
 * the same one, and a pooler that gives the one unused for longest gives b two.
 */
export async function sharesSessions(pool: Pool): Promise<boolean> {
  return withTwo(pool, async (a, b) => {
    const ofA = new Set<string>()
    const ofB = new Set<string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      ofA.add(await backendOf(a))
      ofB.add(await backendOf(b))
      ofB.add(await backendOf(b))
      ofA.add(await backendOf(a))
    }
    return ofA.size > 1 || ofB.size > 1 || [...ofA].some((one) => ofB.has(one))
  })
}

async function withTwo<T>(
  pool: Pool,
  work: (a: PoolClient, b: PoolClient) => Promise<T>,
): Promise<T> {
  const a = await pool.connect()
  try {
    const b = await pool.connect()
    try {
      return await work(a, b)
    } finally {
      b.release()
    }
  } finally {
    a.release()
  }
}

async function backendOf(client: PoolClient): Promise<string> {
  const ask = async (sql: string) =>
    (await client.query<{ backend: string }>(sql)).rows[0]?.backend ?? ''
  try {
    return await ask(BACKEND)
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error
    return ask(BACKEND_WITHOUT_TIME)
  }
}
