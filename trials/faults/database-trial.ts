import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, during, type FaultyDatabase, withFaultyDatabase } from './faulty-database.ts'
import type { Finding, Trial } from './trial.ts'

const LOCK_MS = 30_000
/** After so long the server reads its keys again. */
const KEYS_OLD_MS = 35_000

/** The database is locked, exhausted, frozen and away, each for 20 s or more. */
export const trial: Trial = {
  title: 'database',
  run: () =>
    withFaultyDatabase(async (target) => [
      await locked(target, 'installations'),
      await locked(target, 'products'),
      await exhausted(target),
      ...(await frozenAndAway(target)),
    ]),
}

function locked(target: FaultyDatabase, table: string): Promise<Finding> {
  return during(target, `LOCK TABLE ${table} for ${LOCK_MS / 1000} s`, LOCK_MS, async () => {
    const holder = await connect(target.postgres)
    await holder.query(`BEGIN; LOCK TABLE ${table}`)
    return () => holder.end()
  })
}

/** The server loses those that it has, and gets no others. */
function exhausted(target: FaultyDatabase): Promise<Finding> {
  return during(target, 'no connection to be had for 20 s', 20_000, async () => {
    const superuser = await connect(target.postgres)
    await superuser.query('ALTER ROLE marketplace CONNECTION LIMIT 0')
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'marketplace'`,
    )
    return async () => {
      await superuser.query('ALTER ROLE marketplace CONNECTION LIMIT -1')
      await superuser.end()
    }
  })
}

/** The last two with keys that are to be read again. */
async function frozenAndAway(target: FaultyDatabase): Promise<Finding[]> {
  const { postgres } = target
  const backends = await during(target, 'all backends frozen for 40 s', 40_000, async () => {
    const frozen = childrenOf(postgres.pid)
    for (const pid of frozen) kill(pid, 'SIGSTOP')
    return async () => {
      for (const pid of frozen) kill(pid, 'SIGCONT')
    }
  })
  await sleep(KEYS_OLD_MS)
  const whole = await during(
    target,
    'all of Postgres frozen for 40 s, keys old',
    40_000,
    async () => {
      const frozen = [postgres.pid, ...childrenOf(postgres.pid)]
      for (const pid of frozen) kill(pid, 'SIGSTOP')
      return async () => {
        for (const pid of frozen) kill(pid, 'SIGCONT')
      }
    },
  )
  await sleep(KEYS_OLD_MS)
  const away = await during(
    target,
    'Postgres takes no connections for 20 s, keys old',
    20_000,
    async () => {
      const superuser = await connect(postgres, 'postgres')
      await superuser.query('ALTER DATABASE marketplace ALLOW_CONNECTIONS false')
      await superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'marketplace'`,
      )
      return async () => {
        await superuser.query('ALTER DATABASE marketplace ALLOW_CONNECTIONS true')
        await superuser.end()
      }
    },
  )
  return [backends, whole, away]
}

/** The processes that Postgres has started; only of this Postgres, and only by their ids. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

/** A backend may have ended meanwhile. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
