import { z } from 'zod'
import { COUNTED_MAX } from '../../base/values/page-of-list.ts'
import { OfferedPartyType } from '../../base/values/party-type.ts'
import { Timestamp } from '../../base/values/shapes.ts'
import { AnsweredOrder } from '../../base/values/text.ts'
import { AppWebhook } from '../webhooks/endpoints/app-webhook.ts'
import { type AppDefinition, acknowledgementSha256 } from './definition.ts'
import { AppIcon, AppScreenshot } from './media/picture-record.ts'
import { PricingModel } from './pricing/pricing-model.ts'
import { READ_ONLY } from './read-only-members.ts'
import { type SettingsConfiguration, withoutAdminSettings } from './settings/definitions.ts'
import { Change } from './versions/change-kinds.ts'
import { Visibility } from './visibility/visibility.ts'

/** Answers are looser than definitions: an app stays readable when a rule is tightened later. */
const optionalAmount = (description: string) => z.number().optional().describe(description)

const AppPurchaseOption = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    pricingModel: PricingModel,
    currency: z.string().describe('ISO 4217 code.'),
    monthlyRate: optionalAmount('Of the flat models.'),
    bucketSize: optionalAmount('Of TieredBuckets: products in a bucket.'),
    ratePerBucket: optionalAmount(
      'Of TieredBuckets: monthly price of each bucket, started ones included.',
    ),
    baseFee: optionalAmount('Of TieredBuckets: monthly fee on top.'),
    order: AnsweredOrder,
  })
  .meta({ id: 'AppPurchaseOption', description: 'A way to buy the app, with its price.' })

const AppSetting = z
  .object({
    type: z.enum(['text', 'select', 'number', 'boolean', 'password']),
    name: z.string(),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    options: z
      .array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }))
      .optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().optional(),
    mandatory: z.boolean(),
    order: AnsweredOrder,
    scope: z.enum(['user', 'admin']),
  })
  .meta({ id: 'AppSetting', description: 'A setting of a purchase option.' })

export const TermsDocument = z
  .object({
    sha256: z
      .string()
      .describe('What is accepted at install: hex SHA-256 of the document.')
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    mediaType: z.string().meta({ examples: ['text/markdown'] }),
    size: z
      .int()
      .describe('Bytes.')
      .meta({ examples: [2048] }),
    pdf: z
      .object({ sha256: z.string(), size: z.int().describe('Bytes.') })
      .optional()
      .describe(
        'A PDF beside terms that are text, if there is one; `.../TermsDocument/Pdf` has it.',
      ),
  })
  .meta({
    id: 'TermsDocument',
    description: 'The terms document of a version: its hash, media type and size.',
  })
export type TermsDocument = z.infer<typeof TermsDocument>

/** A permission that an app asks for, as it is answered. */
export const AppPermission = z.object({ id: z.string(), purpose: z.string() }).meta({
  id: 'AppPermission',
  description: 'A permission that the app asks for, and why.',
  example: { id: 'products:read', purpose: 'Reads your products to compare prices.' },
})

/** What an app asks to acknowledge, as it is answered. */
export const AppAcknowledgement = z
  .object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    order: AnsweredOrder,
    sha256: z.string().describe('What is acknowledged at install: hash of title and text.'),
  })
  .meta({
    id: 'AppAcknowledgement',
    description: 'A text that users accept when they install the app.',
  })

/** An app as everybody may see it. */
export const PublicApp = z
  .object({
    id: z.string(),
    name: z.string(),
    developerName: z.string(),
    tagline: z.string().describe('A line about the app, of its listing; may be empty.'),
    icon: AppIcon.nullable(),
    screenshots: z.array(AppScreenshot),
    description: z.string(),
    partyTypes: z.array(OfferedPartyType),
    version: z.string().describe('The latest version, which new installations get.'),
    releaseNotes: z.string().describe('What is new in it: Markdown; may be empty.'),
    permissions: z.array(AppPermission),
    purchaseOptions: z.array(AppPurchaseOption),
    settings: z
      .record(z.string(), z.record(z.string(), AppSetting))
      .describe('What the installing user sets: purchase option id -> setting key -> definition.'),
    acknowledgements: z.array(AppAcknowledgement),
    termsDocument: TermsDocument.nullable(),
    websiteUrl: z.string().nullable(),
    supportUrl: z.string().nullable(),
    listed: z.boolean().describe('Whether it is in the public catalogue.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'PublicApp', description: 'An app as everybody may see it.' })
export type PublicApp = z.infer<typeof PublicApp>

/** An app as its developer sees it. */
export const AppRecord = PublicApp.extend({
  settings: z
    .record(z.string(), z.record(z.string(), AppSetting))
    .describe('The settings configuration: purchase option id -> setting key -> definition.'),
  authReturnUrl: z.string().nullable(),
  tokenDelivery: z.enum(['token', 'code']).describe('What the redirect passes to the app.'),
  redirectErrors: z
    .enum(['page', 'return'])
    .describe('Where a user ends after a refusal without a code.'),
  visibility: Visibility,
  suspended: z.boolean().describe('Whether the operator has suspended it.'),
  suspendedReason: z
    .string()
    .nullable()
    .describe('Why the operator has suspended it, or null.')
    .meta({ example: null }),
  webhooks: z.array(AppWebhook).describe('Where its events are sent.'),
}).meta({ id: 'App', description: 'An app as its developer sees it.' })
export type AppRecord = z.infer<typeof AppRecord>

/** The definition of an app in the shape that PUT takes. */
export const DefinitionRecord = AppRecord.omit(READ_ONLY)
  .extend({ acknowledgements: z.array(AppAcknowledgement.omit({ sha256: true })) })
  .meta({ id: 'DefinitionRecord' })

/** What a PUT would change. */
export const DefinitionChanges = z
  .object({
    changes: z.array(Change),
    breaking: z.boolean().describe('Whether any of them needs a new version.'),
  })
  .meta({ id: 'DefinitionChanges', description: 'What a definition would change.' })
export type DefinitionChanges = z.infer<typeof DefinitionChanges>

/** What replacing a definition answers. */
export const AppOrChanges = z
  .union([AppRecord, DefinitionChanges])
  .meta({ id: 'AppOrChanges', description: 'The app; with `dryRun=true` only the changes.' })

/** One published version. */
export const AppVersion = z
  .object({
    version: z.string(),
    publishedAt: Timestamp,
    latest: z.boolean().describe('Whether new installations get it.'),
    installations: z
      .int()
      .describe(`How many live installations have it. ${COUNTED_MAX} means that or more.`),
    ...AppRecord.pick({
      releaseNotes: true,
      permissions: true,
      purchaseOptions: true,
      settings: true,
      acknowledgements: true,
      termsDocument: true,
    }).shape,
    changes: z.array(Change).describe('What is different from the version published before it.'),
  })
  .meta({
    id: 'AppVersion',
    description: 'A published version of an app, and what changed from the one before.',
  })
export type AppVersion = z.infer<typeof AppVersion>

/** What the database has of an app beside its definition. */
export type AppFacts = {
  developerName: string
  tagline: string
  icon: AppIcon | null
  screenshots: AppScreenshot[]
  listed: boolean
  visibility: Visibility
  suspended: boolean
  suspendedReason: string | null
  termsDocument: TermsDocument | null
  createdAt: Date
  updatedAt: Date
}

/** An app as its developer sees it. */
export function appOf(
  definition: AppDefinition,
  facts: AppFacts,
  webhooks: AppWebhook[] = [],
): AppRecord {
  const { acknowledgements, ...rest } = definition
  return {
    ...rest,
    ...facts,
    webhooks,
    acknowledgements: acknowledgements.map((one) => ({
      ...one,
      sha256: acknowledgementSha256(one),
    })),
  }
}

/**
 * The settings of an answered app, as those of the definition that they come from: the schema of
 * answers says less of them.
 */
export function definedSettings({ settings }: Pick<PublicApp, 'settings'>): SettingsConfiguration {
  return settings as SettingsConfiguration
}

/**
 * What of an app everybody may see, and what only its developer and the platform. A new member of a
 * definition without a place here does not compile.
 */
const IS_PUBLIC = {
  id: true,
  name: true,
  developerName: true,
  tagline: true,
  icon: true,
  screenshots: true,
  description: true,
  partyTypes: true,
  version: true,
  releaseNotes: true,
  permissions: true,
  purchaseOptions: true,
  settings: true,
  acknowledgements: true,
  termsDocument: true,
  websiteUrl: true,
  supportUrl: true,
  listed: true,
  createdAt: true,
  updatedAt: true,
  authReturnUrl: false,
  tokenDelivery: false,
  redirectErrors: false,
  visibility: false,
  suspended: false,
  suspendedReason: false,
  webhooks: false,
} satisfies Record<keyof AppRecord | keyof AppDefinition, boolean>

/** Leaves out what only the developer and the platform may see, admin settings included. */
export function publicAppOf(app: AppRecord): PublicApp {
  const members = Object.entries(app).filter(([name]) => IS_PUBLIC[name as keyof AppRecord])
  const shown = Object.fromEntries(members) as Omit<PublicApp, 'settings'>
  return { ...shown, settings: withoutAdminSettings(app.settings) }
}
