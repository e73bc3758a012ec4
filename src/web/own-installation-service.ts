import { quote } from '../apps/quotes.ts'
import type { Deps } from '../deps.ts'
import {
  findInstallation,
  installationOf,
  type StoredInstallation,
} from '../installations/record-service.ts'
import { suspensionCauses } from '../installations/suspension-causes.ts'
import { countProducts } from '../products/count-service.ts'
import type { OwnInstallation } from './own-installation.ts'
import type { AskedPermission } from './permission-view.ts'
import { storedSettingsOf } from './settings-form.ts'

/**
 * One installation of a developer's apps, uninstalled ones included.
 *
 * @throws AppError not_found
 */
export async function readOwnInstallation(
  deps: Pick<Deps, 'db' | 'secrets'>,
  developerId: string,
  id: string,
): Promise<OwnInstallation> {
  const stored = await findInstallation(deps.db, id, { developerId })
  const { row, option, profile } = stored
  const records = await countProducts(deps, row)
  return {
    installation: installationOf(deps, row, 'omit'),
    revision: row.revision,
    option,
    profile,
    stored: {
      user: storedSettingsOf(row.settings, 'user'),
      admin: storedSettingsOf(row.settings, 'admin'),
    },
    permissions: grantedPermissions(row),
    quote: quote(option, records),
    suspensions: suspensionsOf(row),
  }
}

// Why an account is suspended is between the account and the operator.
function suspensionsOf(row: StoredInstallation['row']): OwnInstallation['suspensions'] {
  return suspensionCauses(row).map((cause) =>
    cause.what === 'account' ? { ...cause, reason: null } : cause,
  )
}

/** The permissions of an installation, each with the purpose that was agreed to. */
export function grantedPermissions(row: StoredInstallation['row']): AskedPermission[] {
  const asked = row.purchaseOption.appVersion.permissions as { id: string; purpose: string }[]
  return row.permissions.map((id) => ({
    id,
    purpose: asked.find((one) => one.id === id)?.purpose ?? null,
  }))
}
