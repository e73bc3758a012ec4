/** Longer passwords are refused before any hashing. */
export const PASSWORD_MAX_BYTES = 1024
/** NIST SP 800-63B, 5.1.1: length is what counts. In code points of the normal form. */
export const PASSWORD_MIN_LENGTH = 8
/** What has more bytes than this has a normal form of more than PASSWORD_MAX_BYTES. */
const TYPED_MAX_BYTES = 3 * PASSWORD_MAX_BYTES

/**
 * The form in which a password is hashed and compared, whichever keyboard, system or program it was
 * typed with: OpaqueString of RFC 8265, 4.2. Spaces of all kinds are U+0020, the text is in NFC; case
 * and width stay.
 */
export function normalPassword(typed: string): string {
  return typed.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC')
}

/**
 * The texts that a stored hash may be of: the normal form, and one that a program which wrote the hash
 * itself may have hashed. That is the text as it was typed, or what another system makes of it (macOS
 * names files in NFD). How many there are depends on what was typed only.
 */
export function formsOfPassword(typed: string): [normal: string, ...former: string[]] {
  const normal = normalPassword(typed)
  const former = typed === normal ? typed.normalize('NFD') : typed
  return former === normal ? [normal] : [normal, former]
}

/** Whether a password is too long to be anybody's. */
export function isPasswordTooLong(typed: string): boolean {
  const bytes = Buffer.byteLength(typed)
  if (bytes <= PASSWORD_MAX_BYTES) return false
  // First what was typed: the time to normalise a hostile text grows faster than the text.
  return bytes > TYPED_MAX_BYTES || Buffer.byteLength(normalPassword(typed)) > PASSWORD_MAX_BYTES
}

/** Whether a password that somebody chooses has too few characters. */
export function isPasswordTooShort(typed: string): boolean {
  if (typed.length > PASSWORD_MAX_BYTES) return false
  return [...normalPassword(typed)].length < PASSWORD_MIN_LENGTH
}

/** Whether two typed passwords are one password. */
export function isSamePassword(one: string, other: string): boolean {
  if (isPasswordTooLong(one) || isPasswordTooLong(other)) return one === other
  return normalPassword(one) === normalPassword(other)
}
