import { z } from 'zod'
import { EmailAddress } from '../../base/values/email.ts'
import { Timestamp } from '../../base/values/shapes.ts'
import { ChosenPassword } from '../accounts/operator-requests.ts'
import { LinkDelivery, LinkTokenText } from './invitation.ts'

/** Somebody who has lost a password. */
export const PasswordResetRequest = z
  .strictObject({
    email: EmailAddress.describe('The address that the user signs in with.').meta({
      example: 'kim@keyline.example',
    }),
  })
  .meta({ id: 'PasswordResetRequest', description: 'Whose password is lost.' })

export const PasswordResetRequested = z.object({}).meta({
  id: 'PasswordResetRequested',
  description: 'It does not reveal anything about the address.',
  example: {},
})

/** The new password, with the link that was mailed. */
export const PasswordResetCompletion = z
  .strictObject({ token: LinkTokenText, password: ChosenPassword })
  .meta({ id: 'PasswordResetCompletion', description: 'The token of a link, and a new password.' })
export type PasswordResetCompletion = z.input<typeof PasswordResetCompletion>

export const PasswordResetDone = z
  .object({
    email: z.string().describe('What the user signs in with.').meta({
      example: 'kim@keyline.example',
    }),
  })
  .meta({ id: 'PasswordResetDone', description: 'The user whose password was changed.' })

/** A link for a new password, as the operator who made it sees it. */
export const PasswordResetLink = z
  .object({
    email: z.string().describe('Whom the link is for.').meta({ example: 'kim@keyline.example' }),
    expiresAt: Timestamp.describe('Until when the link works.'),
    ...LinkDelivery,
    link: LinkDelivery.link.meta({
      example: 'https://marketplace.example/reset-password?token=amkt_link_...',
    }),
  })
  .meta({ id: 'PasswordResetLink', description: 'A link with which a user sets a new password.' })
export type PasswordResetLink = z.infer<typeof PasswordResetLink>
