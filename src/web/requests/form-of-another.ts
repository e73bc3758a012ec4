import { AppError } from '../../errors.ts'

/**
 * Tells somebody that the form at an address is another user's: the session of that user ended while
 * the form was open, and somebody else has signed in, here or in another tab.
 *
 * @param name of who is signed in
 * @param address of the form
 */
export function formOfAnother(name: string, address: string): AppError {
  const path = address.split('?', 1)[0] ?? '/'
  return new AppError('conflict', {
    detail: 'The form that you sent belongs to another user. Nothing was saved.',
    page: {
      title: `You are signed in as ${name}`,
      ways: [{ href: path, label: `Continue as ${name}` }],
      asksForOther: true,
    },
  })
}
