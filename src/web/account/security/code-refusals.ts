import { AppError } from '../../../errors.ts'
import { postponed } from '../../page-requests/postponed-sign-in.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'

/**
 * Why a password was not taken.
 *
 * @throws the error itself, when it is not about the form
 */
export function passwordRefusal(error: unknown): Refusal {
  return refusalAt('currentPassword', 'Wrong password.', 'passwords', error)
}

/** Why a code was not taken, at the field of the code, likewise. */
export function codeRefusal(error: unknown, field = 'code'): Refusal {
  return refusalAt(field, 'Wrong code. Enter the one that your app shows now.', 'codes', error)
}

function refusalAt(
  field: string,
  wrong: string,
  what: 'passwords' | 'codes',
  error: unknown,
): Refusal {
  const late = postponed(error, what)
  if (late !== undefined)
    return { status: late.error.status, problems: [{ field, text: late.text }] }
  if (error instanceof AppError && error.code === 'invalid_credentials') {
    return { status: 422, problems: [{ field, text: wrong }] }
  }
  return refusalOf(error, ['conflict', 'already_exists'])
}
