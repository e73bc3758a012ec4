import { createHash } from 'node:crypto'
import { z } from 'zod'
import { LIMITS } from '../../base/values/definition-limits.ts'
import { limited } from '../../base/values/limited.ts'
import { markdownText } from '../../base/values/markdown-text.ts'
import { nameKey } from '../../base/values/names.ts'
import { OfferedPartyType } from '../../base/values/party-type.ts'
import { DisplayOrder, displayProblem, EntryId, filledText, text } from '../../base/values/text.ts'
import {
  canonicalLine,
  canonicalText,
  invisibleProblem,
} from '../../base/values/text-forms/canonical.ts'
import { webUrlProblem } from '../../base/values/web-url.ts'
import { AppError } from '../../errors.ts'
import { authReturnUrlProblem } from './auth-return-url.ts'
import { PERMISSIONS, PermissionRequest } from './permissions.ts'
import { PurchaseOption } from './pricing/purchase-options.ts'
import { readOnlyProblem } from './read-only-members.ts'
import {
  checkProfiles,
  checkReturnUrl,
  EVEN_IF_INVALID,
  reportDuplicates,
} from './schema-checks.ts'
import { SettingsConfiguration } from './settings/definitions.ts'

/** Words that are, or may become, parts of addresses beside `/Apps/{id}`, or that pretend to be us. */
const RESERVED_APP_IDS: ReadonlySet<string> = new Set(
  (
    'about account accounts admin api app apps assets auth authenticate billing callback catalogue ' +
    'categories category constructor dashboard delete developer developers docs edit error errors ' +
    'events favicon health healthz help home index install installation installations installed ' +
    'legal livez login logout marketplace me metrics new oauth openapi operator operators parties ' +
    'party permissions privacy products profile prototype public readyz register robots root search ' +
    'security session sessions settings signin signout signup static status support system terms ' +
    'token tokens user users v1 v2 version versions webhook webhooks well-known www'
  ).split(' '),
)

/** Lists longer than this are refused without naming each repeated entry. */
const REPEATED_ENTRIES_MAX = 100

const AppId = z
  .string()
  .min(
    LIMITS.appIdMinLength,
    `must be ${LIMITS.appIdMinLength} to ${LIMITS.appIdMaxLength} characters long`,
  )
  .max(LIMITS.appIdMaxLength)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must consist of lower-case letters, digits and single hyphens between them',
  )
  .refine((id) => !RESERVED_APP_IDS.has(id), 'is a reserved word')
  .describe(
    'Identifier of the app and slug of its listing: 2 to 64 lower-case letters, digits and ' +
      'single hyphens. Unique on the platform, never changed and never used again, not even ' +
      'after deletion. Some words are reserved (`api`, `new`, `authenticate`, ...).',
  )
  .meta({ examples: ['price-sync'] })

export const VersionText = z
  .string()
  .min(1)
  .max(LIMITS.versionMaxLength)
  .refine(
    (version) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(version) && version === version.trim(),
    'must be printable characters without surrounding space',
  )
  .describe(
    'Version of the app, any text of 1 to 64 printable characters. Copied to each ' +
      'installation. A change that breaks what was sold needs a version never used before.',
  )
  .meta({ examples: ['1.4.0'] })

export const Acknowledgement = z
  .strictObject({
    id: EntryId.describe(
      'Identifier of the requirement, unique in the app (letters, digits, ".", "_", "-", at most 64).',
    ).meta({ examples: ['overwrites-prices'] }),
    title: filledText('line', LIMITS.acknowledgementTitleMaxLength)
      .describe('Short statement beside the checkbox (1 to 200 characters).')
      .meta({ examples: ['Overwrites prices'] }),
    text: filledText('paragraph', LIMITS.acknowledgementTextMaxLength)
      .describe('What is acknowledged, in full (1 to 4000 characters, plain text).')
      .meta({ examples: ['Price Sync changes prices in your ERP without asking again.'] }),
    order: DisplayOrder,
  })
  .describe('Something that the purchasing user must acknowledge before the install.')
  .meta({ id: 'Acknowledgement' })
export type Acknowledgement = z.infer<typeof Acknowledgement>

function webAddress(
  description: string,
  example: string,
  problemOf: (url: string) => string | null,
) {
  return z
    .string()
    .superRefine((url, ctx) => {
      const problem = problemOf(url)
      if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
    })
    .nullable()
    .default(null)
    .describe(`${description} At most 2048 characters; null or left out: none.`)
    .meta({ examples: [example], format: 'uri', maxLength: LIMITS.urlMaxLength })
}

export const AppDefinition = z
  .strictObject(
    {
      id: AppId,
      name: z
        .string()
        .overwrite(canonicalLine)
        .min(1)
        .max(LIMITS.appNameMaxLength, { abort: true })
        .superRefine((name, ctx) => {
          const problem =
            name !== '' && nameKey(name) === ''
              ? 'must contain a visible character'
              : (displayProblem(name, 'line') ?? invisibleProblem(name))
          if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
        })
        .describe(
          'Display name (1 to 100 characters; surrounding space is dropped), without invisible ones ' +
            'but for the joiners that a script or an emoji needs. It is kept in NFC. ' +
            'Unique on the platform without regard to case or character width.',
        )
        .meta({ examples: ['Price Sync'] }),
      description: text('paragraph', LIMITS.appDescriptionMaxLength)
        .overwrite(canonicalText)
        .default('')
        .describe('What the app does, for its listing (up to 4000 characters, plain text).')
        .meta({ examples: ['Keeps your price list in step with your ERP.'] }),
      partyTypes: z
        .array(OfferedPartyType)
        .min(1)
        .max(REPEATED_ENTRIES_MAX)
        .superRefine(
          (types, ctx) => reportDuplicates(ctx, types, [], (type) => `repeats ${type}`),
          EVEN_IF_INVALID,
        )
        .describe('The types of account that the app is offered to: Buyer, Seller or both.')
        .meta({ examples: [['Seller', 'Buyer']], uniqueItems: true, maxItems: 2 }),
      version: VersionText,
      releaseNotes: markdownText(LIMITS.releaseNotesMaxBytes)
        .default('')
        .describe(
          'What is new in this version, for accounts that upgrade: Markdown, at most 10,000 bytes, ' +
            'without HTML and pictures.',
        )
        .meta({ examples: ['* Compares prices every hour.'] }),
      permissions: limited(
        z
          .array(PermissionRequest)
          .max(REPEATED_ENTRIES_MAX)
          .superRefine(
            (list, ctx) =>
              reportDuplicates(ctx, list, ['id'], (id) => `repeats the permission ${id}`),
            EVEN_IF_INVALID,
          ),
        REPEATED_ENTRIES_MAX,
        'entries',
      )
        .default([])
        .describe('What the app may do on behalf of the installing account; fixed at install.')
        .meta({
          examples: [[{ id: 'products:read', purpose: 'Reads your products to compare prices.' }]],
          maxItems: PERMISSIONS.length,
        }),
      purchaseOptions: limited(
        z
          .array(PurchaseOption)
          .min(1)
          .max(LIMITS.purchaseOptionsMax)
          .superRefine(
            (list, ctx) => reportDuplicates(ctx, list, ['id'], (id) => `repeats the id ${id}`),
            EVEN_IF_INVALID,
          ),
        LIMITS.purchaseOptionsMax,
        'entries',
      ).describe('The ways to buy the app, 1 to 20, with distinct ids.'),
      settings: SettingsConfiguration.default({}),
      acknowledgements: limited(
        z
          .array(Acknowledgement)
          .max(LIMITS.acknowledgementsMax)
          .superRefine(
            (list, ctx) => reportDuplicates(ctx, list, ['id'], (id) => `repeats the id ${id}`),
            EVEN_IF_INVALID,
          ),
        LIMITS.acknowledgementsMax,
        'entries',
      )
        .default([])
        .describe('What the purchasing user must acknowledge before the install, at most 20.'),
      authReturnUrl: webAddress(
        'Where the browser comes back to with `token` (and `state`) in the query. Absolute https; ' +
          'http only for localhost, 127.0.0.1 and [::1]; no user name, no fragment, no `token` or ' +
          '`state` of its own. Needed for the user redirect flow.',
        'https://price-sync.example/auth/return',
        authReturnUrlProblem,
      ),
      tokenDelivery: z
        .enum(['token', 'code'])
        .default('token')
        .describe(
          'What the redirect hands over: `token` in the address, or on request a code; or `code` ' +
            'alone, which the app exchanges for the token at `POST /oauth/token`.',
        )
        .meta({ examples: ['code'] }),
      redirectErrors: z
        .enum(['page', 'return'])
        .default('page')
        .describe(
          'Where a user ends who cancels, or has no account with the app, when no code was asked ' +
            'for: at a `page` of the marketplace, or back at the authReturnUrl with ' +
            '`error=access_denied`. A user for whom a code was asked is always sent back.',
        )
        .meta({ examples: ['return'] }),
      websiteUrl: webAddress(
        "Address of the app's web site, http or https.",
        'https://price-sync.example',
        webUrlProblem,
      ),
      supportUrl: webAddress(
        'Address where users find help, http or https.',
        'https://price-sync.example/help',
        webUrlProblem,
      ),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? readOnlyProblem(issue.keys) : undefined,
    },
  )
  .superRefine(checkProfiles, EVEN_IF_INVALID)
  .superRefine(checkReturnUrl, EVEN_IF_INVALID)
  .describe('The whole definition of an app, as its developer publishes it.')
  .meta({ id: 'AppDefinition' })
export type AppDefinition = z.infer<typeof AppDefinition>

/**
 * Hex sha256 of what a user acknowledges: the UTF-8 bytes of `JSON.stringify([title, text])`, which
 * no other pair of title and text shares. Ids and order are not part of it.
 */
export function acknowledgementSha256(acknowledgement: { title: string; text: string }): string {
  const { title, text: body } = acknowledgement
  return createHash('sha256')
    .update(JSON.stringify([title, body]), 'utf8')
    .digest('hex')
}

/**
 * Checks that a definition has the id of the app that it replaces.
 *
 * @throws AppError unprocessable
 */
export function requireSameId(pathId: string, bodyId: string): void {
  if (pathId === bodyId) return
  throw new AppError('unprocessable', {
    detail: 'The id of an app never changes.',
    errors: [{ pointer: '/id', detail: `must be "${pathId}", as in the path` }],
  })
}
