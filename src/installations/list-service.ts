import { type Quote, quote } from '../apps/quotes.ts'
import type { Deps } from '../deps.ts'
import type { Page, PageRequest } from '../page.ts'
import { countProducts } from '../products/count-service.ts'
import type { Installation } from './installation.ts'
import { findInstallation, installationOf, type SecretsShown } from './record-service.ts'
import { type StoredSetting, settingValuesOf } from './stored-settings.ts'

export type InstallationFilters = {
  appId?: string | undefined
  partyId?: number | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
  updatedSince?: string | undefined
}

type ReadDeps = Pick<Deps, 'db' | 'secrets'>

type ListRow = Omit<Installation, 'userSettings' | 'adminSettings'> & {
  /** Such as [["user", "note", "text", null]]: scope, key, value, password in base64. */
  settings: [StoredSetting['scope'], string, unknown, string | null][]
}

/**
 * The installations of a developer's apps, oldest first. Uninstalled ones come only when asked
 * for, by status or by `updatedSince`. One query for a page and its settings, which reads no
 * more rows than it answers however far in the list it stands.
 */
export async function listInstallations(
  { pool, secrets }: Pick<Deps, 'pool' | 'secrets'>,
  developerId: string,
  filters: InstallationFilters,
  { after, limit }: PageRequest,
  shown: SecretsShown,
): Promise<Page<Installation>> {
  const { sql, values } = conditionsOf(filters, after)
  const { rows } = await pool.query<ListRow>({
    text: `
      SELECT i.id, i.app_id AS "appId", a.name AS "appName", i.party_type AS "partyType",
        i.party_id AS "partyId", p.name AS "partyName", i.install_date AS "installDate",
        i.purchase_option_id AS "purchaseOptionId", i.installed_version AS "installedVersion",
        i.status, i.permissions, i.updated_at AS "updatedAt", coalesce((
          SELECT json_agg(json_build_array(s.scope, s.key, s.value,
            translate(encode(s.secret, 'base64'), E'\\n', '')))
          FROM setting_values s WHERE s.installation_id = i.id
        ), '[]') AS settings
      FROM (
        SELECT * FROM installations i WHERE i.developer_id = $1${sql}
        ORDER BY i.install_date, i.id LIMIT ${limit + 1}
      ) AS i
      JOIN apps a ON a.id = i.app_id
      JOIN parties p ON p.id = i.party_id
      ORDER BY i.install_date, i.id`,
    values: [developerId, ...values],
  })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  return {
    entries: entries.map(({ settings, ...record }) => ({
      ...record,
      ...settingValuesOf(secrets, record.id, storedSettings(settings, shown)),
    })),
    next: rows.length > limit && last ? [last.installDate.toISOString(), last.id] : undefined,
  }
}

function conditionsOf(filters: InstallationFilters, after: PageRequest['after']) {
  const { appId, partyId, partyType, status, updatedSince } = filters
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value) + 1}`
  const conditions = [
    after && `(i.install_date, i.id) > (${parameter(after[0])}, ${parameter(after[1])})`,
    appId !== undefined && `i.app_id = ${parameter(appId)}`,
    partyId !== undefined && `i.party_id = ${parameter(partyId)}`,
    partyType !== undefined && `i.party_type = ${parameter(partyType)}`,
    status !== undefined && `i.status = ${parameter(status)}`,
    updatedSince !== undefined && `i.updated_at >= ${parameter(new Date(updatedSince))}`,
    status === undefined && updatedSince === undefined && 'i.live',
  ]
  const sql = conditions.map((condition) => (condition ? ` AND ${condition}` : '')).join('')
  return { sql, values }
}

function storedSettings(settings: ListRow['settings'], shown: SecretsShown): StoredSetting[] {
  return settings
    .filter(([, , , secret]) => shown === 'show' || secret === null)
    .map(([scope, key, value, secret]) => ({
      scope,
      key,
      value,
      secret: secret === null ? null : Buffer.from(secret, 'base64'),
    }))
}

/** How many live installations each of a developer's apps has; apps without any are left out. */
export async function countInstallations(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
): Promise<ReadonlyMap<string, number>> {
  const groups = await db.installation.groupBy({
    by: ['appId'],
    where: { developerId, live: true },
    _count: true,
  })
  return new Map(groups.map((group) => [group.appId, group._count]))
}

/**
 * One installation of a developer's apps, uninstalled ones included.
 *
 * @throws AppError not_found
 */
export async function readInstallation(
  deps: ReadDeps,
  developerId: string,
  id: string,
  shown: SecretsShown,
): Promise<{ installation: Installation; revision: number }> {
  const { row } = await findInstallation(deps.db, id, { developerId })
  return { installation: installationOf(deps, row, shown), revision: row.revision }
}

/**
 * What an installation costs with the products that its party has now.
 *
 * @throws AppError not_found
 */
export async function quoteInstallation(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
): Promise<Quote> {
  const { row, option } = await findInstallation(db, id, { developerId })
  return quote(option, await countProducts({ db }, row))
}
