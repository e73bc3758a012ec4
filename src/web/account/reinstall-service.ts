import { isOffered, type PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import {
  installableFor,
  isFoundBy,
} from '../../marketplace/apps/visibility/visible-apps-service.ts'
import {
  BARRED,
  type StoredInstallation,
} from '../../marketplace/installations/stored-installation-service.ts'
import {
  suspensionsOfAccount,
  suspensionsOfApp,
} from '../../marketplace/installations/suspension-causes.ts'
import type { Reinstall } from './installation-shown.ts'

/** Whether the account of an installation can install the app again: now, or once it has left it. */
export async function readReinstall(
  { db }: Pick<Deps, 'db'>,
  { row }: StoredInstallation,
): Promise<Reinstall> {
  const { partyId, appId } = row
  const where = { appId, partyId }
  const [found, [barred, others]] = await Promise.all([
    db.app.count({ where: { id: appId, deletedAt: null, ...installableFor(partyId) } }),
    row.live === null
      ? Promise.all([
          db.installation.findFirst({
            where: { ...where, ...BARRED },
            select: { suspendedReason: true },
            orderBy: { uninstalledAt: 'desc' },
          }),
          db.installation.count({ where: { ...where, live: true } }),
        ])
      : [row.status === 'suspended' && row.suspendedBy === 'operator' ? row : null, 0],
  ])
  return {
    bar: barred && { reason: barred.suspendedReason },
    isPossible: barred === null && others === 0 && found > 0 && mayHave(row),
  }
}

const STATE = { suspendedAt: true, suspendedReason: true } as const

/**
 * The uninstalled ones of a list whose app their account can install again now.
 *
 * @returns id -> who can: an admin at once, a member by a request
 */
export async function installableAgain(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, 'admin' | 'member'>> {
  const rows = await db.installation.findMany({
    where: { id: { in: [...ids] }, live: null },
    select: {
      id: true,
      appId: true,
      partyId: true,
      partyType: true,
      party: {
        select: { ...STATE, memberships: { where: { userId }, select: { role: true } } },
      },
      app: {
        select: {
          ...STATE,
          deletedAt: true,
          visibility: true,
          audience: {
            where: { party: { memberships: { some: { userId } } } },
            select: { partyId: true },
          },
          partyTypes: true,
          developer: { select: { ...STATE, sandboxPartyId: true } },
        },
      },
    },
  })
  // Prisma drops an OR of nothing beside another condition, and would read all installations.
  if (rows.length === 0) return new Map()
  const pairs = rows.map(({ appId, partyId }) => ({ appId, partyId }))
  const inTheWay = await db.installation.findMany({
    where: { AND: [{ OR: pairs }, { OR: [{ live: true }, BARRED] }] },
    select: { appId: true, partyId: true },
  })
  const taken = new Set(inTheWay.map(({ appId, partyId }) => `${partyId}/${appId}`))
  const able = rows.filter((row) => isInstallable(row) && !taken.has(`${row.partyId}/${row.appId}`))
  return new Map(
    able.map(({ id, party }) => [id, party.memberships[0]?.role === 'admin' ? 'admin' : 'member']),
  )
}

type Installable = Pick<StoredInstallation['row'], 'partyId'> & {
  partyType: PartyType
  party: Parameters<typeof suspensionsOfAccount>[0]
  app: Parameters<typeof suspensionsOfApp>[0] &
    Parameters<typeof isOffered>[0] & { deletedAt: Date | null }
}

/** Whether an account could install an app that it has not. */
function isInstallable(one: Installable & { app: Parameters<typeof isFoundBy>[0] }): boolean {
  const { app, partyId } = one
  return app.deletedAt === null && isFoundBy(app, partyId) && mayHave(one)
}

/** Whether an app is offered to an account, and neither is suspended. */
function mayHave({ app, party, partyId, partyType }: Installable): boolean {
  const stops = [...suspensionsOfApp(app), ...suspensionsOfAccount(party)]
  return isOffered(app, { id: partyId, type: partyType }) && stops.length === 0
}
