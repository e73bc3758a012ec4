import { z } from 'zod'

/** RFC 5321, 4.5.3.1: 64 octets of local part, `@`, 255 of domain. */
export const EMAIL_MAX_LENGTH = 320

/**
 * The one spelling of an address: NFKC, in small letters, without surrounding space. Longer texts
 * than an address can be come back as they are.
 */
export function normalEmail(text: string): string {
  if (text.length > EMAIL_MAX_LENGTH) return text
  // Small letters of composed characters may compose again.
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC').replaceAll('\u3002', '.')
}

/**
 * Whether an address differs from its one spelling in capital letters only. Of another one
 * `normalEmail` may be the mailbox of somebody else: to a mail server, fullwidth letters and the
 * Kelvin sign are other letters than those that they look like.
 */
export function isOwnSpelling(text: string): boolean {
  const composed = text.normalize('NFKC')
  // The Kelvin sign has a plain k for its small letter.
  return text === composed && text.toLowerCase() === normalEmail(text)
}

const NO_EMAIL = 'must be an email address'

/**
 * An address as it is kept. It can stand in the envelope and the head of a mail as it is. The
 * OpenAPI document has the pattern: it is one that every language reads, so that `\p{C}` is apart.
 */
export const EmailAddress = z
  .string()
  .overwrite(normalEmail)
  .max(EMAIL_MAX_LENGTH)
  .regex(/^[^\s@<>,;"()]+@[^\s@<>,;"()]+$/, { error: NO_EMAIL, abort: true })
  .refine((text) => !/\p{C}/u.test(text), NO_EMAIL)

/**
 * Whether an address in its one spelling is one that the marketplace gives to users of its own: test
 * users of a developer's sandbox (`@<developer id>.invalid`) and removed ones (`@removed.invalid`).
 * `.invalid` is no domain (RFC 2606), so no mail arrives there.
 */
export function isReserved(email: string): boolean {
  return /@(?:removed|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.invalid\.?$/.test(email)
}

/** The address of a person. */
export const PersonalEmail = EmailAddress.refine(
  (text) => !isReserved(text),
  'must not be an address that the marketplace gives to users of its own',
)
