import { z } from 'zod'
import { VersionText } from '../apps/definition.ts'
import { ConsentFields } from './consent.ts'

/** What is to be installed, and for whom. */
export const InstallationRequest = z
  .strictObject({
    appId: z.string().max(64).describe('Id of an app of the catalogue.'),
    partyId: z
      .int32()
      .min(1)
      .optional()
      .describe('The account to install for; may be left out by a user of one account.'),
    version: VersionText.optional().describe(
      'The version that was looked at: `conflict` when it is not the latest. Default: the latest.',
    ),
    purchaseOptionId: z.string().max(64).describe('The chosen purchase option.'),
    userSettings: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Values of the settings of that option: setting key -> value.'),
    ...ConsentFields,
  })
  .meta({
    id: 'InstallationRequest',
    description: 'An app to be installed, with its settings and what is accepted.',
    example: {
      appId: 'price-sync',
      partyId: 17,
      version: '1.4.0',
      purchaseOptionId: 'premium',
      userSettings: { erpUser: 'jane', erpPassword: 's3cret', margin: 0.15, dryRun: true },
      acknowledgements: [{ id: 'overwrites-prices', sha256: '9f86d081884c7d65...' }],
      termsDocument: { sha256: '60303ae22b998861...' },
    },
  })
