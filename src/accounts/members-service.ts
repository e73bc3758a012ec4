import { type Actor, recordAudit } from '../audit/audit-service.ts'
import { generatePassword } from '../auth/passwords.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError, type FieldError } from '../errors.ts'
import type { NewPassword } from './operator-records.ts'
import { type Connection, checked, Membership, PasswordRequest } from './operator-requests.ts'
import { broken, recordMembership, refusingDuplicates } from './operator-service.ts'

/**
 * Makes a user a member of a party.
 *
 * @throws AppError already_exists; unprocessable when either is unknown
 */
export async function createMembership(
  { db }: Pick<Deps, 'db'>,
  input: Membership,
  actor: Actor,
): Promise<Membership> {
  const { userId, partyId } = checked(Membership, input)
  const [user, party] = await Promise.all([
    db.user.findUnique({ where: { id: userId }, select: { id: true } }),
    db.party.findUnique({ where: { id: partyId }, select: { id: true } }),
  ])
  const errors: FieldError[] = []
  if (user === null) errors.push({ pointer: '/userId', detail: 'There is no such user.' })
  if (party === null) errors.push({ pointer: '/partyId', detail: 'There is no such party.' })
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

/**
 * Ends a connection: the Buyer no longer sees the products of the Seller.
 *
 * @throws AppError not_found
 */
export async function removeConnection(
  { db }: Pick<Deps, 'db'>,
  { buyerId, sellerId }: Connection,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.connection.deleteMany({ where: { buyerId, sellerId } })
    if (count === 0) throw new AppError('not_found', { detail: 'There is no such connection.' })
    for (const partyId of [buyerId, sellerId]) {
      await recordAudit(tx, {
        actor,
        action: 'connection.removed',
        subject: { kind: 'connection', id: `${buyerId}/${sellerId}` },
        partyId,
        before: { buyerId, sellerId },
      })
    }
  })
}

/**
 * Gives a user a new password. All that the old one opened ends: sessions at once, tokens from the
 * next request on.
 *
 * @param input without password a random one is made
 * @throws AppError unprocessable, not_found
 */
export async function setPassword(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  userId: string,
  input: PasswordRequest,
  actor: Actor,
): Promise<NewPassword> {
  const { password = generatePassword() } = checked(PasswordRequest, input)
  const noSuchUser = () => new AppError('not_found', { detail: 'There is no such user.' })
  if ((await db.user.count({ where: { id: userId } })) === 0) throw noSuchUser()
  const passwordHash = await passwords.hash(password)
  return inTransaction(db, async (tx) => {
    const [user] = await tx.user.updateManyAndReturn({
      where: { id: userId },
      data: { passwordHash, tokenGeneration: { increment: 1 } },
      select: { id: true, email: true },
    })
    if (user === undefined) throw noSuchUser()
    await tx.session.deleteMany({ where: { userId } })
    await recordAudit(tx, {
      actor,
      action: 'user.password_changed',
      subject: { kind: 'user', id: user.id },
    })
    return { ...user, password }
  })
}
