import type { ClientBase } from 'pg'
import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import { currentTrace } from '../../base/traces/trace.ts'
import type { PartyType } from '../../base/values/party-type.ts'
import type {
  AppEventType,
  EndpointEventType,
  EventDetails,
  EventType,
  InstallationEventType,
  SecretEventType,
} from './event-types.ts'

/**
 * Writes an event of an installation with its next sequence number. Called in the transaction of
 * the change, which holds the installation's row: numbers are given in the order of the changes,
 * and an event whose change is undone leaves no gap. Before the row is written for the last time:
 * an uninstalled installation never changes.
 *
 * The row is all that is written: those that wait for their numbers are looked for many times a
 * second. A job or a notification for each would take longer than the event itself, and the commits
 * of transactions that notify wait for each other.
 */
export async function recordInstallationEvent<Type extends InstallationEventType>(
  tx: Db,
  type: Type,
  installationId: string,
  details: EventDetails<Type>,
): Promise<void> {
  requireWritten(await tx.$executeRaw(insertOf(type, installationId, details)))
}

/** Writes an event of an installation in a transaction of hand-written SQL. */
export async function recordInstallationEventSql<Type extends InstallationEventType>(
  client: ClientBase,
  type: Type,
  installationId: string,
  details: EventDetails<Type>,
): Promise<void> {
  const { text, values } = insertOf(type, installationId, details)
  requireWritten((await client.query(text, values)).rowCount)
}

function insertOf(type: InstallationEventType, installationId: string, details: object) {
  return Prisma.sql`
    WITH counted AS (
      UPDATE installations SET event_sequence = event_sequence + 1
      WHERE id = ${installationId}::uuid
      RETURNING developer_id, app_id, id, party_id, party_type, event_sequence
    )
    INSERT INTO events
      (developer_id, app_id, installation_id, party_id, party_type, sequence, type, data,
       traceparent)
    SELECT developer_id, app_id, id, party_id, party_type, event_sequence,
      ${type}, ${JSON.stringify(details)}::jsonb, ${currentTrace()?.traceparent ?? null}::text
    FROM counted`
}

function requireWritten(count: number | null): void {
  if (count === 0) throw new Error('an event of an installation that is not there')
}

/** An installation that was made with `eventSequence: FIRST_SEQUENCE`, in the same transaction. */
type NewInstallation = {
  id: string
  developerId: string
  appId: string
  partyId: number
  partyType: PartyType
}

export const FIRST_SEQUENCE = 1

/** Writes the first event of an installation: its row is new, so there is nothing to count up. */
export async function recordFirstEvent<Type extends InstallationEventType>(
  tx: Db,
  type: Type,
  { id, developerId, appId, partyId, partyType }: NewInstallation,
  details: EventDetails<Type>,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO events
      (developer_id, app_id, installation_id, party_id, party_type, sequence, type, data,
       traceparent)
    VALUES (${developerId}::uuid, ${appId}, ${id}::uuid, ${partyId}, ${partyType}::"PartyType",
      ${FIRST_SEQUENCE}, ${type}, ${JSON.stringify(details)}::jsonb,
      ${currentTrace()?.traceparent ?? null})`
}

type Subject = { appId: string | null; developerId: string }
type AppSubject = Subject & { appId: string }

/** Writes an event of an app, in the transaction of the change, which holds the app's row. */
export async function recordAppEvent<Type extends AppEventType>(
  tx: Db,
  type: Type,
  subject: AppSubject,
): Promise<void> {
  await insertEvent(tx, type, subject, {})
}

/**
 * Writes an event of a webhook endpoint, in the transaction of the change.
 *
 * @returns the id of the event
 */
export async function recordEndpointEvent<Type extends EndpointEventType>(
  tx: Db,
  type: Type,
  subject: AppSubject & { endpointId: string },
  details: EventDetails<Type>,
): Promise<string> {
  return insertEvent(tx, type, subject, details)
}

/** Writes an event of a secret, in the transaction that ends it. */
export async function recordSecretEvent<Type extends SecretEventType>(
  tx: Db,
  type: Type,
  subject: Subject,
  details: EventDetails<Type>,
): Promise<void> {
  await insertEvent(tx, type, subject, details)
}

async function insertEvent(
  tx: Db,
  type: EventType,
  { appId, developerId, endpointId }: Subject & { endpointId?: string },
  data: object,
): Promise<string> {
  const { id } = await tx.event.create({
    data: {
      appId,
      developerId,
      endpointId: endpointId ?? null,
      type,
      data,
      traceparent: currentTrace()?.traceparent ?? null,
    },
    select: { id: true },
  })
  return id
}
