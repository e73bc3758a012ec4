import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { AppError } from '../errors.ts'

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const ARGON2_OPTIONS: argon2.HashOptions = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** Longer passwords are refused before any hashing. */
export const PASSWORD_MAX_BYTES = 1024
/** NIST SP 800-63B, 5.1.1: length is what counts. */
export const PASSWORD_MIN_LENGTH = 8

const WAITING_PER_SLOT = 16
const RETRY_AFTER_SECONDS = 2

export type PasswordHasher = {
  /** @throws AppError unavailable when too many hashes wait already */
  hash(password: string): Promise<string>
  /**
   * Takes the same time whether there is a hash or not, so that an unknown id cannot be told
   * from a wrong password.
   *
   * @param steps `find` runs when the turn has come and answers the stored hash, or undefined
   *   when the id is unknown; `failed` runs when the password is wrong, before the next one's turn
   * @returns `outdated`: the hash was made with weaker parameters than the current ones
   * @throws AppError unavailable when too many hashes wait already
   */
  verify(
    password: string,
    steps: { find: () => Promise<string | undefined>; failed: () => Promise<void> },
  ): Promise<{ matches: boolean; outdated: boolean }>
  /**
   * For callers that would do some work before.
   *
   * @throws AppError unavailable when too many hashes wait already
   */
  requireRoom(): void
}

/**
 * Hashes passwords with argon2id, at most `concurrency` at once and with a short queue: each
 * hash takes a thread of the pool that files and DNS use too.
 */
export async function createPasswordHasher(concurrency: number): Promise<PasswordHasher> {
  const gate = createGate(concurrency, concurrency * WAITING_PER_SLOT)
  const nobodysHash = await argon2.hash(randomBytes(32), ARGON2_OPTIONS)
  return {
    hash: (password) => gate.run(() => argon2.hash(password, ARGON2_OPTIONS)),
    verify: (password, { find, failed }) =>
      gate.run(async () => {
        const hash = await find()
        const matches = (await argon2.verify(hash ?? nobodysHash, password)) && hash !== undefined
        if (!matches) await failed()
        return { matches, outdated: matches && argon2.needsRehash(hash, ARGON2_OPTIONS) }
      }),
    requireRoom: gate.requireRoom,
  }
}

function createGate(slots: number, queueLimit: number) {
  const waiting: (() => void)[] = []
  let free = slots

  const requireRoom = (): void => {
    if (free > 0 || waiting.length < queueLimit) return
    throw new AppError('unavailable', {
      detail: 'Too many sign-ins at once. Try again in a moment.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    requireRoom()
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
  return { run, requireRoom }
}

/** A password for a new credential: 192 random bits, URL-safe. */
export function generatePassword(): string {
  return randomBytes(24).toString('base64url')
}
