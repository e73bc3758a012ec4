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

/** An address as it is kept. It can stand in the envelope and the head of a mail as it is. */
export const EmailAddress = z
  .string()
  .overwrite(normalEmail)
  .max(EMAIL_MAX_LENGTH)
  .regex(/^[^\s@\p{C}<>,;"()]+@[^\s@\p{C}<>,;"()]+$/u, 'must be an email address')
