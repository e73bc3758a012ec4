import type { Db } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'

/**
 * Requires that an operator is one still: for transactions after a wait, such as the one for the
 * password hasher, during which another operator may have taken the role away. Other actors pass.
 *
 * @param tx the transaction that writes what the operator asked for
 * @throws AppError operator_required
 */
export async function requireOperatorStill(tx: Db, { kind, id }: Actor): Promise<void> {
  if (kind !== 'operator' || id === null) return
  const operators = await tx.user.count({ where: { id, operator: true, suspendedAt: null } })
  if (operators === 0) throw new AppError('operator_required')
}
