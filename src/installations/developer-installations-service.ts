import { type Quote, quote } from '../apps/pricing/quotes.ts'
import { queryTexts, statementOf } from '../database/statement.ts'
import type { Deps } from '../deps.ts'
import { countProducts } from '../products/count-service.ts'
import type { Page, PageRequest, Position } from '../values/page-of-list.ts'
import type { Installation } from './installation.ts'
import { type StoredSetting, settingValuesOf } from './settings/stored-settings.ts'
import {
  findInstallation,
  installationRecordOf,
  type SecretsShown,
} from './stored-installation-service.ts'

export type InstallationFilters = {
  appId?: string | undefined
  partyId?: number | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
  updatedSince?: string | undefined
}

type ReadDeps = Pick<Deps, 'db' | 'secrets'>

/** An installation in JSON, as it is on the wire. */
type InstallationJson = Omit<Installation, 'installDate' | 'updatedAt'> & {
  installDate: string
  updatedAt: string
}
/** Scope, key and ciphertext in base64 of a password. */
type StoredPassword = [StoredSetting['scope'], string, string]

/**
 * The installations of a developer's apps, oldest first. Uninstalled ones come only when `status`
 * or `updatedSince` asks for them. One query reads a page with its passwords, and reads no more
 * rows than the page has, wherever in the list the page is.
 */
export async function listInstallations(
  deps: Pick<Deps, 'pool' | 'secrets'>,
  developerId: string,
  filters: InstallationFilters,
  request: PageRequest,
  shown: SecretsShown,
): Promise<Page<Installation>> {
  const { entries, next } = await listInstallationTexts(deps, developerId, filters, request, shown)
  return { entries: entries.map(installationOfText), next }
}

function installationOfText(text: string): Installation {
  const { installDate, updatedAt, ...record } = JSON.parse(text) as InstallationJson
  return { ...record, installDate: new Date(installDate), updatedAt: new Date(updatedAt) }
}

/**
 * Like `listInstallations`, but each entry is its JSON text, which Postgres writes. Only an entry
 * with passwords is parsed and written again here.
 */
export async function listInstallationTexts(
  { pool, secrets }: Pick<Deps, 'pool' | 'secrets'>,
  developerId: string,
  filters: InstallationFilters,
  { after, limit }: PageRequest,
  shown: SecretsShown,
): Promise<Page<string>> {
  const { sql, values } = conditionsOf(filters, after)
  const textOf = () => `
      SELECT ${INSTALLATION_JSON}, ${PASSWORDS}
      FROM (
        SELECT id, app_id, install_date, body, has_passwords FROM installations i WHERE i.developer_id = $1::uuid${sql}
        ORDER BY i.install_date, i.id LIMIT ${limit + 1}
      ) AS i
      JOIN apps a ON a.id = i.app_id
      ORDER BY i.install_date, i.id`
  const statement = isPrepared(filters)
    ? statementOf('installations', `${limit}${sql}`, textOf)
    : { text: textOf() }
  const rows = await queryTexts(pool, statement, [developerId, ...values])
  const entries = rows
    .slice(0, limit)
    .map(([json, passwords]) =>
      passwords === null || shown === 'omit'
        ? (json ?? '')
        : withPasswords(secrets, json ?? '', JSON.parse(passwords ?? '')),
    )
  const last = rows.length > limit ? entries.at(-1) : undefined
  return { entries, next: last === undefined ? undefined : positionOf(JSON.parse(last)) }
}

function positionOf({ installDate, id }: InstallationJson): Position {
  return [installDate, id]
}

/** SQL of an installation `i` of the app `a` as its JSON: most of it is kept as text. */
const INSTALLATION_JSON = `
  '{"id":"' || i.id || '","appId":"' || i.app_id || '","appName":' || to_json(a.name)::text || i.body`

/** SQL of the passwords of an installation `i`. */
const PASSWORDS = `
  CASE WHEN i.has_passwords THEN (
    SELECT json_agg(json_build_array(v.scope, v.key, translate(encode(v.secret, 'base64'), E'\\n', '')))
    FROM setting_values v WHERE v.installation_id = i.id AND v.secret IS NOT NULL
  ) END`

function withPasswords(
  secrets: Deps['secrets'],
  json: string,
  passwords: readonly StoredPassword[],
): string {
  const record = JSON.parse(json) as InstallationJson
  const settings = passwords.map(
    ([scope, key, secret]): StoredSetting => ({
      scope,
      key,
      value: null,
      secret: Buffer.from(secret, 'base64'),
    }),
  )
  const { userSettings, adminSettings } = settingValuesOf(secrets, record.id, settings)
  return JSON.stringify({
    ...record,
    userSettings: inOrder({ ...record.userSettings, ...userSettings }),
    adminSettings: inOrder({ ...record.adminSettings, ...adminSettings }),
  })
}

function inOrder<Value>(settings: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Whether the statement may be prepared. A prepared statement may have one plan for all values, and
 * the best plan of these filters depends on their values.
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
  return { installation: installationRecordOf(deps, row, shown), revision: row.revision }
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
