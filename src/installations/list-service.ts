import { type Quote, quote } from '../apps/pricing/quotes.ts'
import { queryTexts, statementOf } from '../database/statement.ts'
import type { Deps } from '../deps.ts'
import { countProducts } from '../products/count-service.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'
import type { Installation } from './installation.ts'
import { findInstallation, installationOf, type SecretsShown } from './record-service.ts'
import { type StoredSetting, settingValuesOf } from './settings/stored-settings.ts'

export type InstallationFilters = {
  appId?: string | undefined
  partyId?: number | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
  updatedSince?: string | undefined
}

type ReadDeps = Pick<Deps, 'db' | 'secrets'>

type ListRow = Omit<
  Installation,
  'userSettings' | 'adminSettings' | 'installDate' | 'updatedAt'
> & {
  installDate: string
  updatedAt: string
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
  const textOf = () => `
      SELECT json_build_object(
        'id', i.id, 'appId', i.app_id, 'appName', a.name, 'partyType', i.party_type,
        'partyId', i.party_id, 'partyName', p.name, 'installDate', i.install_date,
        'purchaseOptionId', i.purchase_option_id, 'installedVersion', i.installed_version,
        'status', i.status, 'permissions', i.permissions, 'updatedAt', i.updated_at,
        'settings', coalesce((
          SELECT json_agg(json_build_array(s.scope, s.key, s.value,
            translate(encode(s.secret, 'base64'), E'\\n', '')))
          FROM setting_values s WHERE s.installation_id = i.id
        ), '[]'))
      FROM (
        SELECT * FROM installations i WHERE i.developer_id = $1::uuid${sql}
        ORDER BY i.install_date, i.id LIMIT ${limit + 1}
      ) AS i
      JOIN apps a ON a.id = i.app_id
      JOIN parties p ON p.id = i.party_id
      ORDER BY i.install_date, i.id`
  const statement = isPrepared(filters)
    ? statementOf('installations', `${limit}${sql}`, textOf)
    : { text: textOf() }
  const rows = await queryTexts(pool, statement, [developerId, ...values])
  const entries = rows.slice(0, limit).map(([json]) => {
    const { settings, installDate, updatedAt, ...record } = JSON.parse(json ?? '') as ListRow
    return {
      ...record,
      installDate: new Date(installDate),
      updatedAt: new Date(updatedAt),
      ...settingValuesOf(secrets, record.id, storedSettings(settings, shown)),
    }
  })
  const last = entries.at(-1)
  return {
    entries,
    next: rows.length > limit && last ? [last.installDate.toISOString(), last.id] : undefined,
  }
}

/**
 * What depends on the value of a filter, such as whether a time is long ago, is planned anew each
 * time: a prepared statement may have one plan for all values.
 */
function isPrepared({ partyType, status, updatedSince }: InstallationFilters): boolean {
  return partyType === undefined && status === undefined && updatedSince === undefined
}

function conditionsOf(filters: InstallationFilters, after: PageRequest['after']) {
  const { appId, partyId, partyType, status, updatedSince } = filters
  const values: string[] = []
  const parameter = (value: unknown, type: string) => `$${values.push(`${value}`) + 1}::${type}`
  const conditions = [
    after &&
      `(i.install_date, i.id) > (${parameter(after[0], 'timestamptz')}, ${parameter(after[1], 'uuid')})`,
    appId !== undefined && `i.app_id = ${parameter(appId, 'text')}`,
    partyId !== undefined && `i.party_id = ${parameter(partyId, 'int')}`,
    partyType !== undefined && `i.party_type = ${parameter(partyType, '"PartyType"')}`,
    status !== undefined && `i.status = ${parameter(status, '"InstallationStatus"')}`,
    updatedSince !== undefined &&
      `i.updated_at >= ${parameter(new Date(updatedSince).toISOString(), 'timestamptz')}`,
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
