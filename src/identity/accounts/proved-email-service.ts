import type { Db } from '../../base/database/transaction.ts'
import { AppError } from '../../errors.ts'

/**
 * Refuses to give a role to a user whose address nobody has proved: somebody else may have made the
 * user with it, and signs in as it. The caller holds the user.
 *
 * @param pointer to the role, or to the user, in what was asked for
 * @throws AppError email_not_proved
 */
export async function requireProvedEmail(tx: Db, userId: string, pointer: string): Promise<void> {
  if ((await tx.user.count({ where: { id: userId, emailProved: false } })) > 0) {
    throw emailNotProved(pointer)
  }
}

/** The refusal of a role for such a user. */
export function emailNotProved(pointer: string): AppError {
  const detail =
    'Nobody has proved that the email is theirs, so somebody else may sign in as this user. Have ' +
    'the user follow a mailed link (an invitation or a new password), or, as the operator, ' +
    'verify the email after asking the person.'
  return new AppError('email_not_proved', { detail, errors: [{ pointer, detail }] })
}
