import { AppError } from '../../errors.ts'

/**
 * Why a password or a code was not even looked at, in words that say how long to wait.
 *
 * @param what was tried
 * @returns undefined when the error is about something else
 */
export function postponed(
  error: unknown,
  what: 'passwords' | 'codes' = 'passwords',
): { error: AppError; text: string } | undefined {
  const isLimit = error instanceof AppError && error.code === 'too_many_requests'
  const isBusy = error instanceof AppError && error.code === 'unavailable'
  if (!isLimit && !isBusy) return undefined
  const { retryAfterSeconds: waitSeconds = 1 } = error.options
  const why = isLimit ? `Too many wrong ${what}.` : 'Too many people are signing in.'
  const wait = `Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}, then try again.`
  return { error, text: `${why} ${wait}` }
}
