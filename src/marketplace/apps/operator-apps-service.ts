import { Prisma } from '../../base/database/generated/client.ts'
import { pageOf, rowsToRead, suspendedIs, textIn } from '../../base/values/keyset.ts'
import { type Orders, orderOf } from '../../base/values/list-order.ts'
import { lookAlikeWarning } from '../../base/values/look-alikes.ts'
import { nameKey } from '../../base/values/names.ts'
import {
  COUNTED_IN_LIST_MAX,
  COUNTED_MAX,
  type Page,
  type PageRequest,
} from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { webhookStatesOfApps } from '../webhooks/endpoints/app-webhooks-service.ts'
import { stateOfAll, type WebhooksState } from '../webhooks/endpoints/endpoint-health.ts'
import { countInstallations } from './installation-counts-service.ts'
import { iconOf } from './media/picture-record.ts'
import type { OperatorApp } from './operator-app.ts'

export type OperatorAppFilters = {
  q?: string | undefined
  developerId?: string | undefined
  suspended?: boolean | undefined
}

const ORDERS = { id: [{ name: 'id' }], name: [{ name: 'nameKey' }] } as const satisfies Orders

/** All apps that are not deleted, listed or not, in the order of their ids unless another is asked for. */
export async function listAllApps(
  { db }: Pick<Deps, 'db'>,
  filters: OperatorAppFilters,
  page: PageRequest,
): Promise<Page<OperatorApp>> {
  const { limit } = page
  const { where, orderBy, positionOf } = orderOf(ORDERS, page)
  // Deleted apps have no key: the index passes over them.
  const isKept = orderBy.some((one) => 'nameKey' in one) ? { nameKey: { not: null } } : {}
  const rows = await db.app.findMany({
    where: { AND: [appsWith(filters), isKept, where] },
    include: APP_PARTS,
    orderBy,
    take: rowsToRead(limit, filters.q),
  })
  const shown = rows.slice(0, limit).map(({ id }) => id)
  const counts = await countInstallations({ db }, shown, COUNTED_IN_LIST_MAX)
  const webhooks = await webhookStatesOfApps({ db }, shown)
  const resembled = await resembledNames({ db }, shown)
  return pageOf(rows, limit, (row) => operatorAppOf(row, resembled, counts, webhooks), positionOf)
}

/** How many apps there are with these filters, up to a number that means that or more. */
export function countAppsWith(
  { db }: Pick<Deps, 'db'>,
  filters: OperatorAppFilters,
  max: number,
): Promise<number> {
  return db.app.count({ where: appsWith(filters), orderBy: { id: 'asc' }, take: max })
}

function appsWith({ q, developerId, suspended }: OperatorAppFilters): Prisma.AppWhereInput {
  return {
    deletedAt: null,
    ...(q === undefined ? {} : textIn(['name', 'id'], q)),
    ...(developerId === undefined ? {} : { developerId }),
    ...suspendedIs(suspended),
  }
}

/**
 * One app that is not deleted.
 *
 * @throws AppError not_found
 */
export async function readAnyApp({ db }: Pick<Deps, 'db'>, id: string): Promise<OperatorApp> {
  const row = await db.app.findFirst({ where: { id, deletedAt: null }, include: APP_PARTS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such app.' })
  const counts = await countInstallations({ db }, [id], COUNTED_MAX)
  const resembled = await resembledNames({ db }, [id])
  return operatorAppOf(row, resembled, counts, await webhookStatesOfApps({ db }, [id]))
}

/** The id of the app that has this id, deleted ones included, or else this name. */
export async function findAppByName(
  { db }: Pick<Deps, 'db'>,
  text: string,
): Promise<string | undefined> {
  const select = { id: true }
  const known =
    (await db.app.findUnique({ where: { id: text.toLowerCase() }, select })) ??
    (await db.app.findUnique({ where: { nameKey: nameKey(text) }, select }))
  return known?.id
}

/** How many apps there are, and how many of them are suspended; up to COUNTED_MAX. */
export async function countApps({ db }: Pick<Deps, 'db'>) {
  const orderBy = { id: 'asc' as const }
  const [all, suspended] = await Promise.all([
    db.app.count({ where: { deletedAt: null }, orderBy, take: COUNTED_MAX }),
    db.app.count({
      where: { deletedAt: null, suspendedAt: { not: null } },
      orderBy,
      take: COUNTED_MAX,
    }),
  ])
  return { all, suspended }
}

/** The names of apps, and whether they are deleted: id -> name. */
export async function namesOfApps({ db }: Pick<Deps, 'db'>, ids: readonly string[]) {
  const where = { id: { in: [...ids] } }
  const rows = await db.app.findMany({ where, select: { id: true, name: true, deletedAt: true } })
  return new Map(rows.map(({ id, name, deletedAt }) => [id, { name, isGone: deletedAt !== null }]))
}

const APP_PARTS = {
  developer: { select: { name: true } },
} as const satisfies Prisma.AppInclude

/**
 * Older apps whose names differ from those of the given ones only in what eyes pass over: spaces,
 * hyphens, dots, and digits that look like letters.
 *
 * @returns id of an app -> the name that its name looks like
 */
async function resembledNames(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.$queryRaw<{ id: string; name: string | null }[]>`
    SELECT a.id, (
      SELECT b.name FROM apps b
      WHERE ${looksOf('b')} = ${looksOf('a')} AND b.id <> a.id AND b.deleted_at IS NULL
        AND (b.created_at, b.id) < (a.created_at, a.id)
      ORDER BY b.created_at, b.id LIMIT 1
    ) AS name FROM apps a WHERE a.id = ANY(${ids})`
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

/**
 * How the name of an app looks: its key, which is in capitals, without what eyes pass over. An index
 * stands on this expression.
 */
function looksOf(table: 'a' | 'b'): Prisma.Sql {
  return Prisma.raw(`translate(${table}.name_key, '01L -_.,·''‐‑‒–—―‘’', 'OII')`)
}

function operatorAppOf(
  row: Prisma.AppGetPayload<{ include: typeof APP_PARTS }>,
  resembled: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number>,
  webhooks: ReadonlyMap<string, WebhooksState>,
): OperatorApp {
  return {
    id: row.id,
    name: row.name,
    nameWarning: nameWarningOf(row.name, resembled.get(row.id)),
    tagline: row.tagline,
    icon: iconOf(row.iconId),
    developerId: row.developerId,
    developerName: row.developer.name,
    partyTypes: row.partyTypes as OperatorApp['partyTypes'],
    version: row.version,
    listed: row.listed,
    visibility: row.visibility as OperatorApp['visibility'],
    installations: counts.get(row.id) ?? 0,
    suspended: row.suspendedAt !== null,
    suspendedAt: row.suspendedAt,
    suspendedReason: row.suspendedReason,
    webhooks: webhooks.get(row.id) ?? stateOfAll([]),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

function nameWarningOf(name: string, resembled: string | undefined): string | null {
  const warning = lookAlikeWarning(name)
  if (warning !== undefined) return warning
  return resembled === undefined ? null : `looks like the name of the app ${resembled}`
}
