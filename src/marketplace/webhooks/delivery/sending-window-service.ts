import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Deps } from '../../../deps.ts'
import type { StoredEvent } from '../../events/event-record.ts'

/** A window ends by itself after this time, in case its process was killed. */
const WINDOW_LEASE_MS = 10_000
/** How much longer the lease of a delivery is than an attempt can take. */
const LEASE_RESERVE_SECONDS = 10
/** The most requests that one endpoint has in flight. */
export const PLACES = 4
export const PLACES_UNPROVEN = 1
/**
 * How long a success proves that an endpoint works, so that it may have more requests in flight.
 */
const PROVEN_MS = 10_000

/** SQL: how many requests an endpoint may have in flight, at a time that is a parameter. */
export const placesAt = (time: string) => `
  CASE WHEN slow OR failures > 0
      OR coalesce(last_success_at < ${time}::timestamptz - interval '${PROVEN_MS} ms', true)
    THEN ${PLACES_UNPROVEN} ELSE ${PLACES} END`

/**
 * SQL: a column that makes the transaction end without waiting for the disk. For windows and
 * attempts: if Postgres crashes and loses the last of them, some events are sent once more.
 */
export const UNSYNCED = "set_config('synchronous_commit', 'off', true) AS synced"

/**
 * SQL: whether a delivery waits, for statements that name it by its id. With `status`, the indexes
 * of what waits fit, too: while the statistics of Postgres are of a time when nothing waited, it
 * takes reading such an index whole for the cheaper way.
 */
export const WAITS = 'finished_at IS NULL'

type WindowDeps = { pool: Pool; now: () => Date }

/** The right to send what is due at one endpoint, with what sending needs. */
export type SendingWindow = {
  windowId: string
  endpointId: string
  appId: string
  developerId: string
  url: string
  ordered: boolean
  secret: Uint8Array
  previousSecret: Uint8Array | null
  previousSecretUntil: Date | null
  headers: Uint8Array | null
  /** How many requests may be in flight at once, those of earlier windows included. */
  places: number
  /** Requests of earlier windows that are still in flight, in any process. */
  inFlight: number
}

/** A delivery that is due. The process that has the endpoint's window makes the attempt. */
export type DueDelivery = {
  id: string
  /** How many attempts were made before this one. */
  attempts: number
  tries: number
  event: StoredEvent
  /** The trace of the change that the event is about. */
  traceparent: string | null
}

const END = 'installation.deleted'

/** Whether a delivery tells that its installation is gone: nothing else is sent of it afterwards. */
export function tellsOfEnd({ event }: DueDelivery): boolean {
  return event.type === END
}

/**
 * Takes the window of an endpoint.
 *
 * @returns undefined when there is none to take: another one is open, or the endpoint rests or is
 *   disabled
 */
export async function openWindow(
  { pool, now }: WindowDeps,
  endpointId: string,
): Promise<SendingWindow | undefined> {
  const windowId = randomUUID()
  const time = now()
  const { rows } = await pool.query<Omit<SendingWindow, 'windowId' | 'endpointId'>>(
    `UPDATE webhook_endpoints SET window_id = $2, window_until = $4
     WHERE id = $1 AND disabled_at IS NULL AND coalesce(resting_until <= $3, true)
       AND coalesce(window_until <= $3, true)
     RETURNING app_id AS "appId", developer_id AS "developerId", url, ordered, secret, headers,
       previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntil",
       ${placesAt('$3')} AS places,
       (SELECT count(*)::int FROM webhook_deliveries d
        WHERE d.endpoint_id = $1 AND d.lease IS NOT NULL AND d.lease_until > $3) AS "inFlight",
       ${UNSYNCED}`,
    [endpointId, windowId, time, new Date(time.getTime() + WINDOW_LEASE_MS)],
  )
  const [taken] = rows
  return taken && { windowId, endpointId, ...taken }
}

/** Ends a window, unless its time was over and another process has the next one. */
export async function closeWindow(
  { pool }: Pick<WindowDeps, 'pool'>,
  { windowId, endpointId }: SendingWindow,
): Promise<void> {
  await pool.query(
    `UPDATE webhook_endpoints SET window_id = NULL, window_until = NULL WHERE id = $1 AND window_id = $2
     RETURNING ${UNSYNCED}`,
    [endpointId, windowId],
  )
}

/**
 * Leases deliveries whose attempts go on after the window, so that no other process sends them.
 * Deliveries that another transaction is changing are skipped: it ends or cancels them. Until it is
 * done, only this process knows that they are being sent.
 */
export async function leaseDeliveries(
  { pool, now, config }: WindowDeps & Pick<Deps, 'config'>,
  { windowId }: SendingWindow,
  ids: readonly string[],
): Promise<void> {
  const leaseSeconds = config.webhookTimeoutSeconds + LEASE_RESERVE_SECONDS
  await pool.query(
    `UPDATE webhook_deliveries SET lease = $2, lease_until = $3
     WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries WHERE id = ANY ($1::uuid[]) AND ${WAITS}
       FOR UPDATE SKIP LOCKED
     ))
     RETURNING ${UNSYNCED}`,
    [ids, windowId, new Date(now().getTime() + leaseSeconds * 1000)],
  )
}

/** Gives back deliveries whose attempts were interrupted. */
export async function releaseDeliveries(
  { pool }: Pick<WindowDeps, 'pool'>,
  ids: readonly string[],
): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries SET lease = NULL, lease_until = NULL
     WHERE id = ANY ($1::uuid[]) AND lease IS NOT NULL`,
    [ids],
  )
}

/** How many installations one read steps through on each side of its beginning: 50 ms of work. */
const STEPS_AT_ONCE = 5_000

/** SQL: the installations with a request in flight, which need not be their first unfinished one. */
const BUSY = `
  SELECT installation_id, type FROM webhook_deliveries
  WHERE endpoint_id = $1 AND lease IS NOT NULL AND lease_until > $2
  UNION ALL
  SELECT installation_id, type FROM webhook_deliveries WHERE id = ANY ($4::uuid[])`

/**
 * Deliveries that are due, the longest waiting first. While the end of an installation is on its
 * way, nothing else of it is: the receiver may have taken the end.
 */
const DUE = `
  SELECT * FROM webhook_deliveries
  WHERE endpoint_id = $1 AND status = 'pending' AND due_at <= $2
    AND coalesce(lease_until <= $2, true) AND NOT (id = ANY ($4::uuid[]))
    AND coalesce(installation_id <> ALL (ARRAY(
      SELECT installation_id FROM (${BUSY}) AS busy WHERE type = '${END}'
    )), true)
  ORDER BY due_at, position LIMIT $3`

/** SQL: whether the first unfinished delivery `head` of an installation can be sent. */
const CAN_BE_SENT = `due_at <= $2 AND NOT EXISTS (
    SELECT FROM busy WHERE busy.installation_id IS NOT DISTINCT FROM head.installation_id
  )`

/**
 * SQL: the first waiting delivery of each installation whose id fits a condition: a skip scan over
 * the index of waiting deliveries, one step per installation. It ends as soon as enough was read.
 */
const firstWaiting = (isInRange: string) => `
  SELECT * FROM (
    WITH RECURSIVE first AS (
      (SELECT *, 1 AS step FROM webhook_deliveries
       WHERE endpoint_id = $1 AND status = 'pending' AND ${isInRange}
       ORDER BY installation_id, position LIMIT 1)
      UNION ALL
      SELECT next.*, first.step + 1 FROM first CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status = 'pending' AND ${isInRange}
          AND installation_id > first.installation_id
        ORDER BY installation_id, position LIMIT 1
      ) AS next
      WHERE first.step < ${STEPS_AT_ONCE}
    )
    SELECT * FROM first
  ) AS head WHERE ${CAN_BE_SENT}`

/**
 * Due deliveries that are the first unfinished one of their installation, where the installation has
 * no request in flight. The installations stand in a circle by their ids; each read begins at another
 * place of it ($5), so that all get a window. To find the longest waiting ones would mean to look at
 * all installations for each read.
 */
const DUE_IN_ORDER = `
  WITH busy AS MATERIALIZED (${BUSY})
  SELECT * FROM (
    SELECT *, 0 AS step FROM (
      SELECT * FROM webhook_deliveries
      WHERE endpoint_id = $1 AND status = 'pending' AND installation_id IS NULL
      ORDER BY position LIMIT 1
    ) AS head WHERE ${CAN_BE_SENT}
    UNION ALL ${firstWaiting('installation_id > $5')}
    UNION ALL ${firstWaiting('installation_id <= $5')}
  ) AS head LIMIT $3`

type DueRow = Pick<DueDelivery, 'id' | 'attempts' | 'tries' | 'traceparent'> &
  Omit<StoredEvent, 'id' | 'position'> & { eventId: string; position: string }

/**
 * Reads what is due, up to a number, the longest waiting first; in order, the longest waiting of
 * some installations. Writes nothing: only the process that has the window sends, and requests of
 * earlier windows have leases.
 *
 * @param except deliveries whose attempts are not recorded yet
 */
export async function readDue(
  { pool, now }: WindowDeps,
  { endpointId, ordered }: SendingWindow,
  { most, except }: { most: number; except: readonly string[] },
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<DueRow>(
    `SELECT d.id, d.attempts, d.tries, e.id AS "eventId", e.type, e.at,
       e.position::text AS position, e.app_id AS "appId", e.installation_id AS "installationId",
       e.party_id AS "partyId", e.party_type AS "partyType", e.sequence,
       e.endpoint_id AS "endpointId", e.data, e.traceparent
     FROM (${ordered ? DUE_IN_ORDER : DUE}) AS d JOIN events e ON e.id = d.event_id
     ORDER BY d.due_at, d.position`,
    [endpointId, now(), most, except, ...(ordered ? [randomUUID()] : [])],
  )
  return rows.map(dueOf)
}

function dueOf({ id, attempts, tries, traceparent, eventId, position, ...event }: DueRow) {
  const due = { id, attempts, tries, traceparent }
  return { ...due, event: { ...event, id: eventId, position: BigInt(position) } }
}
