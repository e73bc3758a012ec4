import { AppError } from '../../errors.ts'

const SIGN_IN_PATH = '/login'
const AGAIN = { href: SIGN_IN_PATH, label: 'Go to the sign-in' }
const AWAY_SECONDS = 5

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

/**
 * A refusal whose way to the sign-in leads on to where this one was to lead.
 *
 * @param next a path of this site
 * @returns any other error as it is
 */
export function refusedOnTheWayTo(next: string, error: unknown): unknown {
  const page = error instanceof AppError ? error.options.page : undefined
  if (!(error instanceof AppError) || page?.ways?.includes(AGAIN) !== true) return error
  const href = `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`
  return new AppError(error.code, {
    ...error.options,
    detail: error.message,
    page: { ...page, ways: [{ ...AGAIN, href }] },
  })
}

/** A link that signs nobody in. */
export function refusedLink(): AppError {
  return new AppError('unprocessable', {
    detail: 'It was used, is too old, or is not whole. Make another one.',
    page: { title: 'This link signs nobody in', ways: [AGAIN] },
  })
}

/** @param name of the provider */
export function tooManySignIns(name: string): AppError {
  return new AppError('unavailable', {
    detail: `Too many people sign in with ${name} at this moment. Try again.`,
    retryAfterSeconds: AWAY_SECONDS,
    page: { title: 'Too many sign-ins at once', ways: [AGAIN] },
  })
}

/** @param name of the provider, whose settings do not fit those of this server */
export function providerNotSetUp(name: string): AppError {
  return new AppError('unavailable', {
    detail: `Signing in with ${name} is not set up right. Tell the operator of this marketplace: its log says what differs.`,
    page: { title: `Signing in with ${name} does not work`, ways: [AGAIN] },
  })
}

/** @param name of the provider */
export function providerAway(name: string): AppError {
  return new AppError('unavailable', {
    detail: `${name} does not answer. Try again in a moment, or ask the operator of this marketplace.`,
    retryAfterSeconds: AWAY_SECONDS,
    page: { title: `Signing in with ${name} does not work right now`, ways: [AGAIN] },
  })
}
