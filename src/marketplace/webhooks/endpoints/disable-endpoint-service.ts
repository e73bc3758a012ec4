import { inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { recordEndpointEvent } from '../../events/record-event-service.ts'
import { failPending } from './delivery-batches-service.ts'
import type { Endpoint } from './endpoint.ts'
import {
  type EndpointAndRevision,
  type EndpointToChange,
  holdEventLog,
  lockEndpoint,
  readEndpoint,
  type StoredEndpoint,
} from './read-endpoints-service.ts'

type DisableDeps = Pick<Deps, 'db' | 'pool' | 'now'>

/**
 * Disables an endpoint: no further deliveries are made for it, and the waiting ones fail. Disabling
 * it again changes nothing; the first reason stays.
 *
 * @param isMeant whether the endpoint as it is now is still to be disabled
 * @throws AppError not_found, precondition_failed
 */
export async function disableEndpoint(
  deps: DisableDeps,
  subject: EndpointToChange,
  reason: NonNullable<Endpoint['disabledReason']>,
  actor: Actor,
  isMeant: (endpoint: StoredEndpoint) => boolean = () => true,
): Promise<EndpointAndRevision> {
  await markDisabled(deps, subject, { reason, actor, isMeant, revisions: 1 })
  await failPending(deps, subject.endpointId)
  return readEndpoint(deps, subject)
}

/**
 * Disables an endpoint whose deliveries are removed next. Its revision stays as it is, so that a
 * deletion that is interrupted can be sent again with the same `If-Match`.
 *
 * @throws AppError not_found, precondition_failed
 */
export async function disableForDeletion(
  deps: DisableDeps,
  subject: EndpointToChange,
  actor: Actor,
): Promise<void> {
  const isMeant = () => true
  await markDisabled(deps, subject, { reason: 'developer', actor, isMeant, revisions: 0 })
}

async function markDisabled(
  { db, now }: DisableDeps,
  subject: EndpointToChange,
  {
    reason,
    actor,
    isMeant,
    revisions,
  }: {
    reason: NonNullable<Endpoint['disabledReason']>
    actor: Actor
    isMeant: (endpoint: StoredEndpoint) => boolean
    /** By how many the revision rises. */
    revisions: 0 | 1
  },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdEventLog(tx, subject.developerId)
    const locked = await lockEndpoint(tx, subject)
    const { id, appId, developerId, disabledAt } = locked
    if (disabledAt !== null || !isMeant(locked)) return
    await tx.webhookEndpoint.update({
      where: { id },
      data: {
        disabledAt: now(),
        disabledReason: reason,
        revision: { increment: revisions },
      },
      select: { id: true },
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.disabled',
      subject: { kind: 'webhook', id },
      developerId,
      after: { appId, reason },
    })
    const endpoint = { appId, developerId, endpointId: id }
    await recordEndpointEvent(tx, 'webhook.disabled', endpoint, { reason })
  })
}
