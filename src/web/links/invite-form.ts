import { shownEmail } from '../../base/values/email.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import type { ChoiceOption, FormSpec } from '../kit/fields.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'

/** What the roles of a developer may do. */
export const DEVELOPER_ROLES_HINT =
  'Members work with apps and installations. Owners also manage members and credentials.'

/** Asks whom to invite, and as what. */
export function inviteFields(roles: readonly ChoiceOption[], rolesHint: string): FormSpec {
  return {
    name: { label: 'Name' },
    email: { label: 'Email', keyboard: 'email' },
    role: { label: 'Role', kind: 'choice', choices: roles, hint: rolesHint },
  }
}

/** What such a form says; a role that it does not have is that of a member. */
export function invitationOf<Role extends string>(typed: FormFields, higher: Role) {
  const role: Role | 'member' = typed.get('role') === higher ? higher : 'member'
  return { name: typed.get('name') ?? '', email: typed.get('email') ?? '', role }
}

/** What the page says under its title. */
export function inviteLead(sendsMail: boolean): string {
  const lifetime = lifetimeText('invitation')
  return sendsMail
    ? `The person gets a mail with a link. It expires after one use or ${lifetime}.`
    : `You get a link to share. It expires after one use or ${lifetime}.`
}

type Invited = { name: string; email: string; link?: string | undefined }

/** What has been done: a mail was sent, or there is a link that is shown this once. */
export function invited({ name, email, link }: Invited) {
  const title = `${name} was invited.`
  if (link === undefined) return { text: title }
  return { secret: { title, what: 'link', facts: { Email: shownEmail(email), Link: link } } }
}
