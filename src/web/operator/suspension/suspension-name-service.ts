import type { Deps } from '../../../deps.ts'
import { readDeveloper } from '../../../identity/accounts/developers-service.ts'
import { readParty } from '../../../identity/accounts/parties-service.ts'
import { readUser } from '../../../identity/accounts/users-service.ts'
import { readAnyApp } from '../../../marketplace/apps/operator-apps-service.ts'
import { readAnyInstallation } from '../../../marketplace/installations/operator/operator-installations-service.ts'
import type { SUSPENDABLE } from '../../../marketplace/suspension/suspendable-kinds-service.ts'

type Collection = (typeof SUSPENDABLE)[number]['collection']

/**
 * What something that can be suspended is called.
 *
 * @throws AppError not_found
 */
export async function readName(
  deps: Pick<Deps, 'db'>,
  collection: Collection,
  id: string,
): Promise<string> {
  switch (collection) {
    case 'Parties':
      return (await readParty(deps, Number(id))).name
    case 'Users':
      return (await readUser(deps, id)).name
    case 'Developers':
      return (await readDeveloper(deps, id)).name
    case 'Apps':
      return (await readAnyApp(deps, id)).name
    case 'Installations': {
      const { appName, partyName } = await readAnyInstallation(deps, id)
      return `${appName} for ${partyName}`
    }
  }
}

/**
 * The names of an installation that is uninstalled: to resume it only lets the account install the app
 * again. Undefined for everything else.
 *
 * @throws AppError not_found
 */
export async function readUninstalled(
  deps: Pick<Deps, 'db'>,
  collection: Collection,
  id: string,
): Promise<{ appName: string; partyName: string } | undefined> {
  if (collection !== 'Installations') return undefined
  const { status, appName, partyName } = await readAnyInstallation(deps, id)
  return status === 'uninstalled' ? { appName, partyName } : undefined
}

/** Whether one of them is suspended, and what it is called. */
type Suspendable = { name: string; suspended: boolean }

/** Those that there are of these, closed ones included: id -> its name and state. */
export async function findSuspendable(
  { db }: Pick<Deps, 'db'>,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, Suspendable>> {
  const where = { id: { in: [...ids] } }
  const select = { id: true, name: true, suspendedAt: true } as const
  const found = (
    rows: readonly { id: string | number; name: string; suspendedAt: Date | null }[],
  ) =>
    new Map(
      rows.map(({ id, name, suspendedAt }) => [
        String(id),
        { name, suspended: suspendedAt !== null },
      ]),
    )
  switch (collection) {
    case 'Parties':
      return found(await db.party.findMany({ where: { id: { in: ids.map(Number) } }, select }))
    case 'Users':
      return found(await db.user.findMany({ where: { ...where, removedAt: null }, select }))
    case 'Developers':
      return found(await db.developer.findMany({ where, select }))
    case 'Apps':
      return found(await db.app.findMany({ where: { ...where, deletedAt: null }, select }))
    case 'Installations': {
      const rows = await db.installation.findMany({
        where,
        select: {
          ...{ id: true, suspendedAt: true },
          app: { select: { name: true } },
          party: { select: { name: true } },
        },
      })
      return found(
        rows.map(({ app, party, ...one }) => ({ ...one, name: `${app.name} for ${party.name}` })),
      )
    }
  }
}
