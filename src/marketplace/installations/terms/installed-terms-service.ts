import type { Prisma } from '../../../base/database/generated/client.ts'
import type { Deps } from '../../../deps.ts'
import { type TermsFile, type TermsPart, termsOf } from '../../apps/terms/read-terms-service.ts'

type TermsDeps = Pick<Deps, 'db' | 'pool'>
type Where = Prisma.InstallationWhereInput

/**
 * The terms document of the installed version, which binds the account. It stays when the app is
 * uninstalled, unlisted or deleted.
 *
 * @param where who must own the installation
 * @throws AppError not_found
 */
export function installedTerms(
  deps: TermsDeps,
  id: string,
  where: Where,
  part: TermsPart = 'terms',
): Promise<TermsFile> {
  const installations = { some: { AND: [{ id }, where] } }
  return termsOf(deps, part, { purchaseOptions: { some: { installations } } })
}

/**
 * The terms document of the version that an upgrade leads to.
 *
 * @param where who must own the installation
 * @throws AppError not_found, also when it is uninstalled
 */
export function upgradeTerms(
  deps: TermsDeps,
  id: string,
  where: Where,
  part: TermsPart = 'terms',
): Promise<TermsFile> {
  const installations = { some: { AND: [{ id, live: true }, where] } }
  return termsOf(deps, part, { latestOf: { installations } })
}
