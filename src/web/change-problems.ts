import type { SettingsProfile } from '../apps/setting-definitions.ts'
import { AppError } from '../errors.ts'
import { type FormProblem, settingProblems } from './form-problems.ts'
import type { FormFields } from './settings-form.ts'

/** The state that a form was made of; what is no revision is compared with none and refused. */
export function revisionOf(fields: FormFields): number {
  return Number(fields.get('revision') ?? 0)
}

/** What a form shows again of what was typed. */
export type FormAgain = {
  /** To be corrected, in the controls. */
  typed?: FormFields
  /** To be compared with what somebody else has stored meanwhile, which the controls show. */
  entered?: FormFields
}

/** Sent again, a form must not undo by accident what somebody else has changed meanwhile. */
export function formAgain(error: unknown, fields: FormFields): FormAgain {
  const isConflict = error instanceof AppError && error.code === 'precondition_failed'
  return isConflict ? { entered: fields } : { typed: fields }
}

/**
 * What a refused change tells about its form.
 *
 * @throws the error itself, when it is not about the form
 */
export function changeProblems(
  error: unknown,
  profile: SettingsProfile,
  pointer: string,
): FormProblem[] {
  if (!(error instanceof AppError)) throw error
  switch (error.code) {
    case 'unprocessable':
    case 'acknowledgement_changed':
      return settingProblems(profile, error.options.errors ?? [], pointer)
    case 'precondition_failed':
      return [
        {
          field: undefined,
          text: 'The installation has changed since this page was opened. Look at it as it is now, then send the form again.',
        },
      ]
    case 'conflict':
    case 'installation_suspended':
      return [{ field: undefined, text: error.message }]
    default:
      throw error
  }
}
