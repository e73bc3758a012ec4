import { hash, randomInt } from 'node:crypto'
import { asciiDigits } from '../../../base/values/text-forms/digits.ts'

const RECOVERY_CODES = 10
/** Without what looks alike. 17 of these 31 characters are 84 random bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 17
const GROUP_LENGTH = 6
/** What somebody types may have spaces, hyphens and a few characters too many. */
const TYPED_MAX_LENGTH = 64

/** A code as it was typed: of the app, or a recovery code by its hash. */
type FactorCode =
  | { kind: 'app'; code: string }
  | { kind: 'recovery'; sha256: Uint8Array<ArrayBuffer> }

/** Reads a code that somebody typed; undefined when it has the form of none. */
export function factorCodeOf(typed: string): FactorCode | undefined {
  if (typed.length > TYPED_MAX_LENGTH) return undefined
  // Keyboards write the digits of their script, and the long sound mark for a hyphen; programs make
  // other dashes of hyphens, and put marks of direction around what is copied.
  const code = asciiDigits(typed.normalize('NFKC'))
    .replaceAll(/[\s\p{Dash}ー\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
  if (/^\d{6}$/.test(code)) return { kind: 'app', code }
  if (!/^[a-z2-9]{17}$/.test(code)) return undefined
  return { kind: 'recovery', sha256: recoveryHash(code) }
}

/** Ten codes, each for one use: as the user writes them down, and as they are stored. */
export function newRecoveryCodes(): { shown: string; sha256: Uint8Array<ArrayBuffer> }[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: RECOVERY_LENGTH }, () =>
      ALPHABET.charAt(randomInt(ALPHABET.length)),
    ).join('')
    const groups = [0, GROUP_LENGTH, 2 * GROUP_LENGTH]
    const shown = groups.map((at) => code.slice(at, at + GROUP_LENGTH)).join('-')
    return { shown, sha256: recoveryHash(code) }
  })
}

function recoveryHash(code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', code, 'buffer'))
}
