import { siteOf } from '../../base/values/client-network.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import {
  beginSignInAttempt,
  endSignInAttempt,
  type LoginAttempt,
  requireSignInBudget,
} from './failed-sign-in-limits-service.ts'
import { familiarKey, rememberNetwork } from './familiar-networks-service.ts'
import type { HashCaller } from './passwords.ts'

type SignInDeps = Pick<Deps, 'pool' | 'passwords' | 'measures'>

/**
 * A stored password, and how to store a stronger hash of it. `rehash` may only replace `hash`:
 * the password may have been changed meanwhile.
 */
export type StoredPassword = { hash: string; rehash: (hash: string) => Promise<unknown> }

/**
 * Checks a password under the limits of failed sign-ins: refused without hashing when the budget
 * is spent, in the same time whether the id is known or not. A flood costs the database little:
 * what finds no room to wait is refused before any query but a look-up that all share, and the two
 * of `checkGenerated`.
 *
 * @param find what is stored for the id; undefined when it is unknown or may not sign in
 * @param caller who is signed in already and gives the own password again; a stranger otherwise, whose
 *   turn comes sooner where the id was signed in from the same network before
 * @returns what was found when the password is its own
 * @throws AppError too_many_requests, unavailable when too many passwords are being checked
 */
export async function checkPassword<Stored extends StoredPassword>(
  deps: SignInDeps,
  attempt: LoginAttempt,
  find: () => Promise<Stored | undefined>,
  password: string,
  caller?: HashCaller,
): Promise<Stored | undefined> {
  const { passwords } = deps
  let stored: Stored | undefined
  let underWay = false
  let wrong = false
  try {
    const findHash = async () => {
      await requireSignInBudget(deps, attempt)
      // Until it is known to be right it spends the budget like a wrong one.
      await beginSignInAttempt(deps, attempt)
      underWay = true
      stored = await find()
      return stored?.hash
    }
    const { matches, outdated } = await passwords
      .verify(password, findHash, caller ?? (await strangerOf(deps, attempt)))
      .catch((error: unknown) => {
        countRefusal(deps, attempt, error)
        throw error
      })
    wrong = !matches
    deps.measures.signIns[attempt.kind][matches ? 'succeeded' : 'wrong'] += 1
    if (wrong || stored === undefined) return undefined
    await rememberNetwork(deps, attempt)
    if (outdated) await strengthen(deps, stored, password, attempt)
    return stored
  } finally {
    if (underWay) await endSignInAttempt(deps, attempt, wrong)
  }
}

/**
 * Checks a generated secret, which needs no slow hash and so no turn of the password hasher. Only a
 * right one is accepted here: `checkPassword` checks all others, and takes the time that it takes.
 *
 * @param find what is stored for the id; undefined when it is unknown or may not sign in
 * @param isOf whether the secret is that of what was found
 * @returns what was found when the secret is its own
 * @throws AppError too_many_requests
 */
export async function checkGenerated<Stored>(
  deps: Pick<Deps, 'pool' | 'measures'>,
  attempt: LoginAttempt,
  find: () => Promise<Stored | undefined>,
  isOf: (stored: Stored) => boolean,
): Promise<Stored | undefined> {
  await requireSignInBudget(deps, attempt).catch((error: unknown) => {
    countRefusal(deps, attempt, error)
    throw error
  })
  const stored = await find()
  if (stored === undefined || !isOf(stored)) return undefined
  deps.measures.signIns[attempt.kind].succeeded += 1
  return stored
}

/** Whose turn a sign-in takes: its network's, or one of its own from a network that is familiar. */
async function strangerOf(deps: Pick<Deps, 'pool'>, attempt: LoginAttempt): Promise<HashCaller> {
  const familiar = await familiarKey(deps, attempt)
  return familiar === undefined
    ? { kind: 'network', id: siteOf(attempt.address) }
    : { kind: 'familiar', id: familiar }
}

function countRefusal(
  { measures }: Pick<Deps, 'measures'>,
  { kind }: LoginAttempt,
  error: unknown,
): void {
  if (!(error instanceof AppError)) return
  if (error.code === 'too_many_requests') measures.signIns[kind].limited += 1
  if (error.code === 'unavailable') measures.signIns[kind].overloaded += 1
}

/** When there is no time for it now, the next sign-in tries again. */
async function strengthen(
  { passwords }: Pick<Deps, 'passwords'>,
  stored: StoredPassword,
  password: string,
  caller: HashCaller,
): Promise<void> {
  try {
    await stored.rehash(await passwords.hash(password, caller))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
  }
}
