import { shownEmail } from '../../base/values/email.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { describedBy, type FormAttempt, fieldProblemText } from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'

/** What a page of an invitation shows, beside its form. */
export type InviteShown = {
  sendsMail: boolean
  attempt: FormAttempt
  message: Message | undefined
}

type InviteForm = {
  action: string
  csrfToken: string
  attempt: FormAttempt
  roles: readonly (readonly [value: string, label: string])[]
  /** What the roles may do. */
  rolesHint: string
  /** Hidden fields of the form. */
  hidden?: Readonly<Record<string, string>>
  cancelHref: string
}

/** What the roles of a developer may do. */
export const DEVELOPER_ROLES_HINT =
  'Members work with apps and installations. Owners also manage members and credentials.'

/** Asks whom to invite, and as what. */
export function inviteForm(form: InviteForm): Html {
  const { action, csrfToken, attempt, roles, rolesHint, hidden = {}, cancelHref } = form
  const { problems, typed } = attempt
  const field = (name: string, label: string, keyboard: string) => {
    const { attributes, message } = describedBy(problems, name)
    return html`<div class="field"><label for="${name}">${label}</label>
${message}<input id="${name}" name="${name}" type="text" inputmode="${keyboard}" dir="auto" aria-required="true"
value="${typed.get(name) ?? ''}"${attributes}></div>
`
  }
  return html`<form class="card" method="post" action="${action}">
${csrfField(csrfToken)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${field('name', 'Name', 'text')}${field('email', 'Email', 'email')}
<div class="field"><label for="role">Role</label><p class="hint" id="role-hint">${rolesHint}</p>
<select id="role" name="role" aria-describedby="role-hint">${roles.map(
    ([
      value,
      label,
    ]) => html`<option value="${value}"${typed.get('role') === value && html` selected`}>${label}</option>
`,
  )}</select></div>
<p class="actions"><button class="button primary" type="submit">Invite</button>
<a class="button" href="${cancelHref}">Cancel</a></p></form>`
}

/** What the page says under its title. */
export function inviteLead(sendsMail: boolean): string {
  const lifetime = lifetimeText('invitation')
  return sendsMail
    ? `The person gets a mail with a link. It expires after one use or ${lifetime}.`
    : `You get a link to share. It expires after one use or ${lifetime}.`
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['email', 'Email'],
])

/**
 * Why nobody was invited.
 *
 * @throws the error itself, when it is not about the form
 */
export function inviteRefusal(error: unknown): Refusal {
  return refusalOf(
    error,
    ['unprocessable', 'too_many_requests'],
    ({ message, options: { errors } }) => {
      if (errors === undefined) return [{ field: undefined, text: message }]
      return errors.map(({ pointer, detail }) => {
        const field = pointer.slice(1)
        return { field, text: fieldProblemText(LABELS.get(field) ?? field, detail) }
      })
    },
  )
}

/** A link that is shown this once. */
export function invitedSecret(name: string, email: string, link: string) {
  return {
    title: `${name} was invited.`,
    what: 'link',
    facts: { Email: shownEmail(email), Link: link },
  }
}
