import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import { describeIssue, fieldErrors, unprocessable } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type FieldError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { endpointUrlProblems } from '../addresses/endpoint-url.ts'
import { newSecret } from '../attempts/signature.ts'
import { haveLongLog, removeDeliveries } from './delivery-batches-service.ts'
import { disableForDeletion } from './disable-endpoint-service.ts'
import {
  type EndpointPatch,
  type EndpointRequest,
  type EndpointWithSecret,
  endpointOf,
} from './endpoint.ts'
import { openHeaders, sealHeaders, sealSecret } from './endpoint-secrets.ts'
import {
  ENDPOINT_COLUMNS,
  type EndpointAndRevision,
  type EndpointToChange,
  endpointRecord,
  findEndpointToChange,
  holdEventLog,
  lockEndpoint,
  type StoredEndpoint,
} from './read-endpoints-service.ts'
import { requirePublicReceiver } from './receiver-check-service.ts'
import { StaticHeaders } from './static-headers.ts'

/** The places for endpoints of one app. */
const SLOTS = Array.from({ length: 16 }, (_, index) => index + 1)

type EndpointDeps = Pick<
  Deps,
  'db' | 'pool' | 'config' | 'secrets' | 'receiverLookup' | 'now' | 'log'
>

/**
 * Creates an endpoint of an app, with a secret that is shown only now. Requests that create
 * endpoints of one app take turns at the app's row.
 *
 * @throws AppError not_found; conflict when the app has the most it may have; unprocessable
 */
export async function createEndpoint(
  deps: EndpointDeps,
  { developerId, actor }: DeveloperAuthor,
  appId: string,
  { url, events = [], ordered = false, headers = {} }: EndpointRequest,
): Promise<{ endpoint: EndpointWithSecret; revision: number }> {
  const { db, config, secrets, now } = deps
  requireNoProblems(endpointUrlProblems(url, config.webhookAllowedPrivateHosts))
  await requirePublicReceiver(deps, developerId, url)
  const [id, secret] = [randomUUID(), newSecret()]
  const row = await inTransaction(db, async (tx) => {
    const slot = await takeSlot(tx, developerId, appId)
    const made = await tx.webhookEndpoint.create({
      data: {
        id,
        developerId,
        appId,
        slot,
        url,
        ordered,
        eventTypes: events,
        ...sealHeaders(secrets, id, headers),
        ...sealSecret(secrets, id, secret),
      },
      select: ENDPOINT_COLUMNS,
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.created',
      subject: { kind: 'webhook', id },
      developerId,
      after: auditedFields(made),
    })
    return made
  })
  return { endpoint: { ...endpointOf(row, 0, now()), secret }, revision: row.revision }
}

/**
 * Changes an endpoint. A new URL starts afresh: what is known about the health of the old one is
 * deleted.
 *
 * @throws AppError not_found, precondition_failed, unprocessable
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  { developerId, actor }: DeveloperAuthor,
  subject: Omit<EndpointToChange, 'developerId'>,
  patch: EndpointPatch,
): Promise<EndpointAndRevision> {
  const { db, now } = deps
  const meant: EndpointToChange = { developerId, ...subject }
  if (patch.url !== undefined) {
    const { url } = await findEndpointToChange(db, meant)
    if (patch.url !== url) await requirePublicReceiver(deps, developerId, patch.url)
  }
  return await inTransaction(db, async (tx) => {
    const before = await lockEndpoint(tx, meant)
    const data = await changesOf({ ...deps, db: tx }, before, patch)
    if (Object.keys(data).length === 0) return endpointRecord({ db: tx, now }, before)
    const after = await tx.webhookEndpoint.update({
      where: { id: before.id },
      data: { ...data, revision: { increment: 1 } },
      select: ENDPOINT_COLUMNS,
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.changed',
      subject: { kind: 'webhook', id: before.id },
      developerId,
      before: auditedFields(before),
      after: { ...auditedFields(after), changed: Object.keys(patch) },
    })
    return endpointRecord({ db: tx, now }, after)
  })
}

/**
 * Deletes an endpoint and its log. A log that is too long for one transaction is deleted first, in
 * parts, and the endpoint is disabled before. A deletion that is interrupted, or refused because
 * somebody enables the endpoint meanwhile, has lost a part of the log, and what waited in it; the
 * events are in the event log.
 *
 * @throws AppError not_found, precondition_failed; unavailable when the log is too long for the time
 *   of one request: the same request again goes on
 */
export async function deleteEndpoint(
  deps: EndpointDeps,
  { developerId, actor }: DeveloperAuthor,
  subject: Omit<EndpointToChange, 'developerId'>,
): Promise<void> {
  const { db } = deps
  const meant: EndpointToChange = { developerId, ...subject }
  const { id } = await findEndpointToChange(db, meant)
  if (await haveLongLog(db, [id])) {
    await disableForDeletion(deps, meant, actor)
    await removeDeliveries(deps, [id])
  }
  await inTransaction(db, async (tx) => {
    await holdEventLog(tx, developerId)
    // Before the endpoint: who records an attempt holds the delivery first.
    await tx.webhookDelivery.deleteMany({ where: { endpointId: id } })
    const before = await lockEndpoint(tx, meant)
    await tx.webhookEndpoint.delete({ where: { id }, select: { id: true } })
    await recordAudit(tx, {
      actor,
      action: 'webhook.deleted',
      subject: { kind: 'webhook', id },
      developerId,
      before: auditedFields(before),
    })
  })
}

/** @throws AppError not_found; conflict when all slots are taken */
async function takeSlot(tx: Db, developerId: string, appId: string): Promise<number> {
  const apps = await tx.$queryRaw<object[]>`
    SELECT 1 FROM apps
    WHERE id = ${appId} AND developer_id = ${developerId}::uuid AND deleted_at IS NULL
    FOR NO KEY UPDATE`
  if (apps.length === 0) throw new AppError('not_found')
  const taken = await tx.webhookEndpoint.findMany({ where: { appId }, select: { slot: true } })
  const free = SLOTS.find((slot) => taken.every((one) => one.slot !== slot))
  if (free !== undefined) return free
  throw new AppError('conflict', {
    detail: `An app has at most ${SLOTS.length} webhook endpoints. Delete one first.`,
  })
}

/** The columns that a patch changes; none when it changes nothing. */
async function changesOf(
  { db: tx, config, secrets }: Pick<EndpointDeps, 'db' | 'config' | 'secrets'>,
  before: StoredEndpoint,
  { url, events, ordered, headers }: EndpointPatch,
): Promise<Prisma.WebhookEndpointUpdateInput> {
  if (url !== undefined) {
    requireNoProblems(endpointUrlProblems(url, config.webhookAllowedPrivateHosts))
  }
  const data: Prisma.WebhookEndpointUpdateInput = {}
  if (url !== undefined && url !== before.url) Object.assign(data, { url, ...UNTRIED })
  if (events !== undefined && !isDeepStrictEqual(events, before.eventTypes)) {
    data.eventTypes = events
  }
  if (ordered !== undefined && ordered !== before.ordered) data.ordered = ordered
  if (headers !== undefined) {
    const { id } = before
    const stored = await tx.webhookEndpoint.findUniqueOrThrow({
      where: { id },
      select: { id: true, headers: true },
    })
    const current = openHeaders(secrets, stored)
    const merged = mergedHeaders(current, headers)
    if (!isDeepStrictEqual(merged, current)) Object.assign(data, sealHeaders(secrets, id, merged))
  }
  return data
}

/** The health columns of an endpoint that was never tried. */
const UNTRIED = {
  failingSince: null,
  failures: 0,
  noticedPercent: 0,
  restingUntil: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailure: null,
  slow: false,
} as const satisfies Prisma.WebhookEndpointUpdateInput

/**
 * Merges a patch into the static headers. Names are compared without regard to case (RFC 9110,
 * 5.1).
 *
 * @throws AppError unprocessable when the result breaks the rules of static headers
 */
function mergedHeaders(current: StaticHeaders, patch: EndpointPatch['headers']): StaticHeaders {
  if (!patch) return {}
  const named = new Set(Object.keys(patch).map((name) => name.toLowerCase()))
  const kept = Object.entries(current).filter(([name]) => !named.has(name.toLowerCase()))
  const set = Object.entries(patch).filter(([, value]) => value !== null)
  const merged = StaticHeaders.safeParse(Object.fromEntries([...kept, ...set]), {
    error: describeIssue,
    reportInput: true,
  })
  if (merged.success) return merged.data
  requireNoProblems(
    fieldErrors(merged.error.issues).map(({ pointer, detail }) => ({
      pointer: `/headers${pointer}`,
      detail,
    })),
  )
  return {}
}

/** @throws AppError unprocessable naming the problems */
function requireNoProblems(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw unprocessable(errors)
}

/**
 * The fields for the audit trail. The path and query of a URL are left out, as the values of
 * headers are: they may hold a secret of the receiver.
 */
function auditedFields({ appId, url, eventTypes, ordered, headerNames }: StoredEndpoint) {
  return { appId, origin: new URL(url).origin, events: eventTypes, ordered, headerNames }
}
