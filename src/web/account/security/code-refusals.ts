import { AppError } from '../../../errors.ts'
import { postponed } from '../../requests/postponed-sign-in.ts'
import { WRONG_PASSWORD } from '../../shared/forms/password-hints.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'

/** The field of a code, of the authenticator app or a recovery code. */
export const CODE_FIELD = {
  label: 'Code',
  keyboard: 'text',
  autocomplete: 'one-time-code',
} as const

/**
 * Why a password was not taken.
 *
 * @throws the error itself, when it is not about the form
 */
export function passwordRefusal(error: unknown): Refusal {
  return refusalAt(error, 'currentPassword', 'unprocessable', WRONG_PASSWORD, 'passwords')
}

/** Why a code was not taken, at the field of the code, likewise. */
export function codeRefusal(error: unknown): Refusal {
  const wrong = 'Wrong code. Enter the one that your app shows now.'
  return refusalAt(error, 'code', 'invalid_credentials', wrong, 'codes')
}

/** @param code the error that says that what is in the field is wrong */
function refusalAt(
  error: unknown,
  field: string,
  code: 'unprocessable' | 'invalid_credentials',
  wrong: string,
  what: 'passwords' | 'codes',
): Refusal {
  const late = postponed(error, what)
  if (late !== undefined)
    return { status: late.error.status, problems: [{ field, text: late.text }] }
  if (error instanceof AppError && error.code === code) {
    return { status: 422, problems: [{ field, text: wrong }] }
  }
  return refusalOf(error, ['conflict', 'already_exists'])
}
