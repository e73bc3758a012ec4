/** A mail to be sent. It names no secret: the link is made when the mail is. */
export type MailJob =
  /** The mail of a link, whose token is made when the mail is sent. */
  | { linkId: string }
  /** Somebody has asked for a new password for this address, which nobody may have. */
  | { resetFor: string; askedAt: string }
  /** The second factor of this user was taken off by somebody else. */
  | { factorRemovedOf: string }
