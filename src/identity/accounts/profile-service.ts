import type { InstallationPrincipal } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Profile } from './profile.ts'

/**
 * Which account, and which user, an installation token acts for.
 *
 * @throws AppError invalid_token when the installation was removed after the token was checked
 */
export async function readProfile(
  { db }: Pick<Deps, 'db'>,
  principal: InstallationPrincipal,
): Promise<Profile> {
  const [party, user] = await Promise.all([
    db.party.findUnique({ where: { id: principal.partyId } }),
    principal.userId === undefined
      ? null
      : db.user.findUnique({
          where: { id: principal.userId },
          select: { id: true, name: true, email: true },
        }),
  ])
  if (party === null) throw new AppError('invalid_token')
  return {
    partyId: party.id,
    partyName: party.name,
    partyType: party.type,
    installationId: principal.installationId,
    appId: principal.appId,
    user,
  }
}
