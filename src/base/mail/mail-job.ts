import { declareJob } from '../jobs/job-kind.ts'

/** A mail to be sent. It names no secret: the link is made when the mail is. */
export type MailJob =
  /** The mail of a link, whose token is made when the mail is sent. */
  | { linkId: string }
  /** Somebody has asked for a new password for this address, which nobody may have. */
  | { resetFor: string; askedAt: string }
  /** The second factor of this user was taken off by somebody else. */
  | { factorRemovedOf: string }
  /** What this user has not read, as it was asked for at that time. */
  | DigestJob

/** The mail with the unread notifications of a user. */
export type DigestJob = { digestFor: string; askedAt: string }

/** Tried again for about a day while the mail server is away. */
export const MAIL = declareJob<MailJob>({
  name: 'mail',
  atOnce: 8,
  lastsSeconds: 60,
  retries: { count: 30, firstSeconds: 5, mostSeconds: 3600 },
})
