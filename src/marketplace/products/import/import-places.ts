import { createPlaces, type Places } from '../../../base/concurrency/places.ts'
import { AppError } from '../../../errors.ts'

/** How many imports one process runs at once: each needs a few MiB while its file arrives. */
const IMPORTS_MAX = 32
/**
 * How many of them may be of one developer's apps: an upload may take an hour, and a developer may
 * have any number of installations.
 */
const OF_DEVELOPER_MAX = 8
const RETRY_AFTER_SECONDS = 15

/** Running imports, by the pool that they use, and by developer. */
const places = createPlaces<object>(IMPORTS_MAX)
const placesOfDevelopers = new WeakMap<object, Places<string>>()

/**
 * Takes a place for an import.
 *
 * @param developerId whose app imports; undefined for the operator's command line
 * @returns a function that gives the place back
 * @throws AppError unavailable when the process, or the developer, has too many imports under way
 */
export function takeImportPlace(pool: object, developerId: string | undefined): () => void {
  const ofDevelopers = placesOfDevelopers.get(pool) ?? createPlaces<string>(OF_DEVELOPER_MAX)
  placesOfDevelopers.set(pool, ofDevelopers)
  const leave = developerId === undefined ? () => {} : ofDevelopers.take(developerId)
  if (leave === undefined) {
    throw tooMany(
      `${OF_DEVELOPER_MAX} imports of this app's developer are running. Wait until one has ended.`,
    )
  }
  const giveBack = places.take(pool)
  if (giveBack === undefined) {
    leave()
    throw tooMany('Too many imports are running.')
  }
  return () => {
    giveBack()
    leave()
  }
}

function tooMany(detail: string): AppError {
  return new AppError('unavailable', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
}
