import { AppError, type ErrorCode } from '../../../errors.ts'
import { postponed } from '../../page-requests/postponed-sign-in.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'

/**
 * Why a password was not taken.
 *
 * @throws the error itself, when it is not about the form
 */
export function passwordRefusal(error: unknown): Refusal {
  return refusalAt('currentPassword', 'Wrong password.', 'passwords', 'unprocessable', error)
}

/** Why a code was not taken, at the field of the code, likewise. */
export function codeRefusal(error: unknown, field = 'code'): Refusal {
  const wrong = 'Wrong code. Enter the one that your app shows now.'
  return refusalAt(field, wrong, 'codes', 'invalid_credentials', error)
}

function refusalAt(
  field: string,
  wrong: string,
  what: 'passwords' | 'codes',
  code: ErrorCode,
  error: unknown,
): Refusal {
  const late = postponed(error, what)
  if (late !== undefined)
    return { status: late.error.status, problems: [{ field, text: late.text }] }
  if (error instanceof AppError && error.code === code) {
    return { status: 422, problems: [{ field, text: wrong }] }
  }
  return refusalOf(error, ['conflict', 'already_exists'])
}
