import { z } from 'zod'
import { Timestamp } from '../../base/values/shapes.ts'
import { NOTIFICATION_KINDS, type SentencePart } from './kinds.ts'

/** So many of one person are kept, the newest, and for so long. */
export const NOTIFICATIONS_MAX = 200
export const NOTIFICATIONS_KEPT_DAYS = 90
/** The header counts no further. */
export const UNREAD_MAX = 100

/** A notification as its person may see it now: without names of what is no longer theirs. */
export type OwnNotificationShown = {
  id: number
  kind: (typeof NOTIFICATION_KINDS)[number]
  sentence: SentencePart[]
  /** The page of what it is about, a path of this site; undefined when there is none any more. */
  path: string | undefined
  /** Of what it is about, while the person may know. */
  partyId: number | null
  developerId: string | null
  appId: string | null
  createdAt: Date
  readAt: Date | null
}

const NotificationId = z.int().positive().max(Number.MAX_SAFE_INTEGER).meta({ example: 41 })

/** A notification of the API. */
export const NotificationRecord = z
  .object({
    id: NotificationId,
    kind: z
      .enum(NOTIFICATION_KINDS)
      .describe('What happened. Later releases may add others.')
      .meta({ example: 'update_available' }),
    text: z
      .string()
      .describe('The notification in English, with names as of now.')
      .meta({ example: 'A new version of Price Sync is available for Homewell Supplies.' }),
    url: z
      .url()
      .nullable()
      .describe('The page of what it is about; null when you may not see that any more.')
      .meta({
        example:
          'https://marketplace.example/Installed/6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21/Upgrade',
      }),
    partyId: z.int().nullable().describe('The account that it is about.').meta({ example: 17 }),
    developerId: z
      .uuid()
      .nullable()
      .describe('The developer that it is about.')
      .meta({ example: null }),
    appId: z
      .string()
      .nullable()
      .describe('The app that it is about.')
      .meta({ example: 'price-sync' }),
    createdAt: Timestamp,
    readAt: Timestamp.nullable().describe('Null while it is unread.').meta({ example: null }),
  })
  .meta({ id: 'Notification', description: 'Something that a user is told of.' })

const IDS_MAX = 200

/** Which notifications are read. */
export const NotificationsRead = z
  .strictObject({
    ids: z.array(NotificationId).min(1).max(IDS_MAX).optional().describe('These.'),
    upTo: NotificationId.optional().describe('This one and all that are older.'),
  })
  .refine(
    ({ ids, upTo }) => (ids === undefined) !== (upTo === undefined),
    'must have either ids or upTo',
  )
  .meta({ id: 'NotificationsRead', description: 'Either `ids` or `upTo`.' })
export type NotificationsRead = z.output<typeof NotificationsRead>
