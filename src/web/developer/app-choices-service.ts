import type { Deps } from '../../deps.ts'
import { ignoring } from '../../errors.ts'
import { listOwnAppNames, readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import type { AppChoices } from './filter-controls.ts'

const LISTED_MAX = 200

/**
 * The apps of a developer to narrow a list to: the first ones, and the chosen one also if it is not
 * among them.
 *
 * @param chosen the id of the app that the list is narrowed to
 * @returns with whether the developer has the chosen app
 */
export async function appChoices(
  deps: Pick<Deps, 'db'>,
  developerId: string,
  chosen: string | undefined,
): Promise<AppChoices & { isOwn: boolean }> {
  const names = await listOwnAppNames(deps, developerId, LISTED_MAX + 1)
  const apps = names.slice(0, LISTED_MAX)
  const isCut = names.length > LISTED_MAX
  if (chosen === undefined) return { apps, isCut, isOwn: false }
  if (apps.some(({ id }) => id === chosen)) return { apps, isCut, isOwn: true }
  const own = await ignoring('not_found', readOwnApp(deps, developerId, chosen))
  return own === undefined
    ? { apps, isCut, isOwn: false }
    : { apps: [...apps, own.app], isCut, isOwn: true }
}
