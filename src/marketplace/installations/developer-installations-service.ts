import { PAGE_BYTES_MAX } from '../../base/database/page-bytes.ts'
import { pageStatement, queryTexts, type TextRow } from '../../base/database/statement.ts'
import { hold } from '../../base/fair-share/deadline.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import type { Page, PageRequest, Position } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type Quote, quote } from '../apps/pricing/quotes.ts'
import { purchaseOptionOf } from '../apps/stored-definition.ts'
import { countProducts } from '../products/count-service.ts'
import type { Installation } from './installation.ts'
import {
  INSTALLATION_BYTES,
  INSTALLATION_JSON,
  type InstallationJson,
  PASSWORDS,
  withPasswords,
} from './installation-json-service.ts'
import type { SecretsShown } from './stored-installation-service.ts'

export type InstallationFilters = {
  appId?: string | undefined
  partyId?: number | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
  updatedSince?: string | undefined
}

/** Few installations have more settings: a page of them may be far too large to be read at once. */
const USUAL_BYTES = 4_096

/**
 * Between the JSON texts of a list (RFC 7464), in which it cannot be. The driver takes longer to
 * read a hundred rows than to read one.
 */
const SEPARATOR = '\x1e'
const SEPARATOR_SQL = "E'\\x1e'"

/** The list of `listInstallationTexts` without passwords, for pages. */
export async function listInstallations(
  deps: Pick<Deps, 'pool' | 'secrets'>,
  developerId: string,
  filters: InstallationFilters,
  page: PageRequest,
): Promise<Page<Installation>> {
  const { entries, next } = await listInstallationTexts(deps, developerId, filters, page, 'omit')
  return { entries: entries.map(installationOfText), next }
}

function installationOfText(text: string): Installation {
  const { installDate, updatedAt, ...record } = JSON.parse(text) as InstallationJson
  return { ...record, installDate: new Date(installDate), updatedAt: new Date(updatedAt) }
}

/**
 * The installations of a developer's apps, oldest first. Uninstalled ones come only when `status`
 * or `updatedSince` asks for them. One query reads a page with its passwords, and reads no more
 * rows than the page has, wherever in the list the page is. A page ends early when its installations
 * are large; where one is, there is a second query, which reads no more than the page has.
 *
 * @returns the JSON text of each, which Postgres writes; only one with passwords is parsed and
 *   written again here
 */
export async function listInstallationTexts(
  { pool, secrets }: Pick<Deps, 'pool' | 'secrets'>,
  developerId: string,
  filters: InstallationFilters,
  { after, limit }: PageRequest,
  shown: SecretsShown,
): Promise<Page<string>> {
  const { sql, values } = conditionsOf(filters, after)
  const found = `
    SELECT id, app_id, install_date, body, has_passwords FROM installations i
    WHERE i.developer_id = $1::uuid${sql} ORDER BY i.install_date, i.id LIMIT ${limit + 1}`
  const usualOnes = () => `
    SELECT count(*) = count(json), string_agg(json, ${SEPARATOR_SQL}),
      CASE WHEN bool_or(passwords <> '') THEN string_agg(passwords, ${SEPARATOR_SQL}) END
    FROM (
      SELECT CASE WHEN ${INSTALLATION_BYTES} <= ${USUAL_BYTES} THEN ${INSTALLATION_JSON} END AS json,
        coalesce((CASE WHEN ${INSTALLATION_BYTES} <= ${USUAL_BYTES} THEN ${PASSWORDS} END)::text, '')
          AS passwords
      FROM (${found}) AS i JOIN apps a ON a.id = i.app_id
      ORDER BY i.install_date, i.id
    ) AS ordered`
  const statement = isPrepared(filters)
    ? pageStatement({ family: 'installations', limit, shape: sql }, usualOnes)
    : { text: usualOnes() }
  const parameters = [developerId, ...values]
  const [usualRow] = await queryTexts(pool, statement, parameters)
  const usual = rowsOf(usualRow)
  const rows = usual
    ? usual.slice(0, countWithinPage(usual.slice(0, limit)))
    : await queryTexts(pool, { text: firstOnes(found, limit) }, parameters)
  if (usual === undefined) {
    hold(rows.reduce((sum, row) => sum + charactersOf(row), 0))
    // Their passwords are added in a tick of the event loop of their own.
    await nextTick()
  }
  const isContinued = usual ? rows.length < usual.length : rows.at(-1)?.[2] === 't'
  const entries = rows.map(([json, passwords]) =>
    passwords == null || shown === 'omit'
      ? (json ?? '')
      : JSON.stringify(withPasswords(secrets, JSON.parse(json ?? ''), JSON.parse(passwords))),
  )
  const last = isContinued ? entries.at(-1) : undefined
  return { entries, next: last === undefined ? undefined : positionOf(JSON.parse(last)) }
}

/** The rows that come as one, or undefined when one of them is too large for that. */
function rowsOf([areUsual, jsons, passwords]: TextRow = []): TextRow[] | undefined {
  if (areUsual !== 't') return undefined
  const secrets = passwords?.split(SEPARATOR)
  return (jsons?.split(SEPARATOR) ?? []).map((json, place) => [json, secrets?.[place] || null])
}

function charactersOf([json, passwords]: TextRow): number {
  return (json?.length ?? 0) + (passwords?.length ?? 0)
}

/** How many of the first rows fit into one page: at least one if there is any. */
function countWithinPage(rows: readonly TextRow[]): number {
  let characters = 0
  const rest = rows.findIndex((row, place) => {
    characters += charactersOf(row)
    return place > 0 && characters > PAGE_BYTES_MAX
  })
  return rest === -1 ? rows.length : rest
}

/** SQL of the first installations of a page, as many as fit into it, and whether more follow. */
const firstOnes = (found: string, limit: number) => `
  SELECT ${INSTALLATION_JSON}, ${PASSWORDS}, i.is_continued
  FROM (
    SELECT i.*, row_number() OVER page AS place, sum(${INSTALLATION_BYTES}) OVER page AS bytes_so_far,
      lead(i.id) OVER page IS NOT NULL AS is_continued
    FROM (${found}) AS i
    WINDOW page AS (ORDER BY i.install_date, i.id ROWS UNBOUNDED PRECEDING)
  ) AS i
  JOIN apps a ON a.id = i.app_id
  WHERE i.place = 1 OR i.place <= ${limit} AND i.bytes_so_far <= ${PAGE_BYTES_MAX}
  ORDER BY i.install_date, i.id`

function positionOf({ installDate, id }: InstallationJson): Position {
  return [installDate, id]
}

/**
 * Whether the statement is prepared: only that of lists without filters. The best plan of a filter
 * depends on its value, and a prepared statement may have one plan for all values.
 */
function isPrepared(filters: InstallationFilters): boolean {
  return Object.values(filters).every((filter) => filter === undefined)
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
 * What an installation costs with so many products.
 *
 * @param records how many; unless given, those that its party has now
 * @throws AppError not_found
 */
export async function quoteInstallation(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
  records?: number,
): Promise<Quote> {
  // Nothing else of it: its settings and those of its version may have some megabytes.
  const found = await db.installation.findFirst({
    where: { id, developerId },
    select: { partyId: true, partyType: true, purchaseOption: true },
  })
  if (found === null) throw new AppError('not_found')
  const { purchaseOption, ...party } = found
  return quote(purchaseOptionOf(purchaseOption), records ?? (await countProducts({ db }, party)))
}

/** Those of some installations that are of a developer's apps: id -> what it is called, and its status. */
export async function findOwnInstallations(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  ids: readonly string[],
) {
  const rows = await db.installation.findMany({
    where: { id: { in: [...ids] }, developerId },
    select: {
      ...{ id: true, status: true },
      app: { select: { name: true } },
      party: { select: { name: true } },
    },
  })
  return new Map(
    rows.map(({ id, status, app, party }) => [
      id,
      { name: `${app.name} for ${party.name}`, status },
    ]),
  )
}
