import { z } from 'zod'
import { LIMITS } from '../../base/values/definition-limits.ts'
import { didYouMean } from '../../base/values/field-errors.ts'
import { filledText } from '../../base/values/text.ts'

/** An entry of the catalogue, as `GET /v1/Permissions` answers it. */
export const Permission = z
  .object({
    id: z.string().describe('`resource:action`; what definitions and tokens name.'),
    title: z.string().describe('Short name, for people.'),
    description: z.string().describe('What it lets an app do.'),
    opens: z
      .array(z.string())
      .readonly()
      .describe('The endpoints that an installation token with this permission may call.')
      .meta({ examples: [['GET /v1/User/Profile']] }),
  })
  .describe('A permission that apps can ask for.')
  .meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

/** Every permission there is: the only place that names them. */
export const PERMISSIONS = [
  {
    id: 'products:read',
    title: 'Read products',
    description:
      'Sellers: reads your products. Buyers: reads the products of Sellers you are connected with.',
    opens: ['GET /v1/Products', 'GET /v1/Products/{id}', 'GET /v1/Products/Changes'],
  },
  {
    id: 'products:write',
    title: 'Change products',
    description: 'Creates, changes, deletes and imports your own products.',
    opens: [
      'POST /v1/Products',
      'POST /v1/Products/Batch',
      'POST /v1/Products/Import',
      'GET /v1/Products/Imports',
      'GET /v1/Products/Imports/{importId}',
      'PATCH /v1/Products/{id}',
      'DELETE /v1/Products/{id}',
    ],
  },
  {
    id: 'profile:read',
    title: 'Read the profile',
    description:
      'Reads the name and type of your account and, when you open the app, your name and email address.',
    opens: ['GET /v1/User/Profile'],
  },
  {
    id: 'settings:read',
    title: 'Read the settings',
    description: 'Reads the settings you enter for this app, except passwords.',
    opens: ['GET /v1/Installation'],
  },
] as const satisfies readonly Permission[]

const PERMISSION_IDS = PERMISSIONS.map((permission) => permission.id)

function unknownPermission(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const named = input.length <= LIMITS.idMaxLength ? ` ${JSON.stringify(input)}` : ''
  const hint =
    didYouMean(input, PERMISSION_IDS) ?? `the permissions are ${PERMISSION_IDS.join(', ')}`
  return `unknown permission${named}; ${hint}`
}

const PermissionId = z
  .enum(PERMISSION_IDS, { error: (issue) => unknownPermission(issue.input) })
  .describe('Id of a permission of the catalogue at `GET /v1/Permissions`.')
  .meta({ examples: ['products:read'] })

export const PermissionRequest = z
  .strictObject({
    id: PermissionId,
    purpose: filledText('line', LIMITS.permissionPurposeMaxLength)
      .describe(
        'What the app does with it, in words for the installing user, who sees it before installing (1 to 500 characters).',
      )
      .meta({ examples: ['Reads your products to compare prices.'] }),
  })
  .describe('A permission that the app asks for, and what for.')
  .meta({ id: 'PermissionRequest' })
export type PermissionRequest = z.infer<typeof PermissionRequest>

/** What an account accepts of a permission: its title in the catalogue, and the app's purpose. */
export function permissionWords({ id, purpose }: PermissionRequest) {
  const { title } = PERMISSIONS.find((one) => one.id === id) ?? { title: id }
  return { title, text: purpose }
}

/** A permission with what the app says it is for; null when that is not known. */
export type AskedPermission = { id: string; purpose: string | null }
