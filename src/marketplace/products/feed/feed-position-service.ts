import { createHash } from 'node:crypto'
import type { Position } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { TOMBSTONE_DAYS } from '../catalogue-change-service.ts'

/** A longer position is stored, so that its cursor fits into every address and header. */
const PLACE_MAX_LENGTH = 700
/** How many positions are kept for one installation, the newest ones. */
export const PLACES_MAX = 1_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

type FeedDeps = Pick<Deps, 'pool' | 'now'>

/**
 * Makes a position in the change feed short enough for a cursor. A position with many Sellers is
 * stored under its hash, so that all readers at that position share it. Old and surplus positions
 * are forgotten.
 */
export async function keepPosition(
  { pool, now }: FeedDeps,
  installationId: string,
  position: Position,
): Promise<Position> {
  const place = String(position[0] ?? '')
  if (place.length <= PLACE_MAX_LENGTH) return position
  const hash = createHash('sha256').update(place).digest('base64url')
  const time = now().getTime()
  const { rows } = await pool.query<{ isNew: boolean }>(
    `INSERT INTO feed_positions AS f (installation_id, hash, place, used_at)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (installation_id, hash) DO UPDATE SET used_at = excluded.used_at
     WHERE f.used_at < $5
     RETURNING xmax = 0 AS "isNew"`,
    // A reader that stays at its position need not write each time.
    [installationId, hash, place, new Date(time), new Date(time - HOUR_MS)],
  )
  if (rows[0]?.isNew) await forgetPositions({ pool, now }, installationId)
  return ['kept', hash]
}

async function forgetPositions({ pool, now }: FeedDeps, installationId: string): Promise<void> {
  // Other requests may clean up at the same time; none waits for another.
  await pool.query(
    `DELETE FROM feed_positions WHERE (installation_id, hash) IN (
       SELECT installation_id, hash FROM feed_positions WHERE installation_id = $1
       ORDER BY used_at DESC OFFSET ${PLACES_MAX} FOR UPDATE SKIP LOCKED)`,
    [installationId],
  )
  await pool.query(
    `DELETE FROM feed_positions WHERE (installation_id, hash) IN (
       SELECT installation_id, hash FROM feed_positions WHERE used_at < $1
       FOR UPDATE SKIP LOCKED)`,
    [new Date(now().getTime() - TOMBSTONE_DAYS * DAY_MS)],
  )
}

/**
 * The inverse of `keepPosition`.
 *
 * @throws AppError cursor_expired when the position was forgotten
 */
export async function recallPosition(
  { pool }: Pick<Deps, 'pool'>,
  installationId: string,
  position: Position,
): Promise<Position> {
  const [kept, hash] = position
  if (kept !== 'kept' || hash === undefined) return position
  const { rows } = await pool.query<{ place: string }>(
    'SELECT place FROM feed_positions WHERE installation_id = $1 AND hash = $2',
    [installationId, hash],
  )
  const [row] = rows
  if (row === undefined) {
    throw new AppError('cursor_expired', {
      detail: 'This cursor is no longer known. Begin again without a cursor.',
    })
  }
  return [row.place]
}
