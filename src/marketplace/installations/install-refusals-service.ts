import { isRefusedByTrigger, violatedConstraint } from '../../base/database/failures.ts'
import type { Db } from '../../base/database/transaction.ts'
import { AppError } from '../../errors.ts'

/**
 * Does what installs an app, and says what the database refuses.
 *
 * @param db is asked when `work` has failed: not a transaction that `work` was part of
 * @throws AppError already_installed, conflict when the account or the developer was closed
 */
export async function explainingRefusals<T>(
  db: Db,
  { partyId, appId }: { partyId: number | undefined; appId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRefusedByTrigger(error, 'is closed')) {
      throw new AppError('conflict', {
        detail: 'The account or the developer of the app was closed a moment ago.',
        cause: error,
      })
    }
    if (partyId === undefined || !violatedConstraint(error)?.includes('party_id_live')) throw error
    throw alreadyInstalled(await liveInstallationId(db, appId, partyId), error)
  }
}

/** @param installationId of the installation that is there already */
export function alreadyInstalled(installationId: string | null, cause?: unknown): AppError {
  return new AppError('already_installed', {
    detail: 'This account has the app already. Change or uninstall that installation.',
    members: { installationId },
    cause,
  })
}

/** The id of the installation that an account has of an app, or null. */
export async function liveInstallationId(db: Db, appId: string, partyId: number) {
  const live = await db.installation.findFirst({ where: { appId, partyId, live: true } })
  return live?.id ?? null
}
