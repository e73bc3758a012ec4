import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'

/** Which account, and which user, an installation token acts for. */
export const Profile = z
  .object({
    partyId: z.int(),
    partyName: z.string(),
    partyType: PartyType,
    installationId: z.uuid(),
    appId: z.string(),
    user: z
      .object({ id: z.uuid(), name: z.string(), email: z.string() })
      .nullable()
      .describe('The person, when the token came from the redirect; otherwise null.'),
  })
  .meta({
    id: 'Profile',
    description: 'Whom an installation token acts for.',
    example: {
      partyId: 3,
      partyName: 'Keyline Electronics',
      partyType: 'Seller',
      installationId: '0f8fad5b-d9cb-469f-a165-70867728950e',
      appId: 'price-sync',
      user: null,
    },
  })
export type Profile = z.infer<typeof Profile>
