import { type Bound, createBound } from '../../../base/fair-share/bound.ts'
import { createSlots, type Slots } from '../../../base/fair-share/slots.ts'
import { AppError } from '../../../errors.ts'

/** How many imports one process runs at once: each needs a few MiB while its file arrives. */
const IMPORTS_MAX = 32
/**
 * How many of them may be of one developer's apps: an upload may take an hour, and a developer may
 * have any number of installations.
 */
const OF_DEVELOPER_MAX = 8
/** Imports that write to the products use at most one of so many database connections. */
const POOL_SHARE = 3
const RETRY_AFTER_SECONDS = 15

/** What the imports share that use one pool, each developer a caller. */
export type ImportShares = { running: Bound<string>; merges: Slots<string> }

const shares = new WeakMap<object, ImportShares>()

/** The shares of the imports that use a pool of so many connections. */
export function importSharesOf(pool: object, poolSize: number): ImportShares {
  const known = shares.get(pool)
  if (known !== undefined) return known
  const made = {
    running: createBound<string>({ each: OF_DEVELOPER_MAX, all: IMPORTS_MAX }),
    merges: createSlots<string>(Math.max(1, Math.floor(poolSize / POOL_SHARE))),
  }
  shares.set(pool, made)
  return made
}

/** The refusal of an import for which there is no room. */
export function tooManyImports(): AppError {
  return new AppError('unavailable', {
    detail:
      `At most ${OF_DEVELOPER_MAX} imports of one developer's apps run at once, and fewer while ` +
      'others run many. Wait until one has ended.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
