import { readFileSync } from 'node:fs'
import { unprocessable } from '../../base/values/field-errors.ts'
import { isCommon, isNameOf } from './common-passwords.ts'

/** Made by `scripts/common-passwords.ts`. */
const FILTER = readFileSync(new URL('common-passwords.bin', import.meta.url))

/**
 * Refuses a chosen password that others would try first (NIST SP 800-63B, 3.1.1.2): a common one, the
 * name or address of whom it is for, or the name of the product.
 *
 * @param names of whom it is for: name, email, client id
 * @throws AppError unprocessable
 */
export function requireHardToGuess(password: string, names: readonly string[]): void {
  const refuse = (detail: string) => unprocessable([{ pointer: '/password', detail }])
  if (isCommon(FILTER, password)) {
    throw refuse('This password is among the most common ones. Choose another.')
  }
  if (isNameOf(password, names)) {
    throw refuse('This password is easy to guess from the name or email. Choose another.')
  }
}
