import type { z } from 'zod'
import { AppError } from '../../../errors.ts'

/**
 * The role that was chosen in a form.
 *
 * @param roles those that there are
 * @throws AppError unprocessable when it is none of them
 */
export function chosenRole<Role>(roles: z.ZodType<Role>, typed: string | undefined): Role {
  const role = roles.safeParse(typed)
  if (role.success) return role.data
  throw new AppError('unprocessable', {
    errors: [{ pointer: '/role', detail: 'Choose a role.' }],
  })
}
