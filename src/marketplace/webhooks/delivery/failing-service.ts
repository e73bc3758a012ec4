import { inTransaction } from '../../../base/database/transaction.ts'
import { SYSTEM } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { ignoring } from '../../../errors.ts'
import { tell } from '../../../identity/notifications/tell-service.ts'
import { recordEndpointEvent } from '../../events/record-event-service.ts'
import { disablesAt, failingStep, type NoticePercent } from '../attempts/retry-schedule.ts'
import { disableEndpoint } from '../endpoints/disable-endpoint-service.ts'
import type { EndpointSubject, StoredEndpoint } from '../endpoints/read-endpoints-service.ts'
import type { EndpointState } from './record-attempt-service.ts'

type FailingDeps = Pick<Deps, 'db' | 'pool' | 'now'>

/** An endpoint, and the URL that was tried. It may have another one by now, which starts afresh. */
type TriedEndpoint = EndpointSubject & { url: string }

/**
 * Takes the next step with an endpoint whose attempt has failed: a notice after 50, 70 and 90
 * percent of five days; after five days it is disabled.
 */
export async function followFailing(
  deps: FailingDeps,
  tried: TriedEndpoint,
  { failingSince, noticedPercent }: EndpointState,
): Promise<void> {
  if (failingSince === null) return
  const step = failingStep(failingSince, deps.now(), noticedPercent)
  if (step === 'disable') {
    const isSame = (one: Date | null) => one?.getTime() === failingSince.getTime()
    await end(deps, tried, 'failing', (endpoint) => isSame(endpoint.failingSince))
  } else if (step !== undefined) await giveNotice(deps, tried, failingSince, step)
}

/** Disables an endpoint that answered 410. */
export function endGone(deps: FailingDeps, tried: TriedEndpoint): Promise<void> {
  return end(deps, tried, 'gone')
}

async function end(
  deps: FailingDeps,
  tried: TriedEndpoint,
  reason: 'failing' | 'gone',
  isMeant: (endpoint: StoredEndpoint) => boolean = () => true,
): Promise<void> {
  const isTried = (endpoint: StoredEndpoint) => endpoint.url === tried.url && isMeant(endpoint)
  // It may have been deleted meanwhile.
  await ignoring('not_found', disableEndpoint(deps, tried, reason, SYSTEM, isTried))
}

/** Gives a notice once: attempts that end together reach the same step. */
async function giveNotice(
  { db }: FailingDeps,
  tried: TriedEndpoint,
  failingSince: Date,
  percent: NoticePercent,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: {
        id: tried.endpointId,
        url: tried.url,
        noticedPercent: { lt: percent },
        failingSince,
        disabledAt: null,
      },
      data: { noticedPercent: percent },
    })
    if (count === 0) return
    await recordEndpointEvent(tx, 'webhook.failing', tried, {
      percent,
      failingSince: failingSince.toISOString(),
      disablesAt: disablesAt(failingSince).toISOString(),
    })
    const { appId, developerId, endpointId: id } = tried
    const subject = { kind: 'webhook', id }
    await tell(tx, {
      actor: SYSTEM,
      action: 'webhook.failing',
      subject,
      developerId,
      after: { appId },
    })
  })
}
