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
