import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from '../../base/values/client-network.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

const WINDOW_SECONDS = 60
/** How often the end of an attempt is tried again while the database is away. */
const RETRY_MS = 500
/** Wrong passwords for one id from one address. */
const FAILURES_PER_ID = 10
/** Wrong passwords from one address, whatever the ids: against trying one password on many. */
const FAILURES_PER_ADDRESS = 100
/** When to come back while too many passwords of one budget are being checked. */
const UNDER_WAY_SECONDS = 2
/** How often the end of an attempt clears what is kept of windows that are over. */
const CLEANUP_ODDS = 0.02

/** Who tries to sign in, and from where. */
export type LoginAttempt = Attempt<'developer' | 'user'>

/** A sign-in, or a request for a new password, which is limited alike with a budget of its own. */
type Attempt<Kind = LoginAttempt['kind'] | 'reset'> = {
  kind: Kind
  /** What was given as clientId or email; may be anything, even a password typed by mistake. */
  id: string
  /** Network address. */
  address: string
}

/**
 * Refuses an attempt from where too many failed in the last minute. Nobody else is kept out: the
 * same id from another address is not affected. Kept in the database, so that all replicas share
 * one budget.
 *
 * @throws AppError too_many_requests
 */
export async function requireSignInBudget(
  { pool }: Pick<Deps, 'pool'>,
  attempt: Attempt,
): Promise<void> {
  const { rows } = await pool.query<Spent>({
    name: 'login-budget',
    text: `
      SELECT f.key, f.failures, 0 AS under_way, ${RESET_SECONDS}
      FROM login_failures f
      WHERE f.key = ANY($1) AND ${IS_OPEN}`,
    values: [keysOf(attempt), WINDOW_SECONDS],
  })
  refuseSpent(attempt, rows)
}

/**
 * Counts an attempt against the budgets of its id and of its address while its password is being
 * checked, so that many at once try no more passwords than one after the other. `endSignInAttempt` has
 * to follow; where it cannot, as when the process is killed, the attempt is forgotten with its
 * minute.
 *
 * @throws AppError too_many_requests; the attempt is not counted then
 */
export async function beginSignInAttempt(
  { pool }: Pick<Deps, 'pool'>,
  attempt: Attempt,
): Promise<void> {
  const { rows } = await untilEnded({ pool }, attempt, false, () =>
    pool.query<Spent>({
      name: 'login-begin',
      text: `
      INSERT INTO login_failures AS f (key, window_start, failures, under_way)
      SELECT key, now(), 0, 1 FROM unnest($1::text[]) AS key ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN ${IS_OPEN} THEN f.failures ELSE 0 END,
        under_way = CASE WHEN ${IS_OPEN} THEN f.under_way + 1 ELSE 1 END,
        window_start = CASE WHEN ${IS_OPEN} THEN f.window_start ELSE now() END
      RETURNING f.key, f.failures, f.under_way, ${RESET_SECONDS}`,
      values: [keysOf(attempt), WINDOW_SECONDS],
    }),
  )
  try {
    refuseSpent(attempt, rows)
  } catch (error) {
    await endSignInAttempt({ pool }, attempt, false)
    throw error
  }
}

/**
 * Takes back what `beginSignInAttempt` counted, and counts a wrong password: it stays counted until
 * a minute after the first wrong one. When the database fails just now, the error goes
 * to the caller and the end is written later.
 */
export function endSignInAttempt(
  deps: Pick<Deps, 'pool'>,
  attempt: Attempt,
  wrong: boolean,
): Promise<void> {
  return untilEnded(deps, attempt, wrong, () => writeEnd(deps, attempt, wrong))
}

/**
 * Does one step of an attempt. When it fails, nobody knows what the database has of it; the end of
 * the attempt is then written in the background, so that an outage does not count as many sign-ins
 * at once.
 */
async function untilEnded<T>(
  deps: Pick<Deps, 'pool'>,
  attempt: Attempt,
  wrong: boolean,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    void endLater(deps, attempt, wrong)
    throw error
  }
}

/** No more of these run at once than passwords are being checked, and that number is bounded. */
async function endLater(deps: Pick<Deps, 'pool'>, attempt: Attempt, wrong: boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < WINDOW_SECONDS * 1000; waitedMs += RETRY_MS) {
    await sleep(RETRY_MS, undefined, { ref: false })
    try {
      return await writeEnd(deps, attempt, wrong)
    } catch {
      // Tried again until the attempt's minute is over.
    }
  }
}

async function writeEnd(
  { pool }: Pick<Deps, 'pool'>,
  attempt: Attempt,
  wrong: boolean,
): Promise<void> {
  await pool.query({
    name: 'login-end',
    text: `
      INSERT INTO login_failures AS f (key, window_start, failures, under_way)
      SELECT key, now(), $3, 0 FROM unnest($1::text[]) AS key ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN ${IS_OPEN} THEN f.failures + $3 ELSE $3 END,
        under_way = greatest(f.under_way - 1, 0),
        window_start = CASE WHEN ${IS_OPEN} AND (f.failures > 0 OR $3 = 0) THEN f.window_start ELSE now() END`,
    values: [keysOf(attempt), WINDOW_SECONDS, wrong ? 1 : 0],
  })
  if (Math.random() < CLEANUP_ODDS) {
    // Rows that somebody else counts in are left alone: waiting for them could be a deadlock.
    await pool.query(
      `DELETE FROM login_failures WHERE key IN (
         SELECT key FROM login_failures WHERE window_start < now() - make_interval(secs => $1)
         FOR UPDATE SKIP LOCKED)`,
      [WINDOW_SECONDS],
    )
  }
}

/** A window that begins far ahead was begun while the clock of Postgres was wrong: it is over. */
const IS_OPEN =
  'f.window_start > now() - make_interval(secs => $2) AND f.window_start < now() + make_interval(secs => $2)'
const RESET_SECONDS =
  'ceil(extract(epoch FROM f.window_start + make_interval(secs => $2) - now()))::int AS reset_seconds'
const WHAT = {
  developer: 'wrong passwords',
  user: 'wrong passwords',
  reset: 'requests for a new password',
} as const
type Spent = { key: string; failures: number; under_way: number; reset_seconds: number }

/** @throws AppError too_many_requests when one of the budgets has nothing left */
function refuseSpent(attempt: Attempt, rows: readonly Spent[]): void {
  const budgets = budgetsOf(attempt)
  for (const { key, failures, under_way: underWay, reset_seconds: resetSeconds } of rows) {
    const budget = budgets.get(key)
    if (budget === undefined) continue
    const { policy, quota } = budget
    const limit = { policy, quota, windowSeconds: WINDOW_SECONDS }
    if (failures >= quota) {
      throw new AppError('too_many_requests', {
        detail: `Too many ${WHAT[attempt.kind]} from this address. Wait a minute.`,
        retryAfterSeconds: Math.max(1, resetSeconds),
        limit,
      })
    }
    // `under_way` counts this attempt too.
    if (failures + underWay > quota) {
      throw new AppError('too_many_requests', {
        detail: 'Too many sign-ins from this address at once. Try again in a moment.',
        retryAfterSeconds: UNDER_WAY_SECONDS,
        limit,
      })
    }
  }
}

function keysOf(attempt: Attempt): string[] {
  return [...budgetsOf(attempt).keys()]
}

type Budget = { policy: string; quota: number }

/** Keys are hashes: what people type by mistake does not belong into a table. */
function budgetsOf({ kind, id, address }: Attempt): ReadonlyMap<string, Budget> {
  const network = networkOf(address)
  return new Map([
    [hashOf('id', kind, id, network), { policy: 'sign-in-id', quota: FAILURES_PER_ID }],
    [
      hashOf('address', ...(kind === 'reset' ? [kind] : []), network),
      { policy: 'sign-in-address', quota: FAILURES_PER_ADDRESS },
    ],
  ])
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
