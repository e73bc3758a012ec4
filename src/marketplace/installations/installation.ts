import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'
import { positiveInteger, Timestamp, UuidText } from '../../base/values/shapes.ts'
import { SuspensionRequest } from '../../identity/accounts/operator-requests.ts'

export const INSTALLATION_STATUSES = ['active', 'suspended', 'uninstalled'] as const

const InstallationStatus = z
  .enum(INSTALLATION_STATUSES)
  .describe('`uninstalled` is final.')
  .meta({ id: 'InstallationStatus', examples: ['active'] })

/**
 * The installation record: the specification's eleven fields, then status, the reason of a
 * suspension, permissions and updatedAt.
 */
export const Installation = z
  .object({
    id: z.uuid().describe('Unique id; used as `installationId` when a token is asked for.'),
    appId: z.string().describe('Id of the app.'),
    appName: z.string().describe('Name of the app.'),
    partyType: PartyType.describe('Type of the installing party.'),
    partyId: z.int().describe('Id of the installing party.'),
    partyName: z.string().describe('Name of the installing party.'),
    installDate: Timestamp.describe('When the app was installed.'),
    purchaseOptionId: z.string().describe('The purchase option that was chosen.'),
    installedVersion: z.string().describe('Version of the app, copied at install time.'),
    userSettings: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe('Values set by the user: setting key to string or number.'),
    adminSettings: z
      .record(z.string(), z.string())
      .describe("Values set by the app's developer: setting key to string."),
    status: InstallationStatus,
    suspendedReason: z
      .string()
      .nullable()
      .describe('Why it is suspended, or was when it was uninstalled; else null.')
      .meta({ example: null }),
    permissions: z.array(z.string()).describe('Permissions, copied at install time and fixed.'),
    updatedAt: Timestamp.describe('When the record last changed.'),
  })
  .meta({
    id: 'Installation',
    description: "An installation as its app's developer sees it, and the app itself.",
  })
export type Installation = z.infer<typeof Installation>

/** Path of everything that belongs to an installation. */
export const InstallationPath = z.object({
  installationId: UuidText.describe('Id of the installation.').meta({
    example: '0f8fad5b-d9cb-469f-a165-70867728950e',
    parameter: 'InstallationId',
  }),
})

/** One of the user's accounts as a filter, in a query. */
export const ownPartyFilter = positiveInteger()
  .optional()
  .describe('Only of this account.')
  .meta({ example: 17, parameter: 'OwnPartyFilter' })

/** The status of installations as a filter, in a query. */
export const statusFilter = InstallationStatus.optional()
  .describe('Only with this status. Default: `active` and `suspended`.')
  .meta({ parameter: 'InstallationStatusFilter' })

/** The settings that one side sets: keys of the other side are refused. */
const settingsPatch = (id: string, example: Record<string, unknown>) =>
  z
    .record(z.string(), z.unknown())
    .describe('A merge patch (RFC 7396): setting key -> value; null removes one.')
    .meta({ id, example })
export const UserSettingsPatch = settingsPatch('UserSettingsPatch', { margin: 0.2 })
export const AdminSettingsPatch = settingsPatch('AdminSettingsPatch', { routing: 'eu-west' })

/** Why a developer suspends an installation. */
export const InstallationSuspension = z
  .strictObject({
    reason: SuspensionRequest.shape.reason
      .describe('Shown to the account.')
      .meta({ example: 'The ERP refuses our requests since Monday.' }),
  })
  .meta({ id: 'InstallationSuspension', description: 'Why an installation is suspended.' })
