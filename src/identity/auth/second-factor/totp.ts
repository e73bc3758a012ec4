import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones differ: the code before and the code after are taken, too. */
const DRIFT_STEPS = 1
/** RFC 4226, 4: 160 bits. */
const SECRET_BYTES = 20
const ISSUER = 'App Marketplace'

/** A secret for an authenticator app, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Whether a text has the form of such a secret. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text)
}

/**
 * What an authenticator app reads from a QR code (`otpauth:` URI, Key Uri Format).
 *
 * @param account what the app shows beside the code
 */
export function totpUri(secret: string, account: string): string {
  return totpOf(secret, account).toString()
}

/**
 * The step of the time that a code belongs to (RFC 6238, 4.2).
 *
 * @returns undefined when it is no code of this time
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const drift = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS })
  return drift === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + drift
}

function totpOf(secret: string, label = ISSUER): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
  })
}

/** What the stored secret is bound to. */
export function factorSecretContext(userId: string): string {
  return `second factor:${userId}`
}
