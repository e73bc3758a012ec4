import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'
import { PartyRole } from './members/roles.ts'

/** Who is signed in, and the accounts that the user acts for. */
export const OwnUser = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    operator: z.boolean().describe('Whether the user may use the operator endpoints.'),
    support: z.boolean().describe('Whether the user may read what operators read.'),
    parties: z.array(
      z.object({
        id: z.int().describe('The `partyId` of other endpoints.'),
        name: z.string(),
        type: PartyType,
        suspended: z.boolean(),
        role: PartyRole,
      }),
    ),
  })
  .meta({
    id: 'OwnUser',
    description: 'The user of the token, and the accounts that it acts for.',
    example: {
      id: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11',
      name: 'Kim Keyline',
      email: 'kim@keyline.example',
      operator: false,
      support: false,
      parties: [
        { id: 3, name: 'Keyline Electronics', type: 'Seller', suspended: false, role: 'admin' },
      ],
    },
  })
export type OwnUser = z.infer<typeof OwnUser>
