import type { ClientBase } from 'pg'
import type { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { tell, tellSql } from '../notifications/tell-service.ts'
import type { AuditAction } from './audit-actions.ts'

export type AuditEntry = {
  actor: Actor
  action: AuditAction
  subject: { kind: string; id: string | number }
  /** The developer and the party that the entry concerns: they may read it. */
  developerId?: string | undefined
  partyId?: number | undefined
  /** Fields before and after, without secrets. */
  before?: Prisma.InputJsonObject | undefined
  after?: Prisma.InputJsonObject | undefined
}

/**
 * Writes an entry of the audit trail, and tells those whom it concerns. Called in the transaction of
 * the change itself, so that there is no change without its entry.
 *
 * @param db the transaction; the database itself where the entry is all that is written
 */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, developerId, partyId, before, after } = entry
  await db.auditEvent.create({
    data: {
      actorKind: actor.kind,
      actorId: actor.id,
      actorDeveloperId: actor.developerId ?? null,
      address: actor.address,
      action,
      subjectKind: subject.kind,
      subjectId: nameOf(subject.id),
      developerId: developerId ?? null,
      partyId: partyId ?? null,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  })
  await tell(db, entry)
}

/** Records an entry, and tells of it, in a transaction of hand-written SQL. */
export async function recordAuditSql(client: ClientBase, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, developerId, partyId, before, after } = entry
  await client.query(
    `INSERT INTO audit_events (actor_kind, actor_id, address, action, subject_kind, subject_id,
       developer_id, party_id, before, after, actor_developer_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      actor.kind,
      actor.id,
      actor.address,
      action,
      subject.kind,
      nameOf(subject.id),
      developerId ?? null,
      partyId ?? null,
      before === undefined ? null : JSON.stringify(before),
      after === undefined ? null : JSON.stringify(after),
      actor.developerId ?? null,
    ],
  )
  await tellSql(client, entry)
}

/** The id of a subject in lower case, as the database has it, whatever the client wrote. */
function nameOf(id: string | number): string {
  return String(id).toLowerCase()
}
