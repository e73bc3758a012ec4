import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { quote } from '../../../marketplace/apps/pricing/quotes.ts'
import type { OperatorInstallation } from '../../../marketplace/installations/operator/operator-installation.ts'
import {
  listAllInstallations,
  type OperatorInstallationFilters,
  optionsOfInstallations,
} from '../../../marketplace/installations/operator/operator-installations-service.ts'
import {
  findInstallation,
  installationRecordOf,
} from '../../../marketplace/installations/stored-installation-service.ts'
import { suspensionsForDeveloper } from '../../../marketplace/installations/suspension-causes.ts'
import { withSuspensions } from '../../../marketplace/installations/suspension-causes-service.ts'
import { countProducts } from '../../../marketplace/products/count-service.ts'
import { grantedPermissions } from '../../shared/app-parts/granted-permissions-service.ts'
import { storedSettingsOf } from '../../shared/forms/settings-form.ts'
import type { OwnInstallation, OwnRow } from './installation-shown.ts'

/**
 * One installation of a developer's apps, uninstalled ones included.
 *
 * @throws AppError not_found
 */
export async function readInstallationPage(
  deps: Pick<Deps, 'db' | 'secrets'>,
  developerId: string,
  id: string,
): Promise<OwnInstallation> {
  const stored = await findInstallation(deps.db, id, { developerId })
  const { row, option, profile } = stored
  const records = await countProducts(deps, row)
  return {
    installation: installationRecordOf(deps, row, 'omit'),
    revision: row.revision,
    canOpen: row.app.authReturnUrl !== null,
    option,
    profile,
    stored: {
      user: storedSettingsOf(row.settings, 'user'),
      admin: storedSettingsOf(row.settings, 'admin'),
    },
    permissions: grantedPermissions(row),
    quote: quote(option, records),
    suspensions: suspensionsForDeveloper(row),
  }
}

/** The installations of a developer's apps with their purchase options, and with what keeps them from working. */
export async function listOwnInstallations(
  deps: Pick<Deps, 'db'>,
  filters: OperatorInstallationFilters & { developerId: string },
  page: PageRequest,
): Promise<Page<OwnRow>> {
  const { entries, next } = await listAllInstallations(deps, filters, page)
  const ids = entries.map(({ id }) => id)
  const [standing, options] = await Promise.all([
    withSuspensions(deps, entries),
    optionsOfInstallations(deps, ids),
  ])
  const optionName = ({ id, purchaseOptionId }: OperatorInstallation) =>
    options.get(id)?.name ?? purchaseOptionId
  return { next, entries: standing.map((one) => ({ ...one, optionName: optionName(one) })) }
}
