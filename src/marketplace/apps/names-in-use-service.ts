import { violatedConstraint } from '../../base/database/failures.ts'
import type { Db } from '../../base/database/transaction.ts'
import { nameKey } from '../../base/values/names.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { AppDefinition } from './definition.ts'

/** The database decides which request takes an id or a name first; the other one gets 409. */
export async function refusingNamesInUse<T>(
  db: Db,
  definition: AppDefinition,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === undefined) throw error
    if (constraint.includes('name_key')) throw nameOrIdInUse([NAME_TAKEN], error)
    if (!constraint.includes('apps_pkey')) throw error
    // Only a creation gets here: the app that has the id may have the name, too.
    throw nameOrIdInUse(
      [ID_TAKEN, ...((await isNameTaken(db, definition.name)) ? [NAME_TAKEN] : [])],
      error,
    )
  }
}

/** @throws AppError already_exists when another app has the name of the definition */
export async function requireFreeName(db: Db, definition: AppDefinition): Promise<void> {
  if (await isNameTaken(db, definition.name, definition.id)) throw nameOrIdInUse([NAME_TAKEN])
}

/** @param ownId the app that may have the name */
export async function isNameTaken(db: Db, name: string, ownId?: string): Promise<boolean> {
  const app = await db.app.findUnique({ where: { nameKey: nameKey(name) }, select: { id: true } })
  return app !== null && app.id !== ownId
}

/**
 * The error for a definition whose id or name another app has.
 *
 * @param errors which of the two
 */
export function nameOrIdInUse(errors: readonly FieldError[], cause?: unknown): AppError {
  return new AppError('already_exists', {
    detail: 'The id or the name of the app is taken.',
    errors,
    cause,
  })
}

export const ID_TAKEN: FieldError = {
  pointer: '/id',
  detail: 'It is in use, or was: ids are never used again.',
}

export const NAME_TAKEN: FieldError = {
  pointer: '/name',
  detail: 'Another app has this name, or one that looks the same.',
}
