import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'

/**
 * What developers are told of: type -> when it happens and what it tells beyond the members that
 * all events of its kind have. Thin by design: ids, names and keys, never a value of a setting, a
 * secret or a record; the record stands at the event's `url`.
 */

const appId = z.string().meta({ example: 'price-sync' })
const version = z.string().meta({ example: '1.4.0' })
const optionId = z.string().meta({ example: 'basic' })
const moment = z.iso.datetime().meta({ example: '2026-11-22T09:30:00.000Z' })
const Scope = z.enum(['user', 'admin']).meta({ example: 'user' })
const keys = z
  .array(z.string())
  .describe('Keys of the settings that were set, changed or removed; never their values.')
  .meta({ example: ['margin'] })
const by = z.enum(['developer', 'operator']).describe('Who did it.').meta({ example: 'operator' })

const OfInstallation = {
  appId,
  installationId: z.uuid().meta({ example: '6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21' }),
  partyId: z
    .int()
    .describe('The account that has the app installed.')
    .meta({ id: 'InstallingPartyId', example: 17 }),
  partyType: PartyType,
  sequence: z
    .int()
    .describe('Counts the events of this installation: 1, 2, 3, ... without gaps.')
    .meta({ id: 'EventSequence', example: 3 }),
  url: z.url().describe('The record of the installation.').meta({
    id: 'InstallationUrl',
    example:
      'https://marketplace.example/v1/Developer/Installations/6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21',
  }),
}
export const OfApp = {
  appId,
  url: z
    .url()
    .describe('The record of the app.')
    .meta({ example: 'https://marketplace.example/v1/Developer/Apps/price-sync' }),
}
const OfEndpoint = {
  appId,
  endpointId: z.uuid().meta({ example: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10' }),
  url: z.url().describe('The record of the webhook endpoint.').meta({
    id: 'EndpointUrl',
    example:
      'https://marketplace.example/v1/Developer/Apps/price-sync/Webhooks/0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10',
  }),
}

export const EVENT_TYPES = {
  'installation.created': {
    description: 'An account installed the app.',
    data: {
      ...OfInstallation,
      sequence: OfInstallation.sequence.meta({ example: 1 }),
      version,
      purchaseOptionId: optionId,
    },
  },
  'installation.upgraded': {
    description: 'An account upgraded its installation to another version of the app.',
    data: {
      ...OfInstallation,
      version,
      previousVersion: version.meta({ example: '1.3.0' }),
      purchaseOptionId: optionId,
      keys,
    },
  },
  'installation.option_changed': {
    description: 'An account changed the purchase option of its installation.',
    data: {
      ...OfInstallation,
      purchaseOptionId: optionId,
      previousPurchaseOptionId: optionId.meta({ example: 'free' }),
      keys,
    },
  },
  'installation.settings_changed': {
    description: 'Settings of an installation changed, by the account or by the developer.',
    data: { ...OfInstallation, scope: Scope, keys },
  },
  'installation.suspended': {
    description: 'An installation was suspended: its tokens are refused.',
    data: { ...OfInstallation, by },
  },
  'installation.resumed': {
    description: 'A suspended installation works again.',
    data: { ...OfInstallation, by },
  },
  'installation.deleted': {
    description:
      'An installation was uninstalled. Remove what you keep for it: this is its last event.',
    data: { ...OfInstallation, uninstalledAt: moment },
  },
  'budget.near': {
    description:
      'An installation has sent 80 percent of the requests that its limit allows in a day (UTC). Told once a day, up to a minute late.',
    data: {
      ...OfInstallation,
      day: z.iso.date().describe('The day, in UTC.').meta({ example: '2026-11-22' }),
      percent: z.literal(80).meta({ example: 80 }),
      requests: z
        .int()
        .describe('How many it sent so far, without those that were over the limit.')
        .meta({ example: 691_204 }),
      limitPerMinute: z.int().describe('How many it may send in a minute.').meta({ example: 600 }),
      dayBudget: z
        .int()
        .describe('The limit times the 1,440 minutes of a day.')
        .meta({ example: 864_000 }),
    },
  },
  'app.listed': { description: 'The app is in the public catalogue.', data: OfApp },
  'app.unlisted': {
    description: 'The app is no longer in the public catalogue.',
    data: OfApp,
  },
  'app.suspended': {
    description: 'The operator suspended the app: all its tokens are refused.',
    data: OfApp,
  },
  'app.resumed': { description: 'A suspended app works again.', data: OfApp },
  'webhook.failing': {
    description:
      'A webhook endpoint has failed for half of the five days after which it is disabled; again at 70 and 90 percent.',
    data: {
      ...OfEndpoint,
      percent: z.union([z.literal(50), z.literal(70), z.literal(90)]).meta({ example: 50 }),
      failingSince: moment,
      disablesAt: moment.meta({ example: '2026-11-25T21:30:00.000Z' }),
    },
  },
  'webhook.disabled': {
    description: 'A webhook endpoint was disabled: nothing is sent to it until it is enabled.',
    data: {
      ...OfEndpoint,
      reason: z
        .enum(['developer', 'failing', 'gone'])
        .describe(
          '`developer`: you disabled it; `failing`: it failed for five days; `gone`: it answered 410.',
        )
        .meta({ example: 'failing' }),
    },
  },
  'secret.reported': {
    description:
      'A secret of yours was found where it does not belong, and has ended. Replace it where you use it.',
    data: {
      appId: z
        .string()
        .nullable()
        .describe('Null for what belongs to no app.')
        .meta({ example: 'price-sync' }),
      kind: z
        .enum([
          'credential',
          'developer_token',
          'installation_token',
          'code',
          'link',
          'install_link',
          'webhook_secret',
        ])
        .meta({ example: 'webhook_secret' }),
      subjectId: z
        .uuid()
        .describe('The credential, installation, invitation or webhook endpoint that it was for.')
        .meta({ example: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10' }),
    },
  },
  'webhook.test': {
    description: 'A test that you asked for; sent to one endpoint only.',
    data: OfEndpoint,
  },
} as const satisfies Record<string, { description: string; data: z.ZodRawShape }>

export type EventType = keyof typeof EVENT_TYPES
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]

/** The name of a type of event. */
export const EventTypeName = z
  .enum(EVENT_TYPE_NAMES)
  .describe('Type of an event.')
  .meta({ id: 'EventTypeName', example: 'installation.created' })

type Data<Type extends EventType> = z.output<z.ZodObject<(typeof EVENT_TYPES)[Type]['data']>>
/** What an event of a type tells beyond the members that follow from its subject. */
export type EventDetails<Type extends EventType> = Omit<
  Data<Type>,
  keyof typeof OfInstallation | keyof typeof OfApp | keyof typeof OfEndpoint
>
export type InstallationEventType = Extract<
  EventType,
  `installation.${string}` | `budget.${string}`
>
export type AppEventType = Extract<EventType, `app.${string}`>
export type EndpointEventType = Extract<EventType, `webhook.${string}`>
export type SecretEventType = Extract<EventType, `secret.${string}`>
