import { AppError } from '../errors.ts'

const AGAIN = { href: '/login', label: 'Go to the sign-in' }
const AWAY_SECONDS = 5
const BUSY_SECONDS = 1

/**
 * Single sign-on ends here.
 *
 * @param detail why, and what to do
 */
export function refusedSignIn(detail: string): AppError {
  return new AppError('sign_in_refused', {
    detail,
    page: { title: 'You are not signed in', ways: [AGAIN] },
  })
}

/** A link that signs nobody in. */
export function refusedLink(): AppError {
  return new AppError('unprocessable', {
    detail: 'It was used, is too old, or is not whole. Make another one.',
    page: { title: 'This link signs nobody in', ways: [AGAIN] },
  })
}

/** The provider is being asked about too many others at this moment. */
export function tooManySignIns(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many people are signing in at once. Try again in a moment.',
    retryAfterSeconds: BUSY_SECONDS,
    page: { title: 'You are not signed in', ways: [AGAIN] },
  })
}

/** @param name of the provider */
export function providerAway(name: string): AppError {
  return new AppError('unavailable', {
    detail: `${name} does not answer. Try again in a moment, or sign in another way.`,
    retryAfterSeconds: AWAY_SECONDS,
    page: { title: `Signing in with ${name} does not work right now`, ways: [AGAIN] },
  })
}
