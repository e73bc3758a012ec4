import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import type { Membership } from '../operator-records.ts'
import { MemberChange, MembershipRequest } from '../operator-requests.ts'
import { holdOpenParties } from '../parties-service.ts'
import { requireProvedEmail } from '../proved-email-service.ts'
import { refusingDuplicates } from '../refusals-service.ts'
import type { PartyRole } from './roles.ts'

/** Who belongs to what. */
export type MemberOfParty = { userId: string; partyId: number }

/**
 * Makes a user a member of a party; as an admin unless another role is given.
 *
 * @throws AppError already_exists; unprocessable when either is unknown; email_not_proved
 */
export async function createMembership(
  { db }: Pick<Deps, 'db'>,
  input: MembershipRequest,
  actor: Actor,
): Promise<Membership> {
  const { userId, partyId, role } = parseInput(MembershipRequest, input)
  const made = { userId: userId.toLowerCase(), partyId, role }
  const member = { pointer: '/partyId', detail: 'The user is a member of this account already.' }
  await refusingDuplicates(member, () =>
    inTransaction(db, async (tx) => {
      await requireBoth(tx, made)
      await requireProvedEmail(tx, made.userId, '/userId')
      await tx.membership.create({ data: made })
      await recordMembership(tx, actor, made)
    }),
  )
  return made
}

/**
 * Keeps a user from being removed in the rest of the transaction.
 *
 * @returns false when there is no such user
 */
export async function holdUser(tx: Db, userId: string): Promise<boolean> {
  const users = await tx.$queryRaw<object[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND removed_at IS NULL FOR KEY SHARE`
  return users.length > 0
}

/**
 * Keeps the user from being removed and the party from being closed in the rest of the transaction.
 *
 * @throws AppError unprocessable
 */
async function requireBoth(tx: Db, { userId, partyId }: MemberOfParty): Promise<void> {
  const isUser = await holdUser(tx, userId)
  const errors = await holdOpenParties(tx, [{ id: partyId, pointer: '/partyId' }])
  if (!isUser) errors.unshift({ pointer: '/userId', detail: 'There is no such user.' })
  if (errors.length > 0) throw unprocessable(errors)
}

/**
 * Gives a member of a party another role, which counts from the next request on. An operator may
 * leave a party without an admin.
 *
 * @param check what must hold when the membership is locked; see `keepAnAdmin`
 * @throws AppError not_found, email_not_proved
 */
export async function changeMembership(
  { db }: Pick<Deps, 'db'>,
  { userId, partyId }: MemberOfParty,
  input: MemberChange,
  actor: Actor,
  check: MembershipCheck = noAdminForUnproved,
): Promise<Membership> {
  const { role } = parseInput(MemberChange, input)
  return inTransaction(db, async (tx) => {
    const former = await lockMembership(tx, { userId, partyId })
    if (former.role === role) return former
    await check(tx, former, role)
    const where = { userId_partyId: { userId, partyId } }
    await tx.membership.update({ where, data: { role } })
    await recordAudit(tx, {
      actor,
      action: 'membership.changed',
      subject: subjectOf(former),
      partyId,
      before: { role: former.role },
      after: { role },
    })
    return { ...former, role }
  })
}

/**
 * Ends a membership: tokens that the user got for the party's installations are refused from the
 * next request on.
 *
 * @param check what must hold when the membership is locked; see `keepAnAdmin`
 * @throws AppError not_found
 */
export async function removeMembership(
  { db }: Pick<Deps, 'db'>,
  { userId, partyId }: MemberOfParty,
  actor: Actor,
  check: MembershipCheck = nothing,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const former = await lockMembership(tx, { userId, partyId })
    await check(tx, former, undefined)
    await tx.membership.delete({ where: { userId_partyId: { userId, partyId } } })
    await recordRemoval(tx, actor, former)
  })
}

/**
 * Ends all memberships of a user who goes.
 *
 * @param tx a transaction that holds the user and the parties
 */
export async function removeMembershipsOf(tx: Db, userId: string, actor: Actor): Promise<void> {
  const former = await tx.membership.findMany({
    where: { userId },
    select: { userId: true, partyId: true, role: true },
    orderBy: { partyId: 'asc' },
  })
  await tx.membership.deleteMany({ where: { userId } })
  for (const membership of former) await recordRemoval(tx, actor, membership)
}

/** The roles of memberships: of a user in these parties, or of these users in a party. */
export async function rolesOf(
  { db }: Pick<Deps, 'db'>,
  where: { userId: string; partyIds: readonly number[] } | { partyId: number; userIds: string[] },
): Promise<{ userId: string; partyId: number; role: PartyRole }[]> {
  return db.membership.findMany({
    where:
      'partyIds' in where
        ? { userId: where.userId, partyId: { in: [...where.partyIds] } }
        : { partyId: where.partyId, userId: { in: where.userIds } },
    select: { userId: true, partyId: true, role: true },
  })
}

/**
 * Refuses to take the last admin of a party who can sign in.
 *
 * @param tx a transaction that holds the membership
 * @throws AppError conflict
 */
export async function keepAnAdmin(tx: Db, { userId, partyId, role }: Membership): Promise<void> {
  if (role !== 'admin') return
  const others = await tx.membership.count({
    where: { partyId, role: 'admin', userId: { not: userId }, user: { suspendedAt: null } },
  })
  if (others > 0) return
  throw new AppError('conflict', {
    detail:
      'This is the only admin of the account who can sign in. Make another member an admin first.',
  })
}

/** `role`: what the member is to become; undefined for whom leaves. */
type MembershipCheck = (tx: Db, former: Membership, role: PartyRole | undefined) => Promise<void>
const nothing: MembershipCheck = async () => {}

/** @throws AppError email_not_proved */
export const noAdminForUnproved: MembershipCheck = async (tx, { userId }, role) => {
  if (role === 'admin') await requireProvedEmail(tx, userId, '/role')
}

/** Locks the party's members against other changes until the end of the transaction. */
async function lockMembership(tx: Db, { userId, partyId }: MemberOfParty): Promise<Membership> {
  await tx.$queryRaw`SELECT 1 FROM parties WHERE id = ${partyId}::int FOR NO KEY UPDATE`
  const [row] = await tx.$queryRaw<{ user_id: string; role: PartyRole }[]>`
    SELECT user_id, role FROM memberships
    WHERE user_id = ${userId}::uuid AND party_id = ${partyId}::int FOR UPDATE`
  if (row === undefined) {
    throw new AppError('not_found', { detail: 'There is no such membership.' })
  }
  return { userId: row.user_id, partyId, role: row.role }
}

/** The entry that tells a party of its new member. */
export async function recordMembership(
  tx: Db,
  actor: Actor,
  membership: Membership,
): Promise<void> {
  await recordAudit(tx, {
    actor,
    action: 'membership.created',
    subject: subjectOf(membership),
    partyId: membership.partyId,
    after: membership,
  })
}

/** The entry that tells a party of a member who left. */
async function recordRemoval(tx: Db, actor: Actor, former: Membership): Promise<void> {
  await recordAudit(tx, {
    actor,
    action: 'membership.removed',
    subject: subjectOf(former),
    partyId: former.partyId,
    before: former,
  })
}

function subjectOf({ userId, partyId }: Membership) {
  return { kind: 'membership', id: `${userId}/${partyId}` }
}
