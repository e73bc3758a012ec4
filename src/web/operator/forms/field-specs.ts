import { PASSWORD_MIN_LENGTH } from '../../../identity/auth/password-text.ts'
import type { Field, FormSpec } from '../../kit/fields.ts'

/** What a developer's program signs in with beside its password. */
export const CLIENT_ID: Field = {
  label: 'Client ID',
  optional: true,
  hint: 'Letters, digits, dots, underscores and hyphens. Leave blank to generate one from the name.',
}

/** A new password, of which nothing is said when it is left empty. */
export const NEW_PASSWORD: Field = {
  label: 'Password',
  kind: 'password',
  optional: true,
  hint: `At least ${PASSWORD_MIN_LENGTH} characters. Leave blank to generate one. It is shown once.`,
}

/** What a user may do in the operator console, as two choices. */
export const ROLES: FormSpec = {
  operator: { kind: 'check', label: 'Operator: can use this console and the operator API' },
  support: { kind: 'check', label: 'Support: read-only access' },
}

/** Asked for only when another one has the name. */
export function namesake(label: string): FormSpec {
  return { again: { kind: 'check', label, isFurther: true } }
}
