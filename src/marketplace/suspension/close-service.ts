import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readDeveloper, takeDeveloper } from '../../identity/accounts/developers-service.ts'
import type { DeveloperRecord, PartyRecord } from '../../identity/accounts/operator-records.ts'
import { readParty, takeParty } from '../../identity/accounts/parties-service.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { recordAppEvent } from '../events/record-event-service.ts'
import { uninstall } from '../installations/lifecycle-service.ts'

type CloseDeps = Pick<Deps, 'db' | 'now'>

/** What closing does, in words, for the API and the console. */
export const CLOSING = {
  Parties:
    'Its users lose access to it, its connections end, and nothing can be installed for it again.',
  Developers:
    'Its programs can no longer sign in, its console is closed, its apps leave the catalogue, and ' +
    'its sandbox is closed and emptied.',
} as const

const REASON = 'Closed by the operator of the marketplace.'

/**
 * Closes an account for good: its users and connections go, and nothing is installed for it again.
 * Closing it again changes nothing.
 *
 * @throws AppError conflict while it has live installations, and for a developer's sandbox;
 *   not_found
 */
export async function closeParty(
  { db, now }: CloseDeps,
  id: number,
  actor: Actor,
): Promise<PartyRecord> {
  return inTransaction(db, async (tx) => {
    await holdParty(tx, id)
    const { owner, sandboxOf, ...party } = await takeParty(tx, id)
    if (sandboxOf !== null) {
      throw new AppError('conflict', {
        detail: 'This is the sandbox of a developer. Close the developer: the sandbox follows.',
      })
    }
    if (party.closedAt === null) {
      refuseLive(await tx.installation.count({ where: { partyId: id, live: true } }))
      await shutParty(tx, id, now())
      const { count: memberships } = await tx.membership.deleteMany({ where: { partyId: id } })
      const { count: connections } = await tx.connection.deleteMany({
        where: { OR: [{ buyerId: id }, { sellerId: id }] },
      })
      await recordAudit(tx, {
        actor,
        action: 'party.closed',
        subject: { kind: 'party', id },
        ...owner,
        after: { memberships, connections },
      })
    }
    return readParty({ db: tx }, id)
  })
}

/**
 * Closes a developer for good, with its sandbox and what is installed there: its apps leave the
 * catalogue, and nobody signs in for it again. Closing it again changes nothing.
 *
 * @throws AppError conflict while accounts have installed its apps; not_found
 */
export async function closeDeveloper(
  { db, now }: CloseDeps,
  id: string,
  actor: Actor,
): Promise<DeveloperRecord> {
  return inTransaction(db, async (tx) => {
    // Installs hold the app first. FOR UPDATE would stop changes of installations: their second
    // update of the row checks its foreign keys.
    await tx.$queryRaw`
      SELECT 1 FROM apps WHERE developer_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`
    const { owner, ...developer } = await takeDeveloper(tx, id)
    if (developer.closedAt === null) {
      const { sandboxPartyId } = developer
      // A request that renames them holds both before the installations.
      await takeParty(tx, sandboxPartyId)
      await emptySandbox({ db: tx, now }, id, actor)
      await tx.$queryRaw`SELECT 1 FROM developers WHERE id = ${id}::uuid FOR UPDATE`
      await holdParty(tx, sandboxPartyId)
      const where = { OR: [{ developerId: id }, { partyId: sandboxPartyId }], live: true }
      refuseLive(await tx.installation.count({ where }))
      const closed = { closedAt: now(), suspendedAt: now(), suspendedReason: REASON }
      await tx.developer.update({ where: { id }, data: closed })
      await shutParty(tx, sandboxPartyId, now())
      await tx.membership.deleteMany({ where: { partyId: sandboxPartyId } })
      await tx.developerMember.deleteMany({ where: { developerId: id } })
      const unlisted = await tx.app.updateManyAndReturn({
        where: { developerId: id, listed: true },
        data: { visibility: 'draft', revision: { increment: 1 } },
        select: { id: true },
      })
      for (const { id: appId } of unlisted) {
        await recordAppEvent(tx, 'app.unlisted', { appId, developerId: developer.id })
      }
      await recordAudit(tx, {
        actor,
        action: 'developer.closed',
        subject: { kind: 'developer', id: developer.id },
        ...owner,
        partyId: sandboxPartyId,
        after: { unlisted: unlisted.length },
      })
    }
    return readDeveloper({ db: tx }, id)
  })
}

/** Uninstalls what a developer has of its own apps in its sandbox. */
async function emptySandbox(deps: CloseDeps, developerId: string, actor: Actor): Promise<void> {
  const installed = await deps.db.$queryRaw<{ id: string }[]>`
    SELECT i.id FROM installations i
    JOIN developers d ON d.id = i.developer_id AND d.sandbox_party_id = i.party_id
    WHERE d.id = ${developerId}::uuid AND i.live ORDER BY i.id FOR UPDATE OF i`
  for (const { id: installationId } of installed) {
    await uninstall(deps, { installationId, where: { developerId }, actor })
  }
}

/** Keeps installs and new members out until the end of the transaction. */
async function holdParty(tx: Db, id: number): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM parties WHERE id = ${id} FOR UPDATE`
}

async function shutParty(tx: Db, id: number, closedAt: Date): Promise<void> {
  const data = { closedAt, suspendedAt: closedAt, suspendedReason: REASON }
  await tx.party.update({ where: { id }, data })
}

/** The row is held, and a trigger lets installs wait for it: the number cannot rise. */
function refuseLive(count: number): void {
  if (count === 0) return
  const what =
    count === 1 ? 'There is 1 live installation' : `There are ${count} live installations`
  throw new AppError('conflict', { detail: `${what}. Uninstall first, then close.` })
}
