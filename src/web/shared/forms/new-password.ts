import {
  isPasswordTooLong,
  isPasswordTooShort,
  isSamePassword,
  PASSWORD_MIN_LENGTH,
} from '../../../identity/auth/password-text.ts'
import type { FormProblem } from './form-problems.ts'
import type { FormFields } from './settings-form.ts'

/** The fields of a password that is chosen, typed twice. */
export function newPasswordFields(label: string, repeat: string) {
  return {
    newPassword: {
      label,
      kind: 'password',
      hint: `At least ${PASSWORD_MIN_LENGTH} characters. A few random words are easy to remember.`,
    },
    repeatedPassword: { label: repeat, kind: 'password' },
  } as const
}

/** What is wrong with a password that was typed twice. */
export function newPasswordProblems(fields: FormFields): FormProblem[] {
  const wanted = fields.get('newPassword') ?? ''
  const problems: FormProblem[] = []
  if (isPasswordTooShort(wanted)) {
    const text = `Enter at least ${PASSWORD_MIN_LENGTH} characters.`
    problems.push({ field: 'newPassword', text })
  } else if (isPasswordTooLong(wanted)) {
    problems.push({ field: 'newPassword', text: 'The password is too long.' })
  }
  if (!isSamePassword(wanted, fields.get('repeatedPassword') ?? '')) {
    problems.push({ field: 'repeatedPassword', text: 'The passwords do not match.' })
  }
  return problems
}
