import { AppError } from '../../errors.ts'

/**
 * Why a password was not even looked at, in words that say how long to wait.
 *
 * @returns undefined when the error is about something else
 */
export function postponed(error: unknown): { error: AppError; text: string } | undefined {
  const isLimit = error instanceof AppError && error.code === 'too_many_requests'
  const isBusy = error instanceof AppError && error.code === 'unavailable'
  if (!isLimit && !isBusy) return undefined
  const { retryAfterSeconds: waitSeconds = 1 } = error.options
  const why = isLimit ? 'Too many wrong passwords.' : 'Too many people are signing in.'
  const wait = `Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}, then try again.`
  return { error, text: `${why} ${wait}` }
}
