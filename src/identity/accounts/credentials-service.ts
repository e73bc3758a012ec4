import { violatedConstraint } from '../../base/database/failures.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import { createdAfter, creationPosition, pageOf } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { type FoundBy, passwordOf } from './credential-password.ts'
import { holdOpenDeveloper, newClientId } from './developers-service.ts'
import { holdOwner, lockDeveloper, requireOwnerStill } from './members/owners-service.ts'
import {
  CREDENTIAL_COLUMNS,
  type CreatedCredential,
  type Credential,
  type WithPassword,
} from './operator-records.ts'
import { CredentialRequest } from './operator-requests.ts'
import { inUse, refusingDuplicates, requireOperatorStill } from './refusals-service.ts'

/** A developer has at most two live credentials: the one in use and the one to change to. */
const SLOTS = [1, 2] as const
export const CREDENTIALS_MAX = SLOTS.length
/** Each attempt that another request wins fills a slot, so this many attempts suffice. */
const ATTEMPTS = SLOTS.length + 1

/**
 * The live credentials of a developer, oldest first.
 *
 * @throws AppError not_found
 */
export async function listCredentials(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  { after, limit }: PageRequest,
): Promise<Page<Credential>> {
  await requireDeveloper(db, developerId)
  const rows = await db.developerCredential.findMany({
    where: { developerId, removedAt: null, ...createdAfter(after) },
    select: CREDENTIAL_COLUMNS,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit + 1,
  })
  return pageOf(rows, limit, (row) => row, creationPosition)
}

/**
 * Gives a developer one more credential. When several requests compete for the free slot, the
 * database decides.
 *
 * @param input a missing clientId is made from the developer's name, a missing password is random
 * @param usedId the credential that the developer is signed in with, when a developer asks
 * @throws AppError conflict when there are two already, the one in use was removed meanwhile, or the
 *   developer is closed; already_exists when the clientId was ever in use; owner_required or
 *   operator_required when the role was taken away meanwhile; unprocessable, not_found
 */
export async function createCredential(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  developerId: string,
  input: CredentialRequest,
  actor: Actor,
  usedId?: string,
): Promise<WithPassword<CreatedCredential>> {
  const given = parseInput(CredentialRequest, input)
  const { name } = await requireDeveloper(db, developerId)
  // Checked before the hash, which costs much more.
  await freeSlot(db, developerId)
  const clientId = given.clientId ?? newClientId(name)
  if (given.password !== undefined) requireHardToGuess(given.password, [name, clientId])
  const { password, secretSha256 } = passwordOf(given)
  const passwordHash = await passwords.hash(password, actor)
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await insertCredential(
        db,
        { developerId, clientId, passwordHash, secretSha256 },
        actor,
        usedId,
      )
      return { ...made, password }
    } catch (error) {
      const lostSlot = violatedConstraint(error)?.includes('slot') ?? false
      if (!lostSlot || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Removes a credential. Its tokens, and those made with it, are refused from the next request on.
 * The last credential can be removed too; the developer's programs are then locked out until an owner
 * or an operator makes a new one.
 *
 * @throws AppError not_found, also when it was removed already
 */
export async function removeCredential(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  developerId: string,
  credentialId: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [removed] = await tx.developerCredential.updateManyAndReturn({
      where: { id: credentialId, developerId, removedAt: null },
      data: { removedAt: now(), slot: null },
      select: { clientId: true },
    })
    if (removed === undefined) {
      throw new AppError('not_found', { detail: 'The developer has no such credential.' })
    }
    await recordAudit(tx, {
      actor,
      action: 'credential.removed',
      subject: { kind: 'credential', id: credentialId },
      developerId,
      before: removed,
    })
  })
}

/** Whether a developer had a credential that is removed by now. */
export async function isRemoved(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  credentialId: string,
): Promise<boolean> {
  const where = { id: credentialId, developerId, removedAt: { not: null } }
  return (await db.developerCredential.count({ where })) > 0
}

/**
 * Removes one of the developer's own credentials, but not the one that the developer is signed in
 * with, so that no developer locks itself out.
 *
 * @param usedId the credential that the developer is signed in with; none for a person
 * @throws AppError conflict, not_found; owner_required when a person is no owner any more
 */
export async function removeOwnCredential(
  deps: Pick<Deps, 'db' | 'now'>,
  {
    developerId,
    usedId,
    actor,
  }: { developerId: string; usedId?: string | undefined; actor: Actor },
  credentialId: string,
): Promise<void> {
  if (credentialId === usedId) {
    throw new AppError('conflict', {
      detail:
        'You are signed in with this credential. To remove it, sign in with another one first.',
    })
  }
  await inTransaction(deps.db, async (tx) => {
    // Two sessions that remove each other's credential take turns; the second one finds its own
    // credential removed.
    await lockDeveloper(tx, developerId)
    await requireOwnerStill(tx, actor)
    if (usedId !== undefined) await holdUsed(tx, usedId)
    await removeCredential({ ...deps, db: tx }, developerId, credentialId, actor)
  })
}

/**
 * Locks the credential of the session, so that nobody can remove it during this transaction.
 *
 * @throws AppError conflict when it was removed
 */
async function holdUsed(tx: Db, usedId: string): Promise<void> {
  const held = await tx.$queryRaw<object[]>`
    SELECT 1 FROM developer_credentials
    WHERE id = ${usedId}::uuid AND removed_at IS NULL
    FOR SHARE`
  if (held.length > 0) return
  throw new AppError('conflict', { detail: 'Your own credential was removed.' })
}

async function insertCredential(
  db: Db,
  {
    developerId,
    clientId,
    passwordHash,
    secretSha256,
  }: Record<'developerId' | 'clientId' | 'passwordHash', string> & FoundBy,
  actor: Actor,
  usedId: string | undefined,
): Promise<Credential> {
  const slot = await freeSlot(db, developerId)
  const insert = () =>
    inTransaction(db, async (tx) => {
      await requireOperatorStill(tx, actor)
      await holdOwner(tx, actor)
      await holdOpenDeveloper(tx, developerId)
      if (usedId !== undefined) await holdUsed(tx, usedId)
      const made = await tx.developerCredential.create({
        data: { developerId, clientId, passwordHash, secretSha256, slot },
        select: CREDENTIAL_COLUMNS,
      })
      await recordAudit(tx, {
        actor,
        action: 'credential.created',
        subject: { kind: 'credential', id: made.id },
        developerId,
        after: { clientId },
      })
      return made
    })
  try {
    return await insert()
  } catch (error) {
    if (!violatedConstraint(error)?.includes('client_id')) throw error
    return refusingDuplicates(inUse('/clientId'), () => Promise.reject(error))
  }
}

/** @throws AppError conflict when there is none */
async function freeSlot(db: Db, developerId: string): Promise<number> {
  const live = await db.developerCredential.findMany({
    where: { developerId, removedAt: null },
    select: { slot: true },
  })
  const free = SLOTS.find((slot) => live.every((one) => one.slot !== slot))
  if (free !== undefined) return free
  throw new AppError('conflict', {
    detail: `A developer has at most ${CREDENTIALS_MAX} live credentials. Remove one first.`,
  })
}

async function requireDeveloper(db: Db, id: string): Promise<{ name: string }> {
  const developer = await db.developer.findUnique({ where: { id }, select: { name: true } })
  if (developer === null) throw new AppError('not_found', { detail: 'There is no such developer.' })
  return developer
}
