import { isDuplicate } from '../../base/database/failures.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { AppError, type FieldError } from '../../errors.ts'

/**
 * The database decides which request was first; the other one gets 409.
 *
 * @param problem what the request that came second is told
 */
export async function refusingDuplicates<T>(
  problem: FieldError,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const { detail } = problem
    throw new AppError('already_exists', { detail, errors: [problem], cause: error })
  }
}

/**
 * The result of what users do to themselves. A user who was removed after the token was checked gets
 * the refusal that every later request gets.
 *
 * @throws AppError invalid_token
 */
export async function asOneself<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
    throw new AppError('invalid_token', { cause: error })
  }
}

/** The problem of a name that somebody else has. */
export function inUse(pointer: string): FieldError {
  return { pointer, detail: 'It is in use already.' }
}

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
