import { listOwnApps, readOwnApp } from '../../apps/read-apps-service.ts'
import type { Deps } from '../../deps.ts'
import { unless } from '../../errors.ts'
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
  const page = { after: undefined, limit: LISTED_MAX }
  const { entries: apps, next } = await listOwnApps(deps, developerId, page)
  const isCut = next !== undefined
  if (chosen === undefined) return { apps, isCut, isOwn: false }
  if (apps.some(({ id }) => id === chosen)) return { apps, isCut, isOwn: true }
  const own = await unless('not_found', readOwnApp(deps, developerId, chosen))
  return own === undefined
    ? { apps, isCut, isOwn: false }
    : { apps: [...apps, own.app], isCut, isOwn: true }
}
