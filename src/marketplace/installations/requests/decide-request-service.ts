import { z } from 'zod'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { UserAuthor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { requireAdmin } from '../../../identity/accounts/members/party-members-service.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { type Consent, GivenConsent } from '../consent.ts'
import { explainingRefusals } from '../install-refusals-service.ts'
import { installIn } from '../install-service.ts'
import type { InstallRequestRecord } from './install-request.ts'
import { holdAppAndParty } from './install-requests-service.ts'
import { requestPasswordsContext } from './request-passwords.ts'
import { REQUEST_PARTS, type RequestRow, requestRecord } from './request-records-service.ts'

/** So many decided requests are kept: of one member, and of all members of an account. */
const KEPT = { member: 50, account: 500 }

type RequestOfParty = { partyId: number; requestId: string }
type Decision =
  | { status: 'accepted'; installationId: string }
  | { status: 'declined'; reason: string }
  | { status: 'withdrawn' }

const StoredSettings = z.record(z.string(), z.unknown())

/**
 * Installs what was asked for, as the admin who accepts it. Everything is checked again; the app
 * must still have the version that was looked at.
 *
 * @param consent what the admin accepts in the words that a page showed; else in those that the
 *   request names
 * @throws AppError not_found, admin_required; conflict when the request is decided already or the
 *   app has another version; unprocessable, acknowledgement_changed, already_installed
 */
export async function acceptInstallRequest(
  deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'measures'>,
  { userId, actor }: UserAuthor,
  { partyId, requestId }: RequestOfParty,
  consent?: Consent,
): Promise<InstallRequestRecord> {
  await requireAdmin(deps.db, userId, partyId)
  const asked = await deps.db.installRequest.findFirst({
    where: { id: requestId, partyId },
    select: { appId: true },
  })
  if (asked === null) throw unknownRequest()
  const accepted = await explainingRefusals(deps.db, { partyId, appId: asked.appId }, () =>
    inTransaction(deps.db, async (tx) => {
      const inTx = { ...deps, db: tx }
      await holdAppAndParty(tx, asked.appId, partyId)
      const row = await lockPending(tx, { partyId, requestId })
      const { appId, version, purchaseOptionId, membership } = row
      const installationId = await installIn(inTx, { party: membership.party }, actor, {
        appId,
        version,
        purchaseOptionId,
        userSettings: settingsOf(deps, row),
        ...(consent ?? GivenConsent.parse(row.consent)),
      })
      // Again: others may have held the request or the installation for long.
      await requireAdmin(tx, userId, partyId)
      return decide(inTx, row, { userId, actor }, { status: 'accepted', installationId })
    }),
  )
  deps.measures.installs += 1
  return accepted
}

/**
 * Tells who asked that the app is not installed, and why.
 *
 * @throws AppError not_found, admin_required; conflict when the request is decided already
 */
export async function declineInstallRequest(
  deps: Pick<Deps, 'db' | 'now'>,
  author: UserAuthor,
  { partyId, requestId }: RequestOfParty,
  { reason }: { reason: string },
): Promise<InstallRequestRecord> {
  return inTransaction(deps.db, async (tx) => {
    await requireAdmin(tx, author.userId, partyId)
    const row = await lockPending(tx, { partyId, requestId })
    // Again: others may have held the request for long.
    await requireAdmin(tx, author.userId, partyId)
    return decide({ ...deps, db: tx }, row, author, { status: 'declined', reason })
  })
}

/**
 * Takes back a request of one's own.
 *
 * @throws AppError not_found, also when somebody else asked; conflict when it is decided already
 */
export async function withdrawInstallRequest(
  deps: Pick<Deps, 'db' | 'now'>,
  author: UserAuthor,
  { partyId, requestId }: RequestOfParty,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const row = await lockPending(tx, { partyId, requestId, userId: author.userId })
    await decide({ ...deps, db: tx }, row, author, { status: 'withdrawn' })
  })
}

/** Locks a request that waits: of two who decide it at once, the second one finds it decided. */
async function lockPending(
  tx: Db,
  { partyId, requestId, userId }: RequestOfParty & { userId?: string },
): Promise<RequestRow> {
  await tx.$queryRaw`SELECT 1 FROM install_requests WHERE id = ${requestId}::uuid FOR UPDATE`
  const row = await tx.installRequest.findFirst({
    where: { id: requestId, partyId, ...(userId === undefined ? {} : { userId }) },
    include: REQUEST_PARTS,
  })
  if (row === null) throw unknownRequest()
  if (row.status === 'pending') return row
  throw new AppError('conflict', { detail: `The request is ${row.status} already.` })
}

/** Writes what has become of a request, and forgets its passwords and the oldest decided ones. */
async function decide(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { id, partyId, appId, userId }: RequestRow,
  { userId: decidedBy, actor }: UserAuthor,
  decision: Decision,
): Promise<InstallRequestRecord> {
  const { status, ...details } = decision
  const row = await tx.installRequest.update({
    where: { id },
    data: { ...decision, passwords: null, decidedBy, decidedAt: now() },
    include: REQUEST_PARTS,
  })
  await recordAudit(tx, {
    actor,
    action: `install_request.${status}`,
    subject: { kind: 'install_request', id },
    partyId,
    after: { appId, userId, ...details },
  })
  await forgetOldRequests(tx, row)
  return requestRecord({ db: tx }, row)
}

/** All settings of a request, with its passwords in clear. */
function settingsOf({ secrets }: Pick<Deps, 'secrets'>, row: RequestRow): Record<string, unknown> {
  const open = StoredSettings.parse(row.userSettings)
  if (row.passwords === null) return open
  const text = secrets.decrypt(row.passwords, requestPasswordsContext(row.id)).toString('utf8')
  return { ...open, ...StoredSettings.parse(JSON.parse(text)) }
}

function unknownRequest(): AppError {
  return new AppError('not_found', { detail: 'There is no such request.' })
}

/**
 * Forgets the oldest decided requests of a member, and then those of the account, beyond what is
 * kept: who asks and withdraws again and again pushes out only their own. The audit trail keeps
 * what became of them.
 *
 * @param tx a transaction; what another one forgets at this moment is left to that
 */
async function forgetOldRequests(
  tx: Db,
  { userId, partyId }: { userId: string; partyId: number },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM install_requests WHERE id IN (
      SELECT id FROM install_requests WHERE id IN (
        SELECT id FROM install_requests
        WHERE user_id = ${userId}::uuid AND party_id = ${partyId}::int AND status <> 'pending'
        ORDER BY decided_at DESC, id OFFSET ${KEPT.member})
      FOR UPDATE SKIP LOCKED)`
  await tx.$executeRaw`
    DELETE FROM install_requests WHERE id IN (
      SELECT id FROM install_requests WHERE id IN (
        SELECT id FROM install_requests WHERE party_id = ${partyId}::int AND status <> 'pending'
        ORDER BY decided_at DESC, id OFFSET ${KEPT.account})
      FOR UPDATE SKIP LOCKED)`
}
