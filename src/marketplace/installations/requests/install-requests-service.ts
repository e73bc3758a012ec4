import { randomUUID } from 'node:crypto'
import { violatedConstraint } from '../../../base/database/failures.ts'
import { type Party, Prisma } from '../../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../../base/database/page-bytes.ts'
import { type Db, inSnapshot, inTransaction } from '../../../base/database/transaction.ts'
import type { UserAuthor } from '../../../base/values/actor.ts'
import { BY_CREATION, createdAfter, creationPosition } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { holdName } from '../../../identity/accounts/parties-service.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { consentOf } from '../consent.ts'
import { alreadyInstalled, liveInstallationId } from '../install-refusals-service.ts'
import { planInstall } from '../install-service.ts'
import type { InstallRequestRecord, NewInstallRequest } from './install-request.ts'
import { requestPasswordsContext, withPasswordsApart } from './request-passwords.ts'
import { REQUEST_PARTS, recordsFor, requestRecord } from './request-records-service.ts'

/** So many of one user wait in one account at most. */
const PENDING_MAX = 20

/**
 * Asks the admins of an account to install an app. It is checked as an install is.
 *
 * @throws AppError not_found when the user is no member of the account; unprocessable,
 *   acknowledgement_changed, already_installed, already_exists when a request for the app waits
 *   already; conflict also when the request names another version than the latest
 */
export async function createInstallRequest(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  { userId, actor }: UserAuthor,
  partyId: number,
  { note, ...request }: NewInstallRequest,
): Promise<InstallRequestRecord> {
  return refusingSecondRequest(() =>
    inTransaction(db, async (tx) => {
      await holdAppAndParty(tx, request.appId, partyId)
      const party = await lockOwnParty(tx, userId, partyId)
      const { app, profile, settings } = await planInstall(tx, { party }, request)
      const there = await liveInstallationId(tx, request.appId, partyId)
      if (there !== null) throw alreadyInstalled(there)
      await requireRoom(tx, userId, partyId)
      const id = randomUUID()
      const { open, passwords } = withPasswordsApart(profile, settings.values)
      const passwordKeys = Object.keys(passwords).sort()
      const text = Buffer.from(JSON.stringify(passwords))
      const sealed = new Uint8Array(secrets.encrypt(text, requestPasswordsContext(id)))
      const { appId, purchaseOptionId } = request
      const { version } = app.definition
      const row = await tx.installRequest.create({
        data: {
          id,
          partyId,
          userId,
          appId,
          version,
          purchaseOptionId,
          passwordKeys,
          userSettings: open,
          passwords: passwordKeys.length === 0 ? null : sealed,
          consent: JSON.parse(JSON.stringify(consentOf(request))),
          note: note === undefined || note === '' ? null : note,
        },
        include: REQUEST_PARTS,
      })
      await recordAudit(tx, {
        actor,
        action: 'install_request.created',
        subject: { kind: 'install_request', id },
        partyId,
        after: { appId, version, purchaseOptionId },
      })
      return requestRecord({ db: tx }, row)
    }),
  )
}

/**
 * Holds an app and an account in the order of installs and of closings, before memberships and
 * requests.
 */
export async function holdAppAndParty(tx: Db, appId: string, partyId: number): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${appId} FOR SHARE`
  // Before the account, as a renaming does. An install that took it after the request could wait for
  // a renaming that waits for the removal of the member, which waits for the request.
  await holdName(tx, partyId)
  await tx.$queryRaw`SELECT 1 FROM parties WHERE id = ${partyId}::int FOR KEY SHARE`
}

/** Locks the membership: requests of one user take turns. */
async function lockOwnParty(tx: Db, userId: string, partyId: number): Promise<Party> {
  const found = await tx.$queryRaw<object[]>`
    SELECT 1 FROM memberships
    WHERE user_id = ${userId}::uuid AND party_id = ${partyId}::int FOR NO KEY UPDATE`
  if (found.length === 0) throw new AppError('not_found')
  return tx.party.findUniqueOrThrow({ where: { id: partyId } })
}

async function requireRoom(tx: Db, userId: string, partyId: number): Promise<void> {
  const waiting = await tx.installRequest.count({
    where: { userId, partyId, status: 'pending' },
  })
  if (waiting < PENDING_MAX) return
  throw new AppError('conflict', {
    detail: `At most ${PENDING_MAX} of your requests can wait. Withdraw one first.`,
  })
}

/** The database decides which of two requests for the same app was first. */
async function refusingSecondRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!violatedConstraint(error)?.includes('install_requests_pending')) throw error
    const detail = 'A request for this app waits for an admin of the account already.'
    const errors = [{ pointer: '/appId', detail }]
    throw new AppError('already_exists', { detail, errors, cause: error })
  }
}

/**
 * The requests in an account, oldest first: all of them for its admins, for members their own.
 *
 * @throws AppError not_found when the user is no member of the account
 */
export async function listInstallRequests(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  partyId: number,
  { status }: { status?: InstallRequestRecord['status'] | undefined },
  { after, limit }: PageRequest,
): Promise<Page<InstallRequestRecord>> {
  const where = { userId_partyId: { userId, partyId } }
  const membership = await db.membership.findUnique({ where, include: { party: true } })
  if (membership === null) throw new AppError('not_found')
  return inSnapshot(db, async (tx) => {
    const found = await tx.installRequest.findMany({
      where: {
        AND: [
          { partyId },
          membership.role === 'admin' ? {} : { userId },
          status === undefined ? {} : { status },
          createdAfter(after),
        ],
      },
      select: { id: true, createdAt: true },
      orderBy: BY_CREATION,
      take: limit + 1,
    })
    const fitting = Math.min(limit, await countRequestsThatFit(tx, found))
    const rows = await tx.installRequest.findMany({
      where: { id: { in: found.slice(0, fitting).map(({ id }) => id) } },
      include: REQUEST_PARTS,
      orderBy: BY_CREATION,
    })
    const toRecord = await recordsFor({ db: tx }, membership.party)
    const last = found.length > fitting ? rows.at(-1) : undefined
    return { entries: rows.map(toRecord), next: last && creationPosition(last) }
  })
}

/** How many requests, from the first on, a page may show. */
function countRequestsThatFit(db: Db, requests: readonly { id: string }[]): Promise<number> {
  const ids = requests.map(({ id }) => id)
  return countThatFit(
    db,
    Prisma.sql`
      SELECT octet_length(r.user_settings::text) + octet_length(r.consent::text)
        + octet_length(coalesce(r.passwords, '')) AS bytes
      FROM install_requests r WHERE r.id = (${ids}::uuid[])[${PLACE}]`,
  )
}
