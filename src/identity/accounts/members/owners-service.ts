import type { Db } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { AppError } from '../../../errors.ts'
import type { DeveloperMember } from './developer-member.ts'

/** Locks the developer's people against other changes until the end of the transaction. */
export async function lockDeveloper(tx: Db, developerId: string): Promise<void> {
  const found = await tx.$queryRaw<object[]>`
    SELECT 1 FROM developers WHERE id = ${developerId}::uuid FOR NO KEY UPDATE`
  if (found.length === 0) {
    throw new AppError('not_found', { detail: 'There is no such developer.' })
  }
}

/**
 * Keeps a person who acts for a developer its owner until the end of the transaction. Other actors
 * pass.
 *
 * @throws AppError owner_required when somebody took the role away meanwhile
 */
export async function holdOwner(tx: Db, actor: Actor): Promise<void> {
  if (actor.developerId === undefined) return
  await lockDeveloper(tx, actor.developerId)
  await requireOwnerStill(tx, actor)
}

/** @throws AppError owner_required when a person who acts for a developer is no owner of it */
export async function requireOwnerStill(db: Db, { id: userId, developerId }: Actor): Promise<void> {
  if (developerId === undefined || userId === null) return
  const member = { userId, developerId, user: { suspendedAt: null } }
  const owners = await db.developerMember.count({ where: { ...member, role: 'owner' } })
  if (owners === 0) throw new AppError('owner_required')
}

/** @throws AppError conflict when a member is the only owner who can sign in */
export async function requireAnotherOwner(
  tx: Db,
  { userId, developerId }: Record<'userId' | 'developerId', string>,
  { role }: DeveloperMember,
): Promise<void> {
  if (role !== 'owner') return
  const others = await tx.developerMember.count({
    where: { developerId, role: 'owner', userId: { not: userId }, user: { suspendedAt: null } },
  })
  if (others > 0) return
  throw new AppError('conflict', {
    detail: 'This is the only owner who can sign in. Make another person an owner first.',
  })
}
