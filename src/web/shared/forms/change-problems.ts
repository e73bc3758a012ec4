import { ERROR_CODES } from '../../../errors.ts'
import type { AuditRecord } from '../../../identity/audit/audit-record.ts'
import type { SettingsProfile } from '../../../marketplace/apps/settings/definitions.ts'
import { settingProblems } from './form-problems.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import type { FormFields } from './settings-form.ts'

/** The state that a form was made of; what is no revision is compared with none and refused. */
export function revisionOf(fields: FormFields): number {
  return Number(fields.get('revision') ?? 0)
}

/** The last entry of the history that the visitor could know when the form was made. */
export function seenEventId(fields: FormFields): number {
  const id = Number(fields.get('seen') ?? 0)
  return Number.isSafeInteger(id) ? id : 0
}

/**
 * Keys of the settings that some entries of a history changed; undefined when it can be any of
 * them.
 */
export function changedSettings(history: readonly AuditRecord[]): Set<string> | undefined {
  const keys = new Set<string>()
  for (const { action, after } of history) {
    if (action === 'installation.option_changed' || action === 'installation.upgraded') {
      return undefined
    }
    if (Array.isArray(after?.keys)) for (const key of after.keys) keys.add(String(key))
  }
  return keys
}

/** What a form shows again of what was typed. */
export type FormAgain = {
  /** To be corrected, in the controls. */
  typed?: FormFields
  /** To be compared with what somebody else has changed meanwhile, which the controls show. */
  entered?: FormFields
  /** Keys of the settings that somebody else may have changed meanwhile; all unless given. */
  changed?: ReadonlySet<string> | undefined
}

/** Sent again, a form must not undo by accident what somebody else has changed meanwhile. */
export function formAgain({ typed, status }: { typed: FormFields; status: number }): FormAgain {
  return isConflict(status) ? { entered: typed } : { typed }
}

/** Whether a form came back because of what somebody else has changed. */
export function isConflict(status: number): boolean {
  return status === ERROR_CODES.precondition_failed.status
}

const CHANGE_REFUSALS = [
  'unprocessable',
  'acknowledgement_changed',
  'precondition_failed',
  'conflict',
  'installation_suspended',
] as const

const CHANGED_MEANWHILE =
  'The installation has changed since you opened this page. Check the current values, then send the form again.'

/**
 * What a refused change of an installation tells about its form.
 *
 * @throws the error itself, when it is not about the form
 */
export function changeRefusal(error: unknown, profile: SettingsProfile, pointer: string): Refusal {
  return refusalOf(error, CHANGE_REFUSALS, ({ code, message, options }) => {
    if (code === 'unprocessable' || code === 'acknowledgement_changed') {
      return settingProblems(profile, options.errors ?? [], pointer)
    }
    const text = code === 'precondition_failed' ? CHANGED_MEANWHILE : message
    return [{ field: undefined, text }]
  })
}
