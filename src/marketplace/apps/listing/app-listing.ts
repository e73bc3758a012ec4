import { z } from 'zod'
import { EmailAddress } from '../../../base/values/email.ts'
import { markdownText } from '../../../base/values/markdown-text.ts'
import { filledText, text } from '../../../base/values/text.ts'
import { canonicalLine, canonicalText } from '../../../base/values/text-forms/canonical.ts'

const TAGLINE_MAX_LENGTH = 80
const LONG_DESCRIPTION_MAX_BYTES = 20_000
const CATEGORIES_MAX = 3
const CATEGORY_ID_MAX_LENGTH = 64
const DATA_STORED_MAX_LENGTH = 2_000
const RECEIVERS_MAX = 20
const RECEIVER_MAX_LENGTH = 200
const RETENTION_MAX_DAYS = 36_500

const Contact = (whom: string) =>
  EmailAddress.nullable().default(null).describe(`Whom to write to about ${whom}; null for nobody.`)

const receivers = (description: string) =>
  z
    .array(filledText('line', RECEIVER_MAX_LENGTH).overwrite(canonicalLine))
    .max(RECEIVERS_MAX)
    .default([])
    .describe(description)

/** What a developer says about an app beside its definition, as it is sent. */
export const AppListing = z
  .strictObject({
    tagline: filledText('line', TAGLINE_MAX_LENGTH)
      .overwrite(canonicalLine)
      .describe('What the app is, in a line beside its name (1 to 80 characters).')
      .meta({ examples: ['Your price list, in step with your ERP'] }),
    longDescription: markdownText(LONG_DESCRIPTION_MAX_BYTES)
      .default('')
      .describe(
        'What the app does, in full: Markdown, at most 20,000 bytes, without HTML and pictures.',
      )
      .meta({ examples: ['# What it does\n\nKeeps prices in step.'] }),
    categories: z
      .array(z.string().max(CATEGORY_ID_MAX_LENGTH))
      .max(CATEGORIES_MAX)
      .default([])
      .describe('Ids of categories, at most three.')
      .meta({ examples: [[]] }),
    contacts: z
      .strictObject({
        technical: Contact('how it works').meta({ examples: ['tech@price-sync.example'] }),
        billing: Contact('what it costs').meta({ examples: ['billing@price-sync.example'] }),
        security: Contact('a vulnerability').meta({ examples: ['security@price-sync.example'] }),
      })
      .meta({ id: 'AppContacts', description: 'Whom to write to.' })
      .default({ technical: null, billing: null, security: null }),
    disclosure: z
      .strictObject({
        dataStored: text('paragraph', DATA_STORED_MAX_LENGTH)
          .overwrite(canonicalText)
          .default('')
          .describe('What the app keeps on its own side (plain text, up to 2000 characters).')
          .meta({ examples: ['Prices and stock of your products.'] }),
        dataLeavesTo: receivers('Where data goes from the app, such as countries.').meta({
          examples: [['Germany']],
        }),
        retentionDays: z
          .int()
          .min(0)
          .max(RETENTION_MAX_DAYS)
          .nullable()
          .default(null)
          .describe('Days after the uninstall until the data is deleted; null when it is not said.')
          .meta({ examples: [30] }),
        subprocessors: receivers('Companies that handle the data for the developer.').meta({
          examples: [['Example Hosting GmbH']],
        }),
      })
      .meta({
        id: 'AppDisclosure',
        description: 'What becomes of the data, in the words of the developer.',
      })
      .default({ dataStored: '', dataLeavesTo: [], retentionDays: null, subprocessors: [] }),
  })
  .meta({
    id: 'AppListing',
    description: 'What a developer says about an app beside its definition.',
  })
export type AppListing = z.infer<typeof AppListing>

/** A listing as it is answered: before it is saved first, everything in it is empty. */
export const AppListingRecord = z
  .object({
    tagline: z.string(),
    longDescription: z.string(),
    categories: z.array(z.string()),
    contacts: z.object({
      technical: z.string().nullable(),
      billing: z.string().nullable(),
      security: z.string().nullable(),
    }),
    disclosure: z.object({
      dataStored: z.string(),
      dataLeavesTo: z.array(z.string()),
      retentionDays: z.int().nullable(),
      subprocessors: z.array(z.string()),
    }),
  })
  .meta({
    id: 'AppListingRecord',
    description: 'The listing of an app. Empty before it is saved first.',
  })

/** The listing of an app whose developer has saved none. */
export const EMPTY_LISTING: AppListing = {
  tagline: '',
  longDescription: '',
  categories: [],
  contacts: { technical: null, billing: null, security: null },
  disclosure: { dataStored: '', dataLeavesTo: [], retentionDays: null, subprocessors: [] },
}
