import { domainToASCII, domainToUnicode } from 'node:url'
import { z } from 'zod'
import { lookAlikeWarning } from './look-alikes.ts'

/** RFC 5321, 4.5.3.1: 64 octets of local part, `@`, 255 of domain. */
export const EMAIL_MAX_LENGTH = 320
/** RFC 1035, 2.3.4: a name of the DNS with its lengths, without the dot at its end. */
const DOMAIN_MAX_LENGTH = 253

/**
 * The one spelling of an address: NFKC, in small letters, without surrounding space, the domain as
 * the DNS has it (UTS 46 to ASCII, non-transitional: `straße` and `strasse` are two domains) and
 * without a dot at its end. Of what is no domain only the letters change. Longer texts than an
 * address can be come back as they are.
 */
export function normalEmail(text: string): string {
  if (text.length > EMAIL_MAX_LENGTH) return text
  const composed = text.normalize('NFKC').trim().replaceAll('\u3002', '.')
  const at = composed.lastIndexOf('@')
  const domain = at < 0 ? undefined : asciiDomain(composed.slice(at + 1))
  if (domain === undefined) return smallLetters(composed)
  return `${smallLetters(composed.slice(0, at))}@${domain}`
}

/** Small letters of composed characters may compose again. */
function smallLetters(text: string): string {
  return text.toLowerCase().normalize('NFKC')
}

/** A domain as the DNS has it; undefined for what is none there. */
function asciiDomain(text: string): string | undefined {
  // Other ASCII characters would mean a port, a path or an escape to `domainToASCII`, and it
  // would write a number as an IP address.
  if (/[^\P{ASCII}A-Za-z0-9.-]/u.test(text) || /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(text)) {
    return undefined
  }
  const ascii = domainToASCII(text).replace(/\.$/, '')
  const labels = ascii.split('.')
  const isName =
    ascii.length <= DOMAIN_MAX_LENGTH &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  if (!isName) return undefined
  // A label in ASCII may be one that no name has: `xn--a` is refused in Unicode only.
  const unicode = domainToUnicode(ascii)
  const isReadable = !/(?:^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii
  return isReadable ? ascii : undefined
}

/**
 * What a search looks for in the addresses that are kept: a domain, or a part of one between two
 * dots, as the DNS has it. Other parts of a domain in letters of its own are in no address.
 */
export function searchedInEmails(text: string): string {
  if (text.includes('@')) return normalEmail(text)
  return text.length > EMAIL_MAX_LENGTH ? text : (asciiDomain(text.trim()) ?? text)
}

/** An address in its one spelling, with the domain in its own letters. */
function inUnicode(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return asciiDomain(domain) === domain ? email.slice(0, at + 1) + domainToUnicode(domain) : email
}

/**
 * An address in its one spelling as people read it: the domain in its own letters, unless it may be
 * mistaken for another one.
 */
export function shownEmail(email: string): string {
  if (!email.includes('xn--')) return email
  const shown = inUnicode(email)
  const labels = shown.slice(shown.lastIndexOf('@') + 1).split('.')
  return labels.some((label) => lookAlikeWarning(label) !== undefined) ? email : shown
}

/**
 * Whether an address differs from its one spelling in capital letters only, and in how the DNS
 * writes its domain. Of another one `normalEmail` may be the mailbox of somebody else: to a mail
 * server, fullwidth letters and the Kelvin sign are other letters than those that they look like.
 */
export function isOwnSpelling(text: string): boolean {
  const composed = text.normalize('NFKC')
  const normal = normalEmail(text)
  // The Kelvin sign has a plain k for its small letter.
  return text === composed && [normal, inUnicode(normal)].includes(smallLetters(text))
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
  .refine((text) => !/\p{C}/u.test(text), { error: NO_EMAIL, abort: true })

/**
 * Whether an address in its one spelling is one that the marketplace gives to users of its own: test
 * users of a developer's sandbox (`@<developer id>.invalid`) and removed ones (`@removed.invalid`).
 * `.invalid` is no domain (RFC 2606), so no mail arrives there.
 */
export function isReserved(email: string): boolean {
  return /@(?:removed|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.invalid\.?$/.test(email)
}

/** Whether an address in its one spelling is at a domain of the internet. */
function isAtDomain(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return domain.includes('.') && asciiDomain(domain) === domain
}

/** The address of a person. Those of before, at other domains, still sign in. */
export const PersonalEmail = EmailAddress.refine(isAtDomain, {
  error: 'must be at a domain, such as example.com',
  abort: true,
}).refine(
  (text) => !isReserved(text),
  'must not be an address that the marketplace gives to users of its own',
)
