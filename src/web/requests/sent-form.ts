import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
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

/** The parameter of an address that names what its page shows again. */
const FORM_PARAMETER = 'form'

/** What an address names as kept. */
export function keptIn(address: string): string | undefined {
  const [, query] = address.split('?', 2)
  return z.uuid().safeParse(new URLSearchParams(query).get(FORM_PARAMETER)).data
}

/** The address of a page that shows again what is kept. */
export function addressOf(path: string, id: string): string {
  return `${path}?${FORM_PARAMETER}=${id}`
}

/** The address that was asked for, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '/'
}
