import { inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { recordEndpointEvent } from '../../events/record-event-service.ts'
import { newSecret } from '../attempts/signature.ts'
import { endRest } from './end-rest-service.ts'
import type { EndpointWithSecret } from './endpoint.ts'
import { ROTATION_MS, sealSecret } from './endpoint-secrets.ts'
import {
  ENDPOINT_COLUMNS,
  type EndpointAndRevision,
  type EndpointToChange,
  endpointRecord,
  lockEndpoint,
  requireEnabled,
} from './read-endpoints-service.ts'

type ActionDeps = Pick<Deps, 'db' | 'pool' | 'secrets' | 'now' | 'log'>

/**
 * Gives an endpoint a new secret, which is shown only now. The previous one also signs for 24
 * hours; an older one ends at once.
 *
 * @throws AppError not_found
 */
export async function rotateSecret(
  { db, secrets, now }: ActionDeps,
  subject: EndpointToChange,
  actor: Actor,
): Promise<{ endpoint: EndpointWithSecret; revision: number }> {
  return inTransaction(db, async (tx) => {
    const { id, appId, developerId } = await lockEndpoint(tx, subject)
    const former = await tx.webhookEndpoint.findUniqueOrThrow({
      where: { id },
      select: { secret: true, secretSha256: true },
    })
    const secret = newSecret()
    const row = await tx.webhookEndpoint.update({
      where: { id },
      data: {
        ...sealSecret(secrets, id, secret),
        previousSecret: former.secret,
        previousSecretSha256: former.secretSha256,
        previousSecretUntil: new Date(now().getTime() + ROTATION_MS),
        revision: { increment: 1 },
      },
      select: ENDPOINT_COLUMNS,
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.secret_rotated',
      subject: { kind: 'webhook', id },
      developerId,
      after: { appId },
    })
    const { endpoint, revision } = await endpointRecord({ db: tx, now }, row)
    return { endpoint: { ...endpoint, secret }, revision }
  })
}

/**
 * Sends a test event to an endpoint and to no other, also when it rests.
 *
 * @returns the id of the event
 * @throws AppError not_found; conflict when the endpoint is disabled
 */
export async function testEndpoint(
  { db, pool }: Pick<ActionDeps, 'db' | 'pool'>,
  subject: EndpointToChange,
): Promise<string> {
  const eventId = await inTransaction(db, async (tx) => {
    requireEnabled(await lockEndpoint(tx, subject))
    return recordEndpointEvent(tx, 'webhook.test', subject, {})
  })
  await endRest(pool, subject.endpointId)
  return eventId
}

/**
 * Enables an endpoint and forgets that it was failing. Events of the time in which it was disabled
 * are not sent; recovering sends them. Enabling it again changes nothing.
 *
 * @throws AppError not_found
 */
export async function enableEndpoint(
  deps: ActionDeps,
  subject: EndpointToChange,
  actor: Actor,
): Promise<EndpointAndRevision> {
  const { db, now } = deps
  return await inTransaction(db, async (tx) => {
    const before = await lockEndpoint(tx, subject)
    const { id, appId, developerId, disabledReason } = before
    const isFine = [before.disabledAt, before.failingSince, before.restingUntil].every(
      (time) => time === null,
    )
    if (isFine) return endpointRecord({ db: tx, now }, before)
    const row = await tx.webhookEndpoint.update({
      where: { id },
      data: {
        disabledAt: null,
        disabledReason: null,
        failingSince: null,
        failures: 0,
        noticedPercent: 0,
        restingUntil: null,
        slow: false,
        revision: { increment: 1 },
      },
      select: ENDPOINT_COLUMNS,
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.enabled',
      subject: { kind: 'webhook', id },
      developerId,
      before: { appId, disabledReason },
    })
    return endpointRecord({ db: tx, now }, row)
  })
}
