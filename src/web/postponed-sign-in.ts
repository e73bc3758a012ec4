import { AppError } from '../errors.ts'

/** What the sign-in says of a password that was not even looked at. */
type Postponed = { text: string; refused: { name: string; status: number; waitSeconds: number } }

/**
 * Why a password was not even looked at, in words that say how long to wait.
 *
 * @param name of who wanted to sign in, as it was typed
 * @throws the error itself when it is about something else
 */
export function postponed(error: unknown, name: string): Postponed {
  const isLimit = error instanceof AppError && error.code === 'too_many_requests'
  const isBusy = error instanceof AppError && error.code === 'unavailable'
  if (!isLimit && !isBusy) throw error
  const { retryAfterSeconds: waitSeconds = 1 } = error.options
  const why = isLimit ? 'Too many wrong passwords came from here.' : 'Many people are signing in.'
  const wait = `Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}, then try again.`
  return { text: `${why} ${wait}`, refused: { name, status: error.status, waitSeconds } }
}
