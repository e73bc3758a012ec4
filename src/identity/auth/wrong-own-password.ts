import { AppError } from '../../errors.ts'

/**
 * The refusal of a signed-in user who gives a wrong password of their own. It is about the input, and
 * no 401: the token is good, and a client that signs out on 401 has no reason to.
 */
export function wrongOwnPassword(): AppError {
  const errors = [{ pointer: '/password', detail: 'is wrong' }]
  return new AppError('unprocessable', { detail: 'The password is wrong.', errors })
}
