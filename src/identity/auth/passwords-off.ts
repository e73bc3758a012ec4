import { AppError } from '../../errors.ts'

/** What refuses a password of a user while PASSWORD_LOGIN is off. */
export function passwordsOff(): AppError {
  return new AppError('password_login_off', {
    detail:
      'Users of this marketplace have no passwords: they sign in by single sign-on. Open its ' +
      'sign-in page. For programs, make an account token on your account page.',
    page: {
      title: 'Passwords are switched off',
      ways: [{ href: '/login', label: 'Go to the sign-in' }],
    },
  })
}
