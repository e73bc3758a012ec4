import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEndpointEvent } from '../../events/record-event-service.ts'
import { SYSTEM } from '../../values/actor.ts'
import { disablesAt, failingStep, type NoticePercent } from '../attempts/retry-schedule.ts'
import { disableEndpoint } from '../endpoints/disable-endpoint-service.ts'
import type { EndpointSubject } from '../endpoints/read-endpoints-service.ts'
import type { EndpointState } from './record-attempt-service.ts'

type FailingDeps = Pick<Deps, 'db' | 'pool' | 'now'>

/**
 * Takes the next step with an endpoint whose attempt has failed: a notice after 50, 70 and 90
 * percent of five days; after five days it is disabled.
 */
export async function followFailing(
  deps: FailingDeps,
  subject: EndpointSubject,
  { failingSince, noticedPercent }: EndpointState,
): Promise<void> {
  const step = failingSince && failingStep(failingSince, deps.now(), noticedPercent)
  if (!step) return
  if (step === 'disable') await end(deps, subject, 'failing')
  else await giveNotice(deps, subject, step)
}

/** Disables an endpoint that answered 410. */
export function endGone(deps: FailingDeps, subject: EndpointSubject): Promise<void> {
  return end(deps, subject, 'gone')
}

async function end(
  deps: FailingDeps,
  subject: EndpointSubject,
  reason: 'failing' | 'gone',
): Promise<void> {
  try {
    await disableEndpoint(deps, subject, reason, SYSTEM)
  } catch (error) {
    // The endpoint was deleted meanwhile.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}

/** Gives a notice once: attempts that end together reach the same step. */
async function giveNotice(
  { db }: FailingDeps,
  subject: EndpointSubject,
  percent: NoticePercent,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [row] = await tx.webhookEndpoint.updateManyAndReturn({
      where: {
        id: subject.endpointId,
        noticedPercent: { lt: percent },
        failingSince: { not: null },
        disabledAt: null,
      },
      data: { noticedPercent: percent },
      select: { failingSince: true },
    })
    if (row?.failingSince == null) return
    await recordEndpointEvent(tx, 'webhook.failing', subject, {
      percent,
      failingSince: row.failingSince.toISOString(),
      disablesAt: disablesAt(row.failingSince).toISOString(),
    })
  })
}
