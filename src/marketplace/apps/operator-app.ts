import { z } from 'zod'
import { COUNTED_IN_LIST_MAX, COUNTED_MAX } from '../../base/values/page-of-list.ts'
import { OfferedPartyType } from '../../base/values/party-type.ts'
import { Timestamp } from '../../base/values/shapes.ts'
import { WebhooksState } from '../webhooks/endpoints/endpoint-health.ts'
import { AppIcon } from './media/picture-record.ts'
import { Visibility } from './visibility/visibility.ts'

/** An app as the operator sees it: whose it is and how it stands, without its definition. */
export const OperatorApp = z
  .object({
    id: z.string().meta({ example: 'price-sync' }),
    name: z.string().meta({ example: 'Price Sync' }),
    nameWarning: z
      .string()
      .nullable()
      .describe(
        'Why the name may be taken for another one, such as letters of several scripts, or null.',
      )
      .meta({ example: null }),
    tagline: z.string(),
    icon: AppIcon.nullable(),
    developerId: z.uuid(),
    developerName: z.string().meta({ example: 'Northwind Tools' }),
    partyTypes: z.array(OfferedPartyType),
    version: z.string().nullable().describe('The latest version.').meta({ example: '1.4.0' }),
    listed: z.boolean().describe('Whether it is in the public catalogue.'),
    visibility: Visibility,
    installations: z
      .int()
      .describe(
        `How many live ones there are. ${COUNTED_MAX} means that or more; in a list, which counts ` +
          `less far, ${COUNTED_IN_LIST_MAX} does.`,
      )
      .meta({ example: 12 }),
    suspended: z.boolean().meta({ example: false }),
    suspendedAt: Timestamp.nullable().meta({ example: null }),
    suspendedReason: z.string().nullable().meta({ example: null }),
    webhooks: WebhooksState,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'OperatorApp', description: 'An app as operators see it, without its definition.' })
export type OperatorApp = z.infer<typeof OperatorApp>
