import { z } from 'zod'
import { INT4_MAX, MomentText, Timestamp, UuidText } from '../../../base/values/shapes.ts'

/** So many accounts may be named for a private app. */
const NAMED_ACCOUNTS_MAX = 1_000

export const Visibility = z.enum(['draft', 'private', 'unlisted', 'listed']).meta({
  id: 'Visibility',
  description:
    '`draft`: only in your sandbox. `private`: only for the accounts that you name, and for those ' +
    'that have used an install link. `unlisted`: for everybody who has the address. `listed`: in ' +
    'the public catalogue.',
})
export type Visibility = z.infer<typeof Visibility>

const partyIds = z.array(z.int().min(1).max(INT4_MAX)).max(NAMED_ACCOUNTS_MAX)

/** Who finds an app, as a developer sets it. */
export const VisibilityRequest = z
  .strictObject({
    visibility: Visibility.meta({ example: 'private' }),
    partyIds: partyIds
      .optional()
      .describe(
        'Ids of the accounts that may find and install the app while it is private; they take the ' +
          'place of those named before. Without it these stay.',
      )
      .meta({ example: [3] }),
  })
  .meta({ id: 'VisibilityRequest' })
export type VisibilityRequest = z.infer<typeof VisibilityRequest>

/** Who finds an app. */
export const AppVisibility = z
  .object({
    visibility: Visibility,
    listed: z.boolean().describe('Whether it is in the public catalogue.'),
    partyIds: z.array(z.int()).describe('The accounts that were named, in the order of their ids.'),
  })
  .meta({ id: 'AppVisibility', description: 'Who finds an app.' })
export type AppVisibility = z.infer<typeof AppVisibility>

/** What a new install link is to be. */
export const InstallLinkRequest = z
  .strictObject({
    uses: z
      .int()
      .min(1)
      .max(INT4_MAX)
      .optional()
      .describe('How many accounts may use it; any number unless given.')
      .meta({ example: 10 }),
    expiresAt: MomentText.optional().describe('When it ends; never unless given.'),
    partyId: z
      .int()
      .min(1)
      .max(INT4_MAX)
      .optional()
      .describe('The only account that may use it; any account unless given.'),
  })
  .meta({ id: 'InstallLinkRequest' })
export type InstallLinkRequest = z.infer<typeof InstallLinkRequest>

/** An install link, without its address. */
export const InstallLink = z
  .object({
    id: z.uuid(),
    uses: z.int().nullable().describe('How many accounts may use it, or null.'),
    used: z.int().describe('How many accounts have used it.'),
    partyId: z.int().nullable().describe('The only account that may use it, or null.'),
    expiresAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'InstallLink', description: 'A link with which accounts find a private app.' })
export type InstallLink = z.infer<typeof InstallLink>

export const CreatedInstallLink = InstallLink.extend({
  url: z
    .string()
    .describe('What to hand over. It is shown this once.')
    .meta({ example: 'https://market.example/install-link?token=amkt_install_...' }),
}).meta({ id: 'CreatedInstallLink', description: 'A new install link, with its address.' })
export type CreatedInstallLink = z.infer<typeof CreatedInstallLink>

/** The id of an install link, in a path. */
export const InstallLinkId = UuidText.describe('Id of the install link.').meta({
  example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
})

/** The page that an install link opens. */
export const INSTALL_LINK_PAGE = '/install-link'

/** What an account sends to use a link. */
export const InstallLinkUse = z
  .strictObject({
    link: z
      .string()
      .max(500)
      .describe('The address of the link, or its token.')
      .meta({ example: 'amkt_install_...' }),
    partyId: z
      .int()
      .min(1)
      .max(INT4_MAX)
      .describe('The account that is to find the app.')
      .meta({ example: 3 }),
  })
  .meta({ id: 'InstallLinkUse' })
export type InstallLinkUse = z.infer<typeof InstallLinkUse>
