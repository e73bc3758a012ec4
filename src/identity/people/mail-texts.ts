import type { MailText } from '../../base/mail/message.ts'
import { shownEmail } from '../../base/values/email.ts'
import { lifetimeText } from '../links/link.ts'
import type { InvitationInNames, InvitedTo } from './invitation.ts'

const IGNORE = 'If you did not expect this mail, you can ignore it.'

/** Where the marketplace is, and the address of the link. */
type Place = { publicUrl: string; address: string }

/** What an invitation is for, with the role there, as a list of things. */
export function invitedTo(invited: InvitedTo): string[] {
  const { parties, developer, role, operator, support } = invited
  const [admin, owner] = role === 'member' ? ['a member', 'a member'] : ['an admin', 'an owner']
  return [
    ...parties.map((name) => `${name} as ${admin}`),
    ...(developer === undefined ? [] : [`the developer ${developer} as ${owner}`]),
    ...(operator ? ['the operator console'] : []),
    ...(support ? ['the operator console (to look only)'] : []),
  ]
}

/** Who invites, as the begin of a sentence; the operator has no name. */
export function inviterText(inviter: string | undefined): string {
  return inviter ?? 'The operator of this marketplace'
}

/** The mail with the link of an invitation: who invites, to what, and as what. */
export function invitationMail({ publicUrl, address }: Place, shown: InvitationInNames): MailText {
  const things = invitedTo(shown)
  const what = things.length === 0 ? '' : ` to ${things.join(', ')}`
  return {
    subject: 'You are invited to App Marketplace',
    paragraphs: [
      'Hello,',
      `${inviterText(shown.inviter)} invites you${what}, on App Marketplace at ${publicUrl}.`,
    ],
    link: { label: 'Accept the invitation', address },
    closing: [`The link works once, for ${lifetimeText('invitation')}.`, IGNORE],
  }
}

/** The mail with the link by which a user chooses a new password. */
export function passwordResetMail({ publicUrl, address }: Place): MailText {
  return {
    subject: 'Choose a new password for App Marketplace',
    paragraphs: [
      'Hello,',
      `somebody asked for a new password for this address on App Marketplace at ${publicUrl}.`,
    ],
    link: { label: 'Choose a new password', address },
    closing: [
      `The link works once, for ${lifetimeText('password_reset')}.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
  }
}

/** The mail that asks to confirm a change of email; both addresses get it. */
export function emailChangeMail({ publicUrl, address }: Place, { to }: { to: string }): MailText {
  return {
    subject: 'Confirm the change of your email for App Marketplace',
    paragraphs: [
      'Hello,',
      `somebody asked to sign in with ${shownEmail(to)} on App Marketplace at ${publicUrl} from now on.`,
      'The email changes when both the former and the new address have confirmed it.',
    ],
    link: { label: 'Confirm the change', address },
    closing: [
      `The link works once, for ${lifetimeText('email_change')}.`,
      'If it was not you, do not confirm: the email stays as it is. If you use App Marketplace, change your password.',
    ],
  }
}

/** Tells the owner of a second factor that an operator has taken it off. */
export function factorRemovedMail({
  publicUrl,
  passwordLogin,
}: {
  publicUrl: string
  passwordLogin: boolean
}): MailText {
  const left = passwordLogin
    ? 'You sign in with your password alone now.'
    : 'You sign in without it now.'
  const change = passwordLogin ? 'change your password and tell' : 'tell'
  return {
    subject: 'Your second factor for App Marketplace was taken off',
    paragraphs: [
      'Hello,',
      `an operator has taken off your second factor on App Marketplace at ${publicUrl}. ${left}`,
    ],
    link: { label: 'Turn it on again', address: `${publicUrl}/Account/Security` },
    closing: [`If you did not ask for this, ${change} the operator.`],
  }
}
