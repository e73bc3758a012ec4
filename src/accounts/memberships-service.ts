import { recordAudit } from '../audit/record-audit-service.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError, type FieldError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'
import type { Membership } from './operator-records.ts'
import { checked, MembershipRequest } from './operator-requests.ts'
import { broken, refusingDuplicates } from './refusals-service.ts'

/**
 * Makes a user a member of a party.
 *
 * @throws AppError already_exists; unprocessable when either is unknown
 */
export async function createMembership(
  { db }: Pick<Deps, 'db'>,
  input: MembershipRequest,
  actor: Actor,
): Promise<Membership> {
  const { userId, partyId } = checked(MembershipRequest, input)
  const [user, party] = await Promise.all([
    db.user.findUnique({ where: { id: userId, removedAt: null }, select: { id: true } }),
    db.party.findUnique({ where: { id: partyId }, select: { id: true, closedAt: true } }),
  ])
  const errors: FieldError[] = []
  if (user === null) errors.push({ pointer: '/userId', detail: 'There is no such user.' })
  if (party === null) errors.push({ pointer: '/partyId', detail: 'There is no such party.' })
  if (party?.closedAt) errors.push({ pointer: '/partyId', detail: 'The party is closed.' })
  if (user === null || errors.length > 0) throw broken(errors)
  const member = { pointer: '/partyId', detail: 'The user is a member of this account already.' }
  await refusingDuplicates(member, () =>
    inTransaction(db, async (tx) => {
      await tx.membership.create({ data: { userId: user.id, partyId } })
      await recordMembership(tx, actor, user.id, partyId)
    }),
  )
  return { userId: user.id, partyId }
}

/**
 * Ends a membership: tokens that the user got for the party's installations are refused from the
 * next request on.
 *
 * @throws AppError not_found
 */
export async function removeMembership(
  { db }: Pick<Deps, 'db'>,
  { userId, partyId }: Membership,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.membership.deleteMany({ where: { userId, partyId } })
    if (count === 0) throw new AppError('not_found', { detail: 'There is no such membership.' })
    await recordAudit(tx, {
      actor,
      action: 'membership.removed',
      subject: { kind: 'membership', id: `${userId.toLowerCase()}/${partyId}` },
      partyId,
      before: { userId: userId.toLowerCase(), partyId },
    })
  })
}

/** The entry that tells a party of its new member. */
export async function recordMembership(
  tx: Db,
  actor: Actor,
  userId: string,
  partyId: number,
): Promise<void> {
  await recordAudit(tx, {
    actor,
    action: 'membership.created',
    subject: { kind: 'membership', id: `${userId}/${partyId}` },
    partyId,
    after: { userId, partyId },
  })
}
