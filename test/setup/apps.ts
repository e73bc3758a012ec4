import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SharedMarketplace } from './app.ts'
import { type Answer, call, developerToken } from './client.ts'

export const APPS = '/v1/Developer/Apps'

/** A definition that is complete and valid, fresh for each call. */
export function draft(id: string, changes: Record<string, unknown> = {}) {
  return {
    id,
    name: `App ${id}`,
    description: 'Does something useful.',
    partyTypes: ['Seller'] as string[],
    version: '1.0.0',
    permissions: [{ id: 'products:read', purpose: 'Reads your products.' }] as object[],
    purchaseOptions: [flat('free', 0)] as Record<string, unknown>[],
    settings: {} as Record<string, Record<string, Record<string, unknown>>>,
    acknowledgements: [] as Record<string, unknown>[],
    ...changes,
  }
}

/** A purchase option with a fixed fee. */
export function flat(id: string, monthlyRate: number, more: object = {}) {
  return { id, name: id, pricingModel: 'FlatMonthly', currency: 'USD', monthlyRate, ...more }
}

/** Parts of a definition of about 430 kB: two of them are less than 1 MiB, three are more. */
export function largeParts() {
  const ids = ['one', 'two', 'three', 'four']
  const setting = { type: 'text', name: 'Long', description: 'd'.repeat(1000) }
  const profile = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, setting]))
  return {
    purchaseOptions: ids.map((id) => flat(id, 0)),
    settings: Object.fromEntries(ids.map((id) => [id, profile])),
  }
}

type Definition = { id: string } & Record<string, unknown>

/** A demo developer at work on its apps. */
export async function author(market: SharedMarketplace, index = 0) {
  return authorWith(market, await developerToken(market, index))
}

/** A developer at work on its apps: every endpoint as one short call. */
export function authorWith(market: Pick<SharedMarketplace, 'url'>, token: string) {
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    call(market, method, `${APPS}${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  return {
    token,
    send,
    create: (body: unknown) => send('POST', '', body),
    read: (id: string) => send('GET', `/${id}`),
    put: (body: Definition, headers = {}) => send('PUT', `/${body.id}`, body, headers),
    dryRun: (body: Definition) => send('PUT', `/${body.id}?dryRun=true`, body),
    remove: (id: string) => send('DELETE', `/${id}`),
    list: (id: string) => send('POST', `/${id}/List`),
    unlist: (id: string) => send('POST', `/${id}/Unlist`),
    /** Nobody finds it any more. */
    hide: (id: string) => send('PUT', `/${id}/Visibility`, { visibility: 'draft' }),
    versions: (id: string) => send('GET', `/${id}/Versions`),
    putTerms: (id: string, body: string | Uint8Array, type = 'text/markdown', query = '') =>
      send('PUT', `/${id}/TermsDocument${query}`, body, { 'content-type': type }),
    putTermsPdf: (id: string, body: string | Uint8Array, headers = {}) =>
      send('PUT', `/${id}/TermsDocument/Pdf`, body, {
        'content-type': 'application/pdf',
        ...headers,
      }),
  }
}
export type Author = Awaited<ReturnType<typeof author>>

/** An id that no other call has had. */
let made = 0
export function newId(): string {
  made += 1
  return `app-${made.toString(36)}`
}

/** What the database of a market held, and by which marks it is known that nothing has changed. */
type Look = { marksSql: string; marks: string; contents: Record<string, string> }
const looks = new WeakMap<pg.Pool, Look>()

/**
 * Every row of every table, as JSON: what must be the same after a failure. Counts of the audit
 * trail and of usage are left out: each server writes its own within a minute, whoever asks what. The rows are
 * read again only when there are others than before.
 */
export async function everything({ deps }: SharedMarketplace): Promise<Record<string, string>> {
  const { pool } = deps
  const last = looks.get(pool)
  if (last !== undefined && (await marksOf(pool, last.marksSql)) === last.marks) {
    return { ...last.contents }
  }
  const tables = await tablesOf(pool)
  const marksSql = ['pg_class', ...tables].map(markSql).join(' UNION ALL ')
  // Before the contents: what changes in between is read with the next look.
  const marks = await marksOf(pool, marksSql)
  const contents = await contentsOf(pool, tables)
  looks.set(pool, { marksSql, marks, contents })
  return { ...contents }
}

async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'public' AND tablename NOT IN ('audit_counts', 'usage_days') ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Whatever changes a table changes this: a row that is written has a transaction of its own in
 * `xmin`, later than those of all rows before, and one that is deleted is missing in the count.
 */
const markSql = (table: string) =>
  `SELECT count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) AS mark FROM "${table}"`

async function marksOf(pool: pg.Pool, text: string): Promise<string> {
  // Prepared once on each connection: planning takes longer than the statement does.
  const name = createHash('sha256').update(text).digest('hex')
  const { rows } = await pool.query<{ mark: string }>({ name: name.slice(0, 32), text })
  return rows.map(({ mark }) => mark).join(' ')
}

async function contentsOf(pool: pg.Pool, tables: string[]): Promise<Record<string, string>> {
  const contents = tables.map(
    (name) =>
      `SELECT '${name}' AS name, coalesce(json_agg(t ORDER BY t::text), '[]')::text AS all
       FROM "${name}" t`,
  )
  const { rows } = await pool.query<{ name: string; all: string }>(contents.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, all }) => [name, all]))
}

/** What is kept of one version of an app, as the database has it. */
export async function storedVersion({ deps }: SharedMarketplace, appId: string, version: string) {
  const { rows } = await deps.pool.query(
    `SELECT to_jsonb(v) AS version,
       (SELECT jsonb_agg(o ORDER BY o.id) FROM purchase_options o
        WHERE (o.app_id, o.version) = (v.app_id, v.version)) AS options
     FROM app_versions v WHERE v.app_id = $1 AND v.version = $2`,
    [appId, version],
  )
  return rows[0]
}

/** Installs an app for a party straight in the database, as an install would. */
export async function installedBy(
  { deps }: SharedMarketplace,
  appId: string,
  partyId: number,
  purchaseOptionId = 'free',
): Promise<string> {
  const app = await deps.db.app.findUniqueOrThrow({
    where: { id: appId },
    include: { latest: true },
  })
  const permissions = app.latest?.permissions as { id: string }[]
  const party = await deps.db.party.findUniqueOrThrow({ where: { id: partyId } })
  const { id } = await deps.db.installation.create({
    data: {
      appId,
      developerId: app.developerId,
      partyId,
      partyType: party.type,
      purchaseOptionId,
      installedVersion: app.version ?? '',
      permissions: permissions.map((permission) => permission.id),
    },
  })
  return id
}
