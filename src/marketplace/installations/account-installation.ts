import { z } from 'zod'
import { AppAcknowledgement, AppPermission, TermsDocument } from '../apps/app-record.ts'
import { Quote } from '../apps/pricing/quotes.ts'
import { Change } from '../apps/versions/change-kinds.ts'
import { WebhooksState } from '../webhooks/endpoints/endpoint-health.ts'
import { Installation } from './installation.ts'

/** An installation as the account's users see it, with what they need next. */
export const AccountInstallation = Installation.omit({ adminSettings: true, userSettings: true })
  .extend({
    userSettings: Installation.shape.userSettings.describe(
      'Values set by the user, without passwords.',
    ),
    passwordsSet: z
      .array(z.string())
      .describe('Keys of passwords that are set; never their values.'),
    missingSettings: z
      .array(z.string())
      .describe('Keys of mandatory user settings without a value.'),
    quote: Quote.describe('What it costs now, with the products that the account has now.'),
    upgrade: z
      .object({ version: z.string() })
      .nullable()
      .describe('A later version that the account can agree to.'),
    openUrl: z
      .string()
      .nullable()
      .describe(
        'Where a browser opens the app; null when it cannot be opened. An app that takes codes ' +
          'only opens at its own site.',
      ),
    webhooks: WebhooksState.describe(
      'Whether the app receives its events: the health of its webhook endpoints.',
    ),
  })
  .meta({
    id: 'AccountInstallation',
    description:
      'An installation as the users of its account see it: without passwords and admin settings.',
  })
export type AccountInstallation = z.infer<typeof AccountInstallation>

const SettingsTransition = z
  .object({
    kept: z.array(z.string()).describe('Keys whose value stays.'),
    dropped: z.array(z.string()).describe('Keys whose value would be lost.'),
    needed: z.array(z.string()).describe('Mandatory keys that need a value.'),
  })
  .meta({
    id: 'SettingsTransition',
    description: 'Which settings stay, which are lost and which are needed.',
    example: { kept: ['erpUser'], dropped: [], needed: ['margin'] },
  })

/** What a change of the purchase option would do. */
export const OptionChange = z
  .object({
    from: z.string(),
    to: z.string(),
    settings: SettingsTransition,
    price: z.object({ before: Quote, after: Quote }),
  })
  .meta({ id: 'OptionChange', description: 'What a change of the purchase option would do.' })
export type OptionChange = z.infer<typeof OptionChange>

/** What an upgrade to the latest version would do, and what has to be agreed to. */
export const Upgrade = z
  .object({
    from: z.string().describe('The installed version.'),
    to: z.string().describe('The latest version; the upgrade names it.'),
    upToDate: z.boolean(),
    releaseNotes: z.string().describe('What is new in the latest version: Markdown; may be empty.'),
    offered: z
      .boolean()
      .describe(
        'False when the app is no longer offered to accounts of this type; then there is no upgrade.',
      ),
    changes: z.array(Change),
    permissions: z.object({
      added: z.array(AppPermission),
      removed: z.array(z.string()),
    }),
    settings: SettingsTransition,
    purchaseOptionId: z.string(),
    purchaseOptionAvailable: z
      .boolean()
      .describe('False when the latest version lacks it; then the upgrade names another.'),
    price: z.object({ before: Quote, after: Quote.nullable() }),
    acknowledgements: z
      .array(AppAcknowledgement)
      .describe('To be accepted: those not accepted before in the same words.'),
    termsDocument: TermsDocument.nullable().describe(
      'To be accepted, unless it was before; `.../Upgrade/TermsDocument` has its text.',
    ),
  })
  .meta({ id: 'Upgrade', description: 'What an upgrade to the latest version would do.' })
export type Upgrade = z.infer<typeof Upgrade>
