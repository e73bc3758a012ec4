import type { PartyType } from '../../base/values/party-type.ts'
import type { Event } from './event-schemas.ts'

/** How long events are kept, and with them their deliveries. */
export const EVENTS_KEPT_DAYS = 30

/** A numbered row of the event log. A position comes as text from plain SQL. */
export type StoredEvent = {
  id: string
  type: string
  at: Date
  position: bigint | number | string | null
  /** Null for what belongs to no app. */
  appId: string | null
  installationId: string | null
  partyId: number | null
  partyType: PartyType | null
  sequence: number | null
  endpointId: string | null
  /** What this type of event tells beyond the columns. */
  data: unknown
}

/**
 * The event that a row stands for.
 *
 * @param publicUrl address of this marketplace, under which the records stand
 */
export function eventOf(row: StoredEvent, publicUrl: string): Event {
  if (row.position === null) throw new Error(`the event ${row.id} has no position yet`)
  return {
    id: row.id,
    type: row.type,
    timestamp: row.at.toISOString(),
    position: Number(row.position),
    data: { ...subjectOf(row, `${publicUrl}/v1/Developer`), ...(row.data as object) },
  } as Event
}

/**
 * The JSON text of an event: what is pulled, and the body that is delivered. A row has the same
 * bytes each time, for Postgres keeps the members of `data` in an order of its own.
 */
export function eventJson(row: StoredEvent, publicUrl: string): string {
  return JSON.stringify(eventOf(row, publicUrl))
}

function subjectOf(row: StoredEvent, base: string) {
  const { appId, installationId, partyId, partyType, sequence, endpointId } = row
  if (installationId !== null) {
    const url = `${base}/Installations/${installationId}`
    return { appId, installationId, partyId, partyType, sequence, url }
  }
  if (row.type === 'secret.reported') return { appId }
  const url = `${base}/Apps/${appId}`
  return endpointId === null
    ? { appId, url }
    : { appId, endpointId, url: `${url}/Webhooks/${endpointId}` }
}
