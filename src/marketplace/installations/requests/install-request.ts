import { z } from 'zod'
import { Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { displayProblem } from '../../../base/values/text.ts'
import { OwnPartyPath } from '../../../identity/accounts/members/party-member.ts'
import { SuspensionRequest } from '../../../identity/accounts/operator-requests.ts'
import { AppPermission } from '../../apps/app-record.ts'
import { Quote } from '../../apps/pricing/quotes.ts'
import { GivenConsent } from '../consent.ts'
import { Installation } from '../installation.ts'
import { InstallationRequest } from '../installation-request.ts'

const NOTE_MAX_LENGTH = 500
const APP_EXAMPLE = 'price-sync'
const ID_EXAMPLE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** What a member asks the admins of an account to install. */
export const NewInstallRequest = InstallationRequest.omit({ partyId: true })
  .extend({
    note: z
      .string()
      .trim()
      .max(NOTE_MAX_LENGTH)
      .refine(
        (text) => displayProblem(text, 'paragraph') === null,
        'must not contain control characters other than line feeds and tabs',
      )
      .optional()
      .describe(`What the admins should know: at most ${NOTE_MAX_LENGTH} characters.`)
      .meta({ example: 'We need it for the new price list.' }),
  })
  .meta({
    id: 'NewInstallRequest',
    description: 'An app that a member asks for, with its settings and what is accepted.',
    example: {
      appId: APP_EXAMPLE,
      version: '1.4.0',
      purchaseOptionId: 'premium',
      userSettings: { erpUser: 'jane', erpPassword: 's3cret', margin: 0.15, dryRun: true },
      acknowledgements: [{ id: 'overwrites-prices', sha256: '9f86d081884c7d65...' }],
      termsDocument: { sha256: '60303ae22b998861...' },
      note: 'We need it for the new price list.',
    },
  })
export type NewInstallRequest = z.output<typeof NewInstallRequest>

/** What has become of a request. */
export const InstallRequestStatus = z
  .enum(['pending', 'accepted', 'declined', 'withdrawn'])
  .describe('What has become of the request.')
  .meta({ id: 'InstallRequestStatus', examples: ['pending'] })

/** A request as the members of its account see it. */
export const InstallRequestRecord = z
  .object({
    id: z.uuid().describe('Id of the request.').meta({ example: ID_EXAMPLE }),
    partyId: z.int().describe('The account that the app is for.').meta({ example: 3 }),
    userId: z
      .uuid()
      .describe('Who asks.')
      .meta({ example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11' }),
    userName: z
      .string()
      .describe('The name of the user who asks.')
      .meta({ example: 'Kim Keyline' }),
    appId: z.string().meta({ example: APP_EXAMPLE }),
    version: z
      .string()
      .describe('The version that was looked at: only this one can be accepted.')
      .meta({ example: '1.4.0' }),
    purchaseOptionId: z.string().meta({ example: 'premium' }),
    quote: Quote.describe('What it would cost now, with the products that the account has now.'),
    permissions: z.array(AppPermission).describe('What the app asks to be allowed.'),
    userSettings: Installation.shape.userSettings.describe('The settings, without passwords.'),
    passwordsSet: z.array(z.string()).describe('Keys of passwords that were given.'),
    ...GivenConsent.shape,
    note: z.string().nullable().describe('What the admins should know.').meta({ example: null }),
    status: InstallRequestStatus,
    reason: z.string().nullable().describe('Why it was declined.').meta({ example: null }),
    installationId: z
      .uuid()
      .nullable()
      .describe('What was installed when it was accepted.')
      .meta({ example: null }),
    createdAt: Timestamp,
    decidedAt: Timestamp.nullable().describe('When it was accepted, declined or withdrawn.'),
  })
  .meta({ id: 'InstallRequest', description: 'An app that a member wants an admin to install.' })
export type InstallRequestRecord = z.infer<typeof InstallRequestRecord>

/** Why an admin does not install what was asked for. */
export const InstallRequestRefusal = z
  .strictObject({
    reason: SuspensionRequest.shape.reason
      .describe('Shown to the user who asked: 1 to 500 characters.')
      .meta({ example: 'We have an app for this already.' }),
  })
  .meta({ id: 'InstallRequestRefusal', description: 'Why an install request is declined.' })

/** The path of a request of a user's own party. */
export const InstallRequestPath = OwnPartyPath.extend({
  requestId: UuidText.describe('Id of the request.').meta({
    example: ID_EXAMPLE,
    parameter: 'RequestId',
  }),
})
