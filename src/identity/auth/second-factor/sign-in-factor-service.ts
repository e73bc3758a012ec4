import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { checkFactor, type FactorDeps } from './check-factor-service.ts'
import { hasSecondFactor, requireEnrolled } from './factor-policy-service.ts'

/**
 * Checks the code that comes with a right password.
 *
 * @param otp undefined when none was given
 * @param address where the code comes from
 * @returns whether the user gave one; false when the user has no second factor
 * @throws AppError second_factor_required when one is missing, or has to be turned on first;
 *   invalid_credentials, too_many_requests
 */
export async function givenFactor(
  deps: FactorDeps & Pick<Deps, 'config'>,
  userId: string,
  otp: string | undefined,
  address: string,
): Promise<boolean> {
  if (!(await hasSecondFactor(deps, userId))) {
    await requireEnrolled(deps, userId)
    return false
  }
  if (otp === undefined) {
    throw new AppError('second_factor_required', {
      detail: 'Send a code of your second factor as `otp` as well.',
    })
  }
  const actor = { kind: 'user', id: userId, address } as const
  if (await checkFactor(deps, userId, otp, actor)) return true
  throw new AppError('invalid_credentials', { detail: 'The code is wrong.' })
}
