import type { FastifyRequest } from 'fastify'
import { type FormFields, formFields } from '../shared/forms/settings-form.ts'
import type { FormKind } from './outcomes.ts'

/** A user who changes the own password types it again. */
const NEVER_KEPT = new Set(['currentPassword', 'newPassword', 'repeatedPassword'])

/** What was typed, without what is the page's own. */
export function sentFields(request: FastifyRequest): FormFields {
  return new Map(filledIn(request).filter(([name]) => !NEVER_KEPT.has(name)))
}

/** What the form that was sent is made of: a button has sent nothing but what is the page's own. */
export function kindOf(request: FastifyRequest): FormKind {
  const { formKind } = request.routeOptions.config
  return formKind ?? (filledIn(request).length === 0 ? 'button' : 'fields')
}

function filledIn({ body }: FastifyRequest): [string, string][] {
  const fields = body instanceof Map ? (body as FormFields) : formFields(body)
  return [...fields].filter(([name]) => !name.startsWith('_'))
}
