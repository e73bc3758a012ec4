import { AppError } from '../../errors.ts'

/** What a link is for. A link of one purpose does nothing where another one is asked for. */
export type LinkPurpose = 'invitation' | 'password_reset' | 'email_change' | 'sign_in'

/** How long a link works. */
export const LINK_TTL_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 86_400,
  password_reset: 30 * 60,
  email_change: 86_400,
  sign_in: 10 * 60,
}

/** How long a link works, in words: "7 days", "24 hours", "30 minutes". */
export function lifetimeText(purpose: LinkPurpose): string {
  const minutes = LINK_TTL_SECONDS[purpose] / 60
  if (minutes <= 60) return `${minutes} minutes`
  return minutes <= 24 * 60 ? `${minutes / 60} hours` : `${minutes / (24 * 60)} days`
}

/** The page that a link opens. It changes nothing until its form is sent. */
const LINK_PAGES: Readonly<Record<LinkPurpose, string>> = {
  invitation: '/invitation',
  password_reset: '/reset-password',
  email_change: '/confirm-email',
  sign_in: '/signin/link',
}

/**
 * The address that somebody opens. The token is in the query: the log and the traces have paths
 * only, and the page sends no referrer.
 */
export function linkAddress(publicUrl: string, purpose: LinkPurpose, token: string): string {
  return `${publicUrl}${LINK_PAGES[purpose]}?token=${token}`
}

/** Why a link does nothing. */
export type DeadLink = 'unknown' | 'used' | 'ended' | 'expired'

const REASONS: Readonly<Record<DeadLink, string>> = {
  unknown: 'There is no such link. Check that you copied all of it, and that it is the newest one.',
  used: 'This link was used already. It works once.',
  ended: 'This link was revoked, or a newer one took its place. Use the newest one.',
  expired: 'This link has expired.',
}

/** What a link that was used has done, for a visitor who goes back to its page. */
const DONE: Readonly<Record<LinkPurpose, string>> = {
  invitation: 'The invitation is accepted already',
  password_reset: 'The password is changed already',
  email_change: 'The email is confirmed already',
  sign_in: 'The sign-in link was used already',
}

/** The refusal of a link that does nothing any more. */
export function deadLink(purpose: LinkPurpose, reason: DeadLink): AppError {
  const isUsed = reason === 'used'
  // Asks who is not signed in to sign in.
  const ways = [
    isUsed
      ? { href: '/Account', label: 'Go to your account' }
      : { href: '/login', label: 'Sign in' },
  ]
  if (purpose === 'password_reset') ways.push({ href: '/forgot', label: 'Get a new link' })
  const title = isUsed ? DONE[purpose] : 'The link cannot be used'
  return new AppError('invalid_link', {
    detail: `${REASONS[reason]}${isUsed ? '' : ' If you still need one, ask for a new link.'}`,
    page: { title, ways, isFault: false },
  })
}
