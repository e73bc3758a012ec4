import { inTransaction } from '../../../base/database/transaction.ts'
import { MAIL } from '../../../base/mail/mail-job.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { normalEmail } from '../../../base/values/email.ts'
import { parseInput } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import { deleteFactor } from '../../auth/second-factor/second-factor-service.ts'
import { sendsMail } from '../deliver-link-service.ts'
import { FactorRemoval } from './factor-removal.ts'

type RemovalDeps = Pick<Deps, 'db' | 'config' | 'jobs'>

/**
 * Takes off a second factor that its owner has lost, and has the owner told by mail. The owner signs
 * in with the password alone then, and has to turn on another one where that is required.
 *
 * @param input the reason is for the audit trail
 * @throws AppError unprocessable; not_found when there is no such user, or no factor; conflict
 *   when it is the operator's own
 */
export async function removeLostFactor(
  deps: RemovalDeps,
  userId: string,
  input: FactorRemoval,
  actor: Actor,
): Promise<void> {
  const { db, jobs } = deps
  const { reason } = parseInput(FactorRemoval, input)
  if ((await db.user.count({ where: { id: userId } })) === 0) {
    throw new AppError('not_found', { detail: 'There is no such user.' })
  }
  if (actor.id === userId) {
    throw new AppError('conflict', {
      detail: 'Turn off your own second factor in your account, with a code.',
    })
  }
  await inTransaction(db, async (tx) => {
    if (!(await deleteFactor(tx, userId))) {
      throw new AppError('not_found', { detail: 'The user has no second factor.' })
    }
    await recordAudit(tx, {
      actor,
      action: 'factor.removed',
      subject: { kind: 'user', id: userId },
      ...(reason !== undefined && { after: { reason } }),
    })
    if (sendsMail(deps)) await jobs.ask(MAIL, { factorRemovedOf: userId }, tx)
  })
}

/** Removes the lost second factor of the user with an email. */
export async function removeLostFactorByEmail(
  deps: RemovalDeps,
  email: string,
  input: FactorRemoval,
  actor: Actor,
): Promise<void> {
  const where = { email: normalEmail(email) }
  const user = await deps.db.user.findUnique({ where, select: { id: true } })
  if (user === null) throw new AppError('not_found', { detail: 'No user has this email.' })
  await removeLostFactor(deps, user.id, input, actor)
}
