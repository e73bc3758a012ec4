import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { networkOf } from './network.ts'

const WINDOW_SECONDS = 60
/** Wrong passwords for one id from one address. */
const FAILURES_PER_ID = 10
/** Wrong passwords from one address, whatever the ids: against trying one password on many. */
const FAILURES_PER_ADDRESS = 100
/** How often a recorded failure clears the ones whose window is over. */
const CLEANUP_ODDS = 0.02

/** Who tries to sign in, and from where. */
export type LoginAttempt = {
  kind: 'developer' | 'user'
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
export async function requireLoginBudget(
  { pool }: Pick<Deps, 'pool'>,
  attempt: LoginAttempt,
): Promise<void> {
  const budgets = budgetsOf(attempt)
  const { rows } = await pool.query<{ key: string; failures: number; retry_after: number }>({
    name: 'login-budget',
    text: `
      SELECT key, failures,
        ceil(extract(epoch FROM window_start + make_interval(secs => $2) - now()))::int AS retry_after
      FROM login_failures
      WHERE key = ANY($1) AND window_start > now() - make_interval(secs => $2)`,
    values: [[...budgets.keys()], WINDOW_SECONDS],
  })
  const spent = rows.find(({ key, failures }) => failures >= (budgets.get(key) ?? 0))
  if (spent === undefined) return
  throw new AppError('too_many_requests', {
    detail: 'Too many wrong passwords from this address. Wait a minute.',
    retryAfterSeconds: Math.max(1, spent.retry_after),
  })
}

/** Counts a wrong password against the budgets of its id and of its address. */
export async function recordLoginFailure(
  { pool }: Pick<Deps, 'pool'>,
  attempt: LoginAttempt,
): Promise<void> {
  await pool.query({
    name: 'login-failure',
    text: `
      INSERT INTO login_failures AS f (key, window_start, failures)
      SELECT key, now(), 1 FROM unnest($1::text[]) AS key ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN f.window_start > now() - make_interval(secs => $2) THEN f.failures + 1 ELSE 1 END,
        window_start = CASE WHEN f.window_start > now() - make_interval(secs => $2) THEN f.window_start ELSE now() END`,
    values: [[...budgetsOf(attempt).keys()], WINDOW_SECONDS],
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

/** Keys are hashes: what people type by mistake does not belong into a table. */
function budgetsOf({ kind, id, address }: LoginAttempt): ReadonlyMap<string, number> {
  const network = networkOf(address)
  return new Map([
    [hashOf('id', kind, id, network), FAILURES_PER_ID],
    [hashOf('address', network), FAILURES_PER_ADDRESS],
  ])
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
