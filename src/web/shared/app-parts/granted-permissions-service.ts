import type { AskedPermission } from '../../../marketplace/apps/permissions.ts'
import type { StoredInstallation } from '../../../marketplace/installations/stored-installation-service.ts'

/** The permissions of an installation, each with the purpose that was agreed to. */
export function grantedPermissions(row: StoredInstallation['row']): AskedPermission[] {
  const asked = row.purchaseOption.appVersion.permissions as { id: string; purpose: string }[]
  return row.permissions.map((id) => ({
    id,
    purpose: asked.find((one) => one.id === id)?.purpose ?? null,
  }))
}
