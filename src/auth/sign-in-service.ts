import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import {
  type LoginAttempt,
  recordLoginFailure,
  requireLoginBudget,
} from './login-limits-service.ts'

type SignInDeps = Pick<Deps, 'pool' | 'passwords'>

/**
 * A stored password, and how to store a stronger hash of it. `rehash` may only replace `hash`:
 * the password may have been changed meanwhile.
 */
export type StoredPassword = { hash: string; rehash: (hash: string) => Promise<unknown> }

/**
 * Checks a password under the limits of failed sign-ins: refused without hashing when the budget
 * is spent, in the same time whether the id is known or not. A flood costs the database little:
 * what finds no room to wait is refused before any query.
 *
 * @param find what is stored for the id; undefined when it is unknown or may not sign in
 * @returns what was found when the password is its own
 * @throws AppError too_many_requests, unavailable when too many passwords are being checked
 */
export async function checkPassword<Stored extends StoredPassword>(
  deps: SignInDeps,
  attempt: LoginAttempt,
  find: () => Promise<Stored | undefined>,
  password: string,
): Promise<Stored | undefined> {
  deps.passwords.requireRoom()
  await requireLoginBudget(deps, attempt)
  let stored: Stored | undefined
  const { matches, outdated } = await deps.passwords.verify(password, {
    async find() {
      // Asked again when its turn has come: those before it in the queue may have failed.
      await requireLoginBudget(deps, attempt)
      stored = await find()
      return stored?.hash
    },
    failed: () => recordLoginFailure(deps, attempt),
  })
  if (!matches || stored === undefined) return undefined
  if (outdated) await strengthen(deps, stored, password)
  return stored
}

/** When there is no time for it now, the next sign-in tries again. */
async function strengthen(
  { passwords }: Pick<Deps, 'passwords'>,
  stored: StoredPassword,
  password: string,
): Promise<void> {
  try {
    await stored.rehash(await passwords.hash(password))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
  }
}
