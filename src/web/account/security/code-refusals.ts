import { AppError, type ErrorCode } from '../../../errors.ts'
import { postponed } from '../../requests/postponed-sign-in.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'

/**
 * Why a password was not taken.
 *
 * @throws the error itself, when it is not about the form
 */
export function passwordRefusal(error: unknown): Refusal {
  return refusalAt(error, {
    field: 'currentPassword',
    code: 'unprocessable',
    wrong: 'Wrong password.',
    what: 'passwords',
  })
}

/** Why a code was not taken, at the field of the code, likewise. */
export function codeRefusal(error: unknown, field = 'code'): Refusal {
  return refusalAt(error, {
    field,
    code: 'invalid_credentials',
    wrong: 'Wrong code. Enter the one that your app shows now.',
    what: 'codes',
  })
}

/** A field, the error that says that it is wrong, and the words for that. */
type Asked = { field: string; code: ErrorCode; wrong: string; what: 'passwords' | 'codes' }

function refusalAt(error: unknown, { field, code, wrong, what }: Asked): Refusal {
  const late = postponed(error, what)
  if (late !== undefined)
    return { status: late.error.status, problems: [{ field, text: late.text }] }
  if (error instanceof AppError && error.code === code) {
    return { status: 422, problems: [{ field, text: wrong }] }
  }
  return refusalOf(error, ['conflict', 'already_exists'])
}
