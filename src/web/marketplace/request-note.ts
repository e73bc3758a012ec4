import { NewInstallRequest } from '../../marketplace/installations/requests/install-request.ts'
import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import { type FormFields, multilineText } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'

/** Hidden field of the forms of a member: what they make is a request, whatever the role is now. */
export const REQUEST_FIELD = 'request'
export const NOTE_FIELD = 'note'

/** Tells a member who decides. */
export const requestNotice = html`<div class="notice"><p>
Your admins will review this request.</p></div>`

/** What a member tells the admins beside the request. */
export function requestNote(typed: FormFields | undefined, problems: readonly FormProblem[]): Html {
  const { attributes, message } = describedBy(problems, NOTE_FIELD, ['note-hint'])
  return html`<section class="card"><div class="field"><label for="note">Note for the admins</label>
<p class="hint" id="note-hint">Optional: at most 500 characters.</p>
${message}<textarea id="note" name="${NOTE_FIELD}" rows="3" dir="auto"${attributes}>
${typed?.get(NOTE_FIELD) ?? ''}</textarea></div></section>`
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
