import { z } from 'zod'
import { integerText, Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { PartyRole } from './roles.ts'

/** A member of a party, as its admins see it. */
export const PartyMember = z
  .object({
    userId: z.uuid().meta({ example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11' }),
    name: z.string().meta({ example: 'Kim Keyline' }),
    email: z.string().meta({ example: 'kim@keyline.example' }),
    role: PartyRole,
    suspended: z
      .boolean()
      .describe('Whether the operator keeps the user from signing in.')
      .meta({ example: false }),
    joinedAt: Timestamp.describe('Since when the user belongs to the account.'),
  })
  .meta({ id: 'PartyMember', description: 'A user who belongs to an account.' })
export type PartyMember = z.infer<typeof PartyMember>

/** The path of a user's own party. */
export const OwnPartyPath = z.object({
  id: integerText()
    .describe('Id of one of your accounts.')
    .meta({ example: 3, parameter: 'IdOfOwnParty' }),
})

/** The path of a member of a user's own party. */
export const OwnMemberPath = OwnPartyPath.extend({
  userId: UuidText.describe('Id of the member.').meta({
    example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11',
    parameter: 'MemberId',
  }),
})
