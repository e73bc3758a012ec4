import type { Deps } from '../../deps.ts'
import { UNKNOWN } from '../audit/audit-record.ts'

type AuditDeps = Pick<Deps, 'auditCounts'>

/** A sign-in of a user: an entry of the audit trail for each address and hour. */
export function auditSignIn({ auditCounts }: AuditDeps, userId: string, address: string): void {
  auditCounts.add({
    actor: { kind: 'user', id: userId, address },
    action: 'user.signed_in',
    subject: { kind: 'user', id: userId },
    perAddress: true,
  })
}

/**
 * A wrong password or code: an entry for each user and hour, and one for all who are unknown, so that an
 * attack writes few.
 *
 * @param userId undefined when nobody has the email, or the user is suspended
 */
export function auditFailedSignIn(
  { auditCounts }: AuditDeps,
  userId: string | undefined,
  address: string | null,
): void {
  auditCounts.add({
    actor: { kind: 'user', id: null, address },
    action: 'user.sign_in_failed',
    subject: { kind: 'user', id: userId ?? UNKNOWN },
  })
}

/** Records a sign-in of a developer; developers read their own. */
export function auditDeveloperSignIn(
  { auditCounts }: AuditDeps,
  known: { id: string; developerId: string; clientId: string } | undefined,
  { succeeded, address }: { succeeded: boolean; address: string },
): void {
  auditCounts.add({
    actor: { kind: 'developer', id: succeeded ? (known?.clientId ?? null) : null, address },
    action: succeeded ? 'developer.signed_in' : 'developer.sign_in_failed',
    subject:
      known === undefined
        ? { kind: 'developer', id: UNKNOWN }
        : { kind: 'credential', id: known.id },
    developerId: known?.developerId,
    perAddress: succeeded,
  })
}
