import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { StoredEvent } from '../../events/event-record.ts'

/** A turn that was not ended is over after this time: its process was killed. */
const TURN_LEASE_MS = 5_000
/** Longer than an attempt can take. */
const DELIVERY_LEASE_MS = 30_000
/** Requests that one endpoint has in flight at most; one while it is slow or failing. */
export const PLACES = 'CASE WHEN slow OR failures > 0 THEN 1 ELSE 4 END'

/**
 * SQL that ends a transaction without waiting for the disk, as a column of what it returns. For turns,
 * claims and attempts: a crash of Postgres that loses the last of them sends some events once more.
 */
export const UNSYNCED = "set_config('synchronous_commit', 'off', true) AS synced"

type TurnDeps = { pool: Pool; now: () => Date }

/** The right to send what is due at one endpoint, and what is needed for it. */
export type Turn = {
  turn: string
  endpointId: string
  appId: string
  developerId: string
  url: string
  ordered: boolean
  secret: Uint8Array
  previousSecret: Uint8Array | null
  previousSecretUntil: Date | null
  headers: Uint8Array | null
  /** Requests that may be in flight at once, those of former turns included. */
  places: number
  /** Requests of former turns that are still in flight, in whichever process. */
  inFlight: number
}

/** A delivery whose attempt is ours to make. */
export type ClaimedDelivery = {
  id: string
  lease: string
  tries: number
  event: StoredEvent
  /** The trace of the change that the event tells of. */
  traceparent: string | null
}

/**
 * Takes the turn of an endpoint. While somebody else has it, that one is told to go on afterwards.
 *
 * @returns undefined when there is no turn to be had
 */
export async function beginTurn(
  { pool, now }: TurnDeps,
  endpointId: string,
): Promise<Turn | undefined> {
  const turn = randomUUID()
  const time = now()
  const { rows } = await pool.query<Omit<Turn, 'turn' | 'endpointId'> & { isOurs: boolean }>(
    `UPDATE webhook_endpoints SET
       turn_wanted = turn IS NOT NULL AND turn_until > $3,
       turn = CASE WHEN turn IS NOT NULL AND turn_until > $3 THEN turn ELSE $2 END,
       turn_until = CASE WHEN turn IS NOT NULL AND turn_until > $3 THEN turn_until ELSE $4 END
     WHERE id = $1 AND disabled_at IS NULL AND coalesce(resting_until <= $3, true)
     RETURNING turn = $2 AS "isOurs", app_id AS "appId", developer_id AS "developerId", url, ordered, secret, headers,
       previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntil",
       ${PLACES} AS places,
       (SELECT count(*)::int FROM webhook_deliveries d
        WHERE d.endpoint_id = $1 AND d.lease IS NOT NULL AND d.lease_until > $3) AS "inFlight",
       ${UNSYNCED}`,
    [endpointId, turn, time, new Date(time.getTime() + TURN_LEASE_MS)],
  )
  const [row] = rows
  if (row === undefined || !row.isOurs) return undefined
  const { isOurs: _isOurs, ...taken } = row
  return { turn, endpointId, ...taken }
}

/**
 * Ends a turn, and gives back the deliveries that were claimed and not begun.
 *
 * @returns whether somebody asked for a turn meanwhile
 */
export async function endTurn(
  { pool }: Pick<TurnDeps, 'pool'>,
  { turn, endpointId }: Turn,
  unused: readonly ClaimedDelivery[],
): Promise<boolean> {
  const { rows } = await pool.query<{ wanted: boolean }>(
    `WITH freed AS (
       UPDATE webhook_deliveries SET lease = NULL, lease_until = NULL WHERE lease = ANY ($3::uuid[])
     )
     UPDATE webhook_endpoints SET turn = NULL, turn_until = NULL WHERE id = $1 AND turn = $2
     RETURNING turn_wanted AS wanted, ${UNSYNCED}`,
    [endpointId, turn, unused.map(({ lease }) => lease)],
  )
  return rows[0]?.wanted ?? false
}

/** Gives back deliveries whose attempts were broken off. */
export async function releaseDeliveries(
  { pool }: Pick<TurnDeps, 'pool'>,
  leases: readonly string[],
): Promise<void> {
  await pool.query(
    'UPDATE webhook_deliveries SET lease = NULL, lease_until = NULL WHERE lease = ANY ($1::uuid[])',
    [leases],
  )
}

const CLAIMED = `
  d.id, d.lease, d.tries, d.due_at AS "dueAt", e.id AS "eventId", e.type, e.at,
  e.position::text AS position, e.app_id AS "appId", e.installation_id AS "installationId",
  e.party_id AS "partyId", e.party_type AS "partyType", e.sequence, e.endpoint_id AS "endpointId",
  e.data, e.traceparent`

type ClaimedRow = Pick<ClaimedDelivery, 'id' | 'lease' | 'tries' | 'traceparent'> &
  Omit<StoredEvent, 'id' | 'position'> & { dueAt: Date; eventId: string; position: string }

/** What is due, the longest waiting first. */
const DUE = `
  SELECT id FROM webhook_deliveries
  WHERE endpoint_id = $1 AND status = 'pending' AND due_at <= $2
    AND coalesce(lease_until <= $2, true)
  ORDER BY due_at, position LIMIT $4 FOR UPDATE SKIP LOCKED`

/**
 * What is due and the first of its installation that is not done: a skip scan over the index of
 * what waits, one step per installation.
 */
const DUE_IN_ORDER = `
  SELECT id FROM (
    WITH RECURSIVE first AS (
      (SELECT * FROM webhook_deliveries
       WHERE endpoint_id = $1 AND status = 'pending' AND installation_id IS NOT NULL
       ORDER BY installation_id, position LIMIT 1)
      UNION ALL
      SELECT next.* FROM first CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status = 'pending' AND installation_id > first.installation_id
        ORDER BY installation_id, position LIMIT 1
      ) AS next
    )
    SELECT * FROM first
    UNION ALL
    (SELECT * FROM webhook_deliveries
     WHERE endpoint_id = $1 AND status = 'pending' AND installation_id IS NULL
     ORDER BY position LIMIT 1)
  ) AS head
  WHERE due_at <= $2 AND coalesce(lease_until <= $2, true)
  ORDER BY due_at, position LIMIT $4`

/** Claims deliveries that are due, up to a number, the longest waiting first. */
export async function claimDeliveries(
  { pool, now }: TurnDeps,
  { endpointId, ordered }: Turn,
  most: number,
): Promise<ClaimedDelivery[]> {
  const time = now()
  const { rows } = await pool.query<ClaimedRow>(
    `WITH due AS (${ordered ? DUE_IN_ORDER : DUE})
     UPDATE webhook_deliveries d SET lease = gen_random_uuid(), lease_until = $3
     FROM due, events e
     WHERE d.id = due.id AND e.id = d.event_id
       AND d.status = 'pending' AND coalesce(d.lease_until <= $2, true)
     RETURNING ${CLAIMED}, ${UNSYNCED}`,
    [endpointId, time, new Date(time.getTime() + DELIVERY_LEASE_MS), most],
  )
  return rows.sort(byDueTime).map(claimedOf)
}

function byDueTime(left: ClaimedRow, right: ClaimedRow): number {
  return (
    left.dueAt.getTime() - right.dueAt.getTime() || Number(left.position) - Number(right.position)
  )
}

function claimedOf(row: ClaimedRow): ClaimedDelivery {
  const { id, lease, tries, traceparent, dueAt: _dueAt, eventId, position, ...event } = row
  return {
    id,
    lease,
    tries,
    traceparent,
    event: { ...event, id: eventId, position: BigInt(position) },
  }
}
