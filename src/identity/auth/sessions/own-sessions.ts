import { z } from 'zod'
import { Timestamp, UuidText } from '../../../base/values/shapes.ts'

/** A browser in which a user is signed in, as the user sees it. */
export const OwnSession = z
  .object({
    id: z.uuid().describe('Names the session; nobody can use it to sign in.'),
    begunAt: Timestamp.describe('When the user signed in.'),
    lastUsedAt: Timestamp.describe('When it was last used, to the minute.'),
    browser: z
      .string()
      .describe('Browser and system, as the browser calls itself. Empty when it is not known.')
      .meta({ example: 'Firefox on Linux' }),
    network: z
      .string()
      .describe('First part of the address of the sign-in. Empty when it is not known.')
      .meta({ example: '192.0.2.0/24' }),
  })
  .meta({ id: 'OwnSession', description: 'A browser in which the user is signed in.' })
export type OwnSession = z.infer<typeof OwnSession>

export const SessionPath = z.object({ id: UuidText.describe('As the list of sessions names it.') })
