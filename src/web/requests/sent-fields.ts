import type { FastifyRequest } from 'fastify'
import { type FormFields, formFields } from '../shared/forms/settings-form.ts'

/** A user who changes the own password types it again. */
const NEVER_KEPT = new Set(['currentPassword', 'newPassword', 'repeatedPassword'])

/** What was typed, without what is the page's own. */
export function sentFields(request: FastifyRequest): FormFields {
  return new Map(filledIn(request).filter(([name]) => !NEVER_KEPT.has(name)))
}

/** Whether a form is a button: nothing was sent but what is the page's own. */
export function isButton(request: FastifyRequest): boolean {
  return filledIn(request).length === 0
}

function filledIn({ body }: FastifyRequest): [string, string][] {
  const fields = body instanceof Map ? (body as FormFields) : formFields(body)
  return [...fields].filter(([name]) => !name.startsWith('_'))
}
