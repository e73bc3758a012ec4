import type { Prisma } from '../../base/database/generated/client.ts'
import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../base/values/etags.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { recordInstallationEvent } from '../events/record-event-service.ts'
import {
  findInstallation,
  lockInstallation,
  type StoredInstallation,
  TOUCH,
} from './stored-installation-service.ts'

type Subject = {
  installationId: string
  where: Prisma.InstallationWhereInput
  actor: Actor
  /** Those that the caller means, if it sent any. */
  expectedRevisions?: ExpectedRevisions
}
type LifecycleDeps = Pick<Deps, 'db' | 'now'>

/**
 * Suspends an installation: its tokens are refused from the next request on, and no new ones are
 * made. Suspending it again changes at most the reason; a suspension by the operator stays the operator's.
 *
 * @throws AppError not_found, precondition_failed, conflict (also when uninstalled)
 */
export async function suspendInstallation(
  { db, now }: LifecycleDeps,
  { installationId, where, actor, expectedRevisions }: Subject,
  reason: string,
): Promise<StoredInstallation> {
  return inTransaction(db, async (tx) => {
    const stored = await lockInstallation(tx, installationId, where, expectedRevisions)
    const { row } = stored
    requireAuthority(row.suspendedBy, actor)
    if (row.suspendedBy === authorityOf(actor) && row.suspendedReason === reason) return stored
    await tx.installation.update({
      where: { id: installationId },
      data: {
        ...TOUCH,
        status: 'suspended',
        suspendedAt: row.suspendedAt ?? now(),
        suspendedReason: reason,
        suspendedBy: authorityOf(actor),
      },
    })
    await recordAudit(tx, {
      actor,
      action: 'installation.suspended',
      ...scopeOf(row),
      before: { status: row.status },
      after: { status: 'suspended', reason },
    })
    // Another reason alone changes nothing for the app, so there is no event.
    if (row.suspendedBy !== authorityOf(actor)) {
      await recordInstallationEvent(tx, 'installation.suspended', installationId, {
        by: authorityOf(actor),
      })
    }
    return findInstallation(tx, installationId, where)
  })
}

/**
 * Resumes a suspended installation; its tokens that have not expired work again.
 *
 * @throws AppError not_found, precondition_failed, conflict when the operator suspended it or it is
 *   uninstalled
 */
export async function resumeInstallation(
  { db }: LifecycleDeps,
  { installationId, where, actor, expectedRevisions }: Subject,
): Promise<StoredInstallation> {
  return inTransaction(db, async (tx) => {
    const stored = await lockInstallation(tx, installationId, where, expectedRevisions)
    const { row } = stored
    if (row.status === 'active') return stored
    requireAuthority(row.suspendedBy, actor)
    await tx.installation.update({
      where: { id: installationId },
      data: {
        ...TOUCH,
        status: 'active',
        suspendedAt: null,
        suspendedReason: null,
        suspendedBy: null,
      },
    })
    await recordAudit(tx, {
      actor,
      action: 'installation.resumed',
      ...scopeOf(row),
      before: { status: row.status },
      after: { status: 'active' },
    })
    await recordInstallationEvent(tx, 'installation.resumed', installationId, {
      by: authorityOf(actor),
    })
    return findInstallation(tx, installationId, where)
  })
}

/**
 * Uninstalls: final. Tokens are dead, stored passwords are erased; installing again makes a new
 * installation.
 *
 * @throws AppError not_found, precondition_failed, conflict when it is uninstalled already
 */
export async function uninstall(
  { db, now }: LifecycleDeps,
  { installationId, where, actor, expectedRevisions }: Subject,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { row } = await lockInstallation(tx, installationId, where, expectedRevisions)
    const uninstalledAt = now()
    await recordInstallationEvent(tx, 'installation.deleted', installationId, {
      uninstalledAt: uninstalledAt.toISOString(),
    })
    await tx.settingValue.deleteMany({ where: { installationId, secret: { not: null } } })
    await tx.installation.update({
      where: { id: installationId },
      data: { ...TOUCH, status: 'uninstalled', live: null, uninstalledAt },
    })
    await recordAudit(tx, {
      actor,
      action: 'installation.uninstalled',
      ...scopeOf(row),
      before: { status: row.status },
      after: { status: 'uninstalled' },
    })
  })
}

function authorityOf(actor: Actor): 'developer' | 'operator' {
  return actor.kind === 'developer' || actor.developerId !== undefined ? 'developer' : 'operator'
}

function requireAuthority(suspendedBy: string | null, actor: Actor): void {
  if (suspendedBy !== 'operator' || authorityOf(actor) === 'operator') return
  throw new AppError('conflict', {
    detail:
      "The marketplace's operator has suspended this installation; only the operator resumes it.",
  })
}

function scopeOf(row: StoredInstallation['row']) {
  return {
    subject: { kind: 'installation', id: row.id },
    developerId: row.developerId,
    partyId: row.partyId,
  }
}
