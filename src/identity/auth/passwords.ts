import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { formsOfPassword, normalPassword } from './password-text.ts'
import { createPasswordTurns, type LaneLimits } from './password-turns.ts'

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
 * How many sign-ins of one network, or of one id from a familiar network, wait at most: an office or
 * several programs sign in together.
 * With two that are computed they are as many as the wrong passwords that one id may have.
 */
const STRANGERS_EACH = 8
/** How many sign-ins of a network whose last password was wrong wait at once. */
const GUESSERS_EACH = 2
/**
 * The others wait by the hash that is computed at once. A sign-in is checked in about 30 ms: the last
 * of 64 networks waits for two seconds.
 */
const WAITING_PER_SLOT = 64
const KNOWN_EACH_PER_SLOT = 16
const PATIENCE_MS = 5_000
/** Networks that are remembered for a wrong password; of more the first ones are forgotten. */
const FAILED_MAX = 10_000

/**
 * Whose hash it is: turns go from one caller to the next. A `network` is a stranger's; `familiar` is
 * an id from a network from which it was signed in before. All others are authenticated, or the
 * system itself. Each of the three has a lane beside the others.
 */
export type HashCaller = { kind: string; id: string | null }

/** `guessers`: networks whose last password was wrong, or that try several at once. */
type Lane = 'known' | 'familiar' | 'strangers' | 'guessers'

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
  const all = concurrency * WAITING_PER_SLOT
  const limits: Record<Lane, LaneLimits<Lane>> = {
    familiar: { each: STRANGERS_EACH, all },
    strangers: { each: STRANGERS_EACH, all, busy: 'guessers' },
    guessers: { each: GUESSERS_EACH, all },
    known: { each: concurrency * KNOWN_EACH_PER_SLOT, all },
  }
  const turns = createPasswordTurns(concurrency, limits, patienceMs)
  // Networks whose last password was wrong. They, and those that try more than one at once, have a
  // lane of their own, so that a right one need not wait for a turn of each of them.
  // It decides the order of turns, no more.
  const failed = new Set<string>()
  const placeOf = ({ kind, id }: HashCaller): [lane: Lane, party: string] => {
    const party = `${kind} ${id}`
    if (kind === 'familiar') return ['familiar', party]
    if (kind !== 'network') return ['known', party]
    return [failed.has(party) ? 'guessers' : 'strangers', party]
  }
  const remember = (lane: Lane, party: string, matches: boolean) => {
    if (lane !== 'strangers' && lane !== 'guessers') return
    failed.delete(party)
    if (matches) return
    failed.add(party)
    const [oldest] = failed
    if (failed.size > FAILED_MAX && oldest !== undefined) failed.delete(oldest)
  }
  const nobodysHash = await argon2.hash(randomBytes(32), options)
  return {
    gate: turns.state,
    hash: (password, caller) =>
      turns.run(
        ...placeOf(caller),
        async () => normalPassword(password),
        (normal) => argon2.hash(normal, options),
      ),
    verify(password, find, caller) {
      const [lane, party] = placeOf(caller)
      return turns.run(lane, party, find, async (stored) => {
        const hash = stored === NO_PASSWORD_HASH ? undefined : stored
        const [normal, ...former] = formsOfPassword(password)
        const isOf = async (form: string) =>
          (await argon2.verify(hash ?? nobodysHash, form)) && hash !== undefined
        let matches = await isOf(normal)
        const isCurrent = matches && hash !== undefined && !argon2.needsRehash(hash, options)
        for (const form of former) matches ||= await isOf(form)
        remember(lane, party, matches)
        return { matches, outdated: matches && !isCurrent }
      })
    },
  }
}

/** A random password for a user: 192 bits, URL-safe. */
export function generatePassword(): string {
  return randomBytes(24).toString('base64url')
}
