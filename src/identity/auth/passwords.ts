import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import argon2 from 'argon2'
import { createBound } from '../../base/fair-share/bound.ts'
import { createSlots } from '../../base/fair-share/slots.ts'
import { AppError } from '../../errors.ts'
import { formsOfPassword, normalPassword } from './password-text.ts'

/** What a hash costs; tests that sign in often take less. */
export type HashCost = Pick<argon2.HashOptions, 'memoryCost' | 'timeCost'>

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const ARGON2_OPTIONS = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} satisfies argon2.HashOptions

/** Stored in place of a hash for whom nobody signs in with a password: no password has this hash. */
export const NO_PASSWORD_HASH = 'none'

/**
 * Sign-ins of one network, or of one id from a familiar network, that are under way at once: an office
 * or several programs sign in together. As many as the wrong passwords that one id may have.
 */
const STRANGERS_EACH = 10
/** The same of a network whose last password was wrong. */
const GUESSERS_EACH = 3
/**
 * Hashes under way, by those that are computed at once, of each kind of caller. One is checked in about
 * 30 ms: the last of 64 networks waits for two seconds.
 */
const UNDER_WAY_PER_SLOT = 65
/** The same of somebody who is authenticated. */
const KNOWN_EACH_PER_SLOT = 16
const PATIENCE_MS = 5_000
/** All networks whose last password was wrong wait as one: no other is behind each of them. */
const GUESSERS = 'guessers'
/** Networks that are remembered for a wrong password; of more the first ones are forgotten. */
const FAILED_MAX = 10_000
/** A refusal at once would let each connection of a flood ask thousands of times a second. */
const REFUSAL_DELAY_MS = 500
const RETRY_AFTER_SECONDS = 2

/**
 * Whose hash it is: callers take turns. A `network` is a stranger's; `familiar` is an id from a network
 * from which it was signed in before. All others are authenticated, or the system itself.
 */
export type HashCaller = { kind: string; id: string | null }

export type PasswordHasher = {
  /** @throws AppError unavailable when too many hashes wait already */
  hash(password: string, caller: HashCaller): Promise<string>
  /**
   * Takes the same time whether there is a hash or not, so that an unknown id cannot be told
   * from a wrong password.
   *
   * @param find answers the stored hash (`NO_PASSWORD_HASH` matches nothing), or undefined when the
   *   id is unknown; not asked when too many wait
   * @returns `outdated`: the hash was made with weaker parameters than the current ones, or of another
   *   form of the password than the normal one
   * @throws AppError unavailable when too many hashes wait already
   */
  verify(
    password: string,
    find: () => Promise<string | undefined>,
    caller: HashCaller,
  ): Promise<{ matches: boolean; outdated: boolean }>
  /** Hashes under way and waiting now, and those that were refused since the start. */
  gate(): { running: number; waiting: number; refused: number }
}

/**
 * Hashes passwords with argon2id, at most `concurrency` at once and with a short queue: each
 * hash takes a thread of the pool that files and DNS use too.
 *
 * @param patienceMs nobody waits longer for a turn
 */
export async function createPasswordHasher(
  concurrency: number,
  patienceMs = PATIENCE_MS,
  cost: HashCost = {},
): Promise<PasswordHasher> {
  const options = { ...ARGON2_OPTIONS, ...cost }
  const all = concurrency * UNDER_WAY_PER_SLOT
  const boundOf = (each: number) => createBound<string>({ each, all })
  // None of these takes a place of the others: guessers, other strangers, and who is known.
  const [guessers, strangers] = [boundOf(GUESSERS_EACH), boundOf(STRANGERS_EACH)]
  const [familiar, known] = [boundOf(STRANGERS_EACH), boundOf(concurrency * KNOWN_EACH_PER_SLOT)]
  let refused = 0
  const refusal = () => {
    refused += 1
    return new AppError('unavailable', {
      detail: 'Too many sign-ins at once. Try again in a moment.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const slots = createSlots<string>(concurrency, { patience: { ms: patienceMs, refusal } })
  const failed = new Set<string>()
  const remember = (caller: string, matches: boolean) => {
    failed.delete(caller)
    if (matches) return
    failed.add(caller)
    const [oldest] = failed
    if (failed.size > FAILED_MAX && oldest !== undefined) failed.delete(oldest)
  }
  const inTurn = async <Result>(
    { kind, id }: HashCaller,
    work: (hashing: <T>(hash: () => Promise<T>) => Promise<T>, caller: string) => Promise<Result>,
  ): Promise<Result> => {
    const caller = `${kind} ${id}`
    const isGuesser = failed.has(caller)
    const ofStranger = isGuesser ? guessers : strangers
    const ofKnown = kind === 'familiar' ? familiar : known
    const giveBack = (kind === 'network' ? ofStranger : ofKnown).take(caller)
    if (giveBack === undefined) {
      await sleep(REFUSAL_DELAY_MS)
      throw refusal()
    }
    try {
      const hashing = <T>(hash: () => Promise<T>) => slots.run(isGuesser ? GUESSERS : caller, hash)
      return await work(hashing, caller)
    } finally {
      giveBack()
    }
  }
  const nobodysHash = await argon2.hash(randomBytes(32), options)
  return {
    gate: () => ({ ...slots.state(), refused }),
    hash: (password, caller) =>
      inTurn(caller, (hashing) => hashing(() => argon2.hash(normalPassword(password), options))),
    verify: (password, find, { kind, id }) =>
      inTurn({ kind, id }, async (hashing, caller) => {
        const stored = await find()
        const hash = stored === NO_PASSWORD_HASH ? undefined : stored
        const [normal, ...former] = formsOfPassword(password)
        const isOf = async (form: string) =>
          (await argon2.verify(hash ?? nobodysHash, form)) && hash !== undefined
        return hashing(async () => {
          let matches = await isOf(normal)
          const isCurrent = matches && hash !== undefined && !argon2.needsRehash(hash, options)
          for (const form of former) matches ||= await isOf(form)
          if (kind === 'network') remember(caller, matches)
          return { matches, outdated: matches && !isCurrent }
        })
      }),
  }
}

/** A random password for a user: 192 bits, URL-safe. */
export function generatePassword(): string {
  return randomBytes(24).toString('base64url')
}
