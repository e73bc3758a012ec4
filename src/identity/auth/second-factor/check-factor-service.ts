import { Prisma } from '../../../base/database/generated/client.ts'
import { inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import { auditFailedSignIn } from '../audit-sign-ins-service.ts'
import { factorCodeOf } from './factor-code.ts'
import { factorSecretContext, stepOfCode } from './totp.ts'

/** Codes that may be tried for one user in a window, from wherever they come. */
const GUESSES = 10
const WINDOW_SECONDS = 900

export type FactorDeps = Pick<Deps, 'db' | 'secrets' | 'now' | 'auditCounts'>

/** A factor whose code is being tried; the try is counted. */
type Tried = { secret: Uint8Array; lastStep: bigint | null }

/**
 * Checks a code of the authenticator app, or a recovery code. Each is taken once, also when many
 * send it at the same moment; nor is a code taken that is older than the last one. The audit trail
 * counts wrong ones.
 *
 * @returns false when the code is wrong, or the user has no second factor
 * @throws AppError too_many_requests when too many codes of the user were tried, whatever this one is
 */
export async function checkFactor(
  deps: FactorDeps,
  userId: string,
  typed: string,
  actor: Actor,
): Promise<boolean> {
  const tried = await countGuess(deps, userId, { confirmed: true })
  if (tried === undefined) return false
  const isRight = await useCode(deps, userId, tried, typed, actor)
  if (!isRight) auditFailedSignIn(deps, userId, actor.address)
  return isRight
}

async function useCode(
  deps: FactorDeps,
  userId: string,
  tried: Tried,
  typed: string,
  actor: Actor,
): Promise<boolean> {
  const code = factorCodeOf(typed)
  if (code === undefined) return false
  if (code.kind === 'recovery') return useRecoveryCode(deps, userId, code.sha256, actor)
  const step = stepOfFactor(deps, userId, tried, code.code)
  if (step === undefined) return false
  // When the same code is sent several times at once, only one request finds an older step.
  const used = await deps.db.$executeRaw`
    UPDATE second_factors SET last_step = ${step}, guesses = 0
    WHERE user_id = ${userId}::uuid AND coalesce(last_step, -1) < ${step}`
  return used === 1
}

/** The secret of a user's second factor, as authenticator apps take it. */
export function secretOf(
  { secrets }: Pick<Deps, 'secrets'>,
  userId: string,
  { secret }: Pick<Tried, 'secret'>,
): string {
  return secrets.decrypt(secret, factorSecretContext(userId)).toString()
}

/** The step of a right code that was not used yet; undefined for any other code. */
export function stepOfFactor(
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  userId: string,
  { secret, lastStep }: Tried,
  code: string,
): number | undefined {
  const step = stepOfCode(secretOf({ secrets }, userId, { secret }), code, now())
  return step !== undefined && (lastStep === null || step > lastStep) ? step : undefined
}

/**
 * Counts a try before the code is looked at, so that many at once try no more codes than one after
 * the other. In the database, so that all replicas share one budget.
 *
 * @param options `confirmed`: whether the factor is on, or waits for its first code
 * @returns undefined when there is no such factor
 * @throws AppError too_many_requests
 */
export async function countGuess(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  { confirmed }: { confirmed: boolean },
): Promise<Tried | undefined> {
  const time = now()
  const windowStart = new Date(time.getTime() - WINDOW_SECONDS * 1000)
  // A window that begins far ahead was begun while the clock was wrong: it is over.
  const windowEnd = new Date(time.getTime() + WINDOW_SECONDS * 1000)
  const isOpen = Prisma.sql`(guesses_since > ${windowStart} AND guesses_since < ${windowEnd})`
  const [tried] = await db.$queryRaw<Tried[]>`
    UPDATE second_factors SET
      guesses = CASE WHEN ${isOpen} THEN guesses + 1 ELSE 1 END,
      guesses_since = CASE WHEN ${isOpen} THEN guesses_since ELSE ${time} END
    WHERE user_id = ${userId}::uuid AND (confirmed_at IS NOT NULL) = ${confirmed}
      AND (NOT ${isOpen} OR guesses < ${GUESSES})
    RETURNING secret, last_step AS "lastStep"`
  if (tried !== undefined) return tried
  const factor = await db.secondFactor.findUnique({ where: { userId } })
  if (factor === null || (factor.confirmedAt !== null) !== confirmed) return undefined
  const openMs = factor.guessesSince.getTime() - windowStart.getTime()
  // Turned on, begun anew, or used with a right code between the two statements.
  const isSpent = openMs > 0 && factor.guessesSince < windowEnd && factor.guesses >= GUESSES
  if (!isSpent) return countGuess({ db, now }, userId, { confirmed })
  throw new AppError('too_many_requests', {
    detail: 'Too many wrong codes. Wait, then try again.',
    retryAfterSeconds: Math.max(1, Math.ceil(openMs / 1000)),
    limit: { policy: 'second-factor', quota: GUESSES, windowSeconds: WINDOW_SECONDS },
  })
}

/** Deletes the code: of those who send it at once, one deletes it. */
function useRecoveryCode(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  codeSha256: Uint8Array<ArrayBuffer>,
  actor: Actor,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Locks the factor before its codes, in the order in which a deletion locks them.
    await tx.$queryRaw`SELECT 1 FROM second_factors WHERE user_id = ${userId}::uuid FOR UPDATE`
    const { count } = await tx.recoveryCode.deleteMany({ where: { userId, codeSha256 } })
    if (count === 0) return false
    await tx.secondFactor.updateMany({ where: { userId }, data: { guesses: 0 } })
    await recordAudit(tx, {
      actor,
      action: 'factor.recovery_code_used',
      subject: { kind: 'user', id: userId },
      after: { left: await tx.recoveryCode.count({ where: { userId } }) },
    })
    return true
  })
}
