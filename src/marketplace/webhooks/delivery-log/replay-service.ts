import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { endRestUnlessDisabled } from '../endpoints/end-rest-service.ts'
import { findEndpoint, requireEnabled } from '../endpoints/read-endpoints-service.ts'
import type { DeliveryWithAttempts } from './delivery.ts'
import { type DeliverySubject, deliveryRecord } from './read-deliveries-service.ts'

type ReplayDeps = Pick<Deps, 'db' | 'pool' | 'now' | 'log'>

/**
 * Makes a delivery due now, whatever its state. The count of its attempts continues; its retry
 * schedule begins again.
 *
 * @throws AppError not_found; conflict when the endpoint is disabled, the delivery is being sent,
 *   or the endpoint was told that the installation is gone
 */
export async function replayDelivery(
  deps: ReplayDeps,
  subject: DeliverySubject,
  actor: Actor,
): Promise<DeliveryWithAttempts> {
  const { db, now } = deps
  const replayed = await inTransaction(db, async (tx) => {
    const endpoint = await findEndpoint(tx, subject)
    requireEnabled(endpoint)
    const { endpointId, deliveryId: id } = subject
    // Before the lock: the end of a window cannot lease a delivery that is locked.
    await findResting(tx, subject, now())
    await tx.$queryRaw`SELECT 1 FROM webhook_deliveries WHERE id = ${id}::uuid FOR UPDATE`
    const delivery = await findResting(tx, subject, now())
    const { installationId, type } = delivery
    if (installationId !== null) {
      const deletion = await tx.webhookDelivery.count({
        where: {
          endpointId,
          status: 'succeeded',
          event: { installationId, type: 'installation.deleted' },
        },
      })
      if (deletion > 0) throw installationGone(type)
    }
    await tx.webhookDelivery.update({
      where: { id },
      data: { status: 'pending', dueAt: now(), finishedAt: null, tries: 0, ...NO_LEASE },
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.delivery_replayed',
      subject: { kind: 'webhook', id: endpointId },
      developerId: endpoint.developerId,
      after: { appId: endpoint.appId, deliveryId: id, eventId: delivery.eventId },
    })
    return deliveryRecord(tx, subject)
  })
  await endRestUnlessDisabled(deps, subject)
  return replayed
}

/**
 * Finds a delivery that is not being sent.
 *
 * @throws AppError not_found; conflict when it is being sent
 */
async function findResting(tx: Db, { endpointId, deliveryId: id }: DeliverySubject, now: Date) {
  const delivery = await tx.webhookDelivery.findFirst({
    where: { id, endpointId },
    include: { endpoint: { select: { windowUntil: true } } },
  })
  if (delivery === null) throw new AppError('not_found')
  if (isBeingSent(delivery, now)) {
    throw new AppError('conflict', { detail: 'The delivery is being sent just now.' })
  }
  return delivery
}

/** Whether the delivery is being sent: in the endpoint's window, or after it under a lease. */
function isBeingSent(
  {
    status,
    dueAt,
    leaseUntil,
    endpoint: { windowUntil },
  }: {
    status: string
    dueAt: Date | null
    leaseUntil: Date | null
    endpoint: { windowUntil: Date | null }
  },
  now: Date,
): boolean {
  const isInWindow = status === 'pending' && dueAt !== null && dueAt <= now
  return [leaseUntil, isInWindow ? windowUntil : null].some(
    (until) => until !== null && until > now,
  )
}

const NO_LEASE = { lease: null, leaseUntil: null }

function installationGone(type: string): AppError {
  return new AppError('conflict', {
    detail: `The endpoint has been told that the installation was uninstalled: nothing more is sent for it, not even a former ${type}.`,
  })
}
