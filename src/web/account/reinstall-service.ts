import type { Deps } from '../../deps.ts'
import { BARRED, type StoredInstallation } from '../../installations/stored-installation-service.ts'
import { suspensionsOfAccount, suspensionsOfApp } from '../../installations/suspension-causes.ts'
import { isOffered } from '../../values/party-type.ts'
import type { Reinstall } from './installation-shown.ts'

/** Whether the account of an installation can install the app again: now, or once it has left it. */
export async function readReinstall(
  { db }: Pick<Deps, 'db'>,
  { row }: StoredInstallation,
): Promise<Reinstall> {
  const { app, party, partyId, partyType, appId } = row
  const where = { appId, partyId }
  const [barred, others] =
    row.live === null
      ? await Promise.all([
          db.installation.findFirst({
            where: { ...where, ...BARRED },
            select: { suspendedReason: true },
            orderBy: { uninstalledAt: 'desc' },
          }),
          db.installation.count({ where: { ...where, live: true } }),
        ])
      : [row.status === 'suspended' && row.suspendedBy === 'operator' ? row : null, 0]
  const isOwnSandbox = app.developer.sandboxPartyId === partyId
  const isThere = app.deletedAt === null && (app.listed || isOwnSandbox)
  const isMeant = isOffered(app, { id: partyId, type: partyType })
  const stops = [...suspensionsOfApp(app), ...suspensionsOfAccount(party)]
  return {
    bar: barred && { reason: barred.suspendedReason },
    isPossible: barred === null && others === 0 && isThere && isMeant && stops.length === 0,
  }
}
