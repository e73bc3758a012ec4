import { z } from 'zod'
import { UserName } from './operator-requests.ts'

/** What a user changes about their own record. */
export const OwnUserChange = z
  .strictObject({ name: UserName })
  .meta({ id: 'OwnUserChange', description: 'What a user changes about their own record.' })
export type OwnUserChange = z.input<typeof OwnUserChange>

/** The password of the user who asks, for what needs it again. */
export const OwnPassword = z
  .string()
  .describe('The password of the user, at most 1,024 bytes.')
  .meta({ example: 'correct-horse-battery' })

/** A request of users to be removed. */
export const OwnRemoval = z
  .strictObject({ password: OwnPassword })
  .meta({ id: 'OwnRemoval', description: "The user's password, to remove the user." })
