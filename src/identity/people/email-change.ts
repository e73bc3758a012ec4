import { z } from 'zod'
import { UserEmail } from '../accounts/operator-requests.ts'
import { OwnPassword } from '../accounts/own-user-requests.ts'
import { LinkTokenText } from './invitation.ts'

/** The new address and the user's password. */
export const EmailChangeRequest = z
  .strictObject({
    email: UserEmail.describe('The address to sign in with from then on.').meta({
      example: 'kim@new.example',
    }),
    password: OwnPassword,
  })
  .meta({ id: 'EmailChangeRequest', description: "The new address and the user's password." })
export type EmailChangeRequest = z.input<typeof EmailChangeRequest>

export const EmailChangeRequested = z.object({}).meta({
  id: 'EmailChangeRequested',
  description: 'It does not reveal anything about the new address.',
  example: {},
})

/** A confirmation with one of the two links. */
export const EmailChangeConfirmation = z
  .strictObject({ token: LinkTokenText })
  .meta({ id: 'EmailChangeConfirmation', description: 'The token of a link.' })
export type EmailChangeConfirmation = z.input<typeof EmailChangeConfirmation>

export const ConfirmedEmailChange = z
  .object({
    email: z.string().describe('The new address.').meta({ example: 'kim@new.example' }),
    changed: z
      .boolean()
      .describe('False until the other address has confirmed the change, too.')
      .meta({ example: false }),
  })
  .meta({ id: 'ConfirmedEmailChange', description: 'The result of a confirmation.' })
export type ConfirmedEmailChange = z.infer<typeof ConfirmedEmailChange>

/** What both links of a change hold. */
export const EmailChangeGrants = z.object({
  /** The id of the request, which both links carry. */
  request: z.uuid(),
  from: z.string(),
  to: z.string(),
})
export type EmailChangeGrants = z.infer<typeof EmailChangeGrants>

/** A change of a user's email that waits for its links. */
export type PendingEmailChange = {
  to: string
  /** The addresses whose links are not used yet. */
  waitsFor: readonly string[]
  expiresAt: Date
}
