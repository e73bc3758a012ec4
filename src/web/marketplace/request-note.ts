import { NewInstallRequest } from '../../marketplace/installations/requests/install-request.ts'
import { controlView, type Field } from '../kit/fields.ts'
import { type FormProblem, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { type FormFields, multilineText } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'

/** Hidden field of the forms of a member: what they make is a request, whatever the role is now. */
export const REQUEST_FIELD = 'request'
export const NOTE_FIELD = 'note'

/** Tells a member who decides. */
export const requestNotice = html`<div class="notice"><p>Your admins will review this request.</p></div>`

const NOTE = {
  kind: 'lines',
  rows: 3,
  label: 'Note for the admins',
  hint: 'At most 500 characters.',
  optional: true,
} as const satisfies Field

/** What a member tells the admins beside the request. */
export function requestNote(typed: FormFields | undefined, problems: readonly FormProblem[]): Html {
  const attempt = { problems, typed: typed ?? UNTOUCHED.typed }
  return html`<section class="card">${controlView(NOTE_FIELD, NOTE, attempt)}</section>`
}

/** The note of a form, or what is wrong with it. */
export function noteOf(
  fields: FormFields,
): { note: string | undefined } | { problem: FormProblem } {
  const result = NewInstallRequest.shape.note.safeParse(multilineText(fields, NOTE_FIELD))
  if (result.success) return { note: result.data }
  const text = 'Write a note of at most 500 characters, without control characters.'
  return { problem: { field: NOTE_FIELD, text } }
}
