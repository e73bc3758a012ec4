import { containing, pageOf, suspendedIs } from '../accounts/keyset.ts'
import type { Prisma } from '../database/generated/client.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Page, PageRequest } from '../page.ts'
import { lookAlikeWarning } from './look-alikes.ts'
import type { OperatorApp } from './operator-view.ts'

export type OperatorAppFilters = {
  q?: string | undefined
  developerId?: string | undefined
  suspended?: boolean | undefined
}

/** All apps that are not deleted, listed or not, in the order of their ids. */
export async function listAllApps(
  { db }: Pick<Deps, 'db'>,
  { q, developerId, suspended }: OperatorAppFilters,
  { after, limit }: PageRequest,
): Promise<Page<OperatorApp>> {
  const rows = await db.app.findMany({
    where: {
      deletedAt: null,
      ...(q === undefined ? {} : { OR: [{ name: containing(q) }, { id: containing(q) }] }),
      ...(developerId === undefined ? {} : { developerId }),
      ...suspendedIs(suspended),
      ...(after === undefined ? {} : { AND: { id: { gt: String(after[0]) } } }),
    },
    include: APP_PARTS,
    orderBy: { id: 'asc' },
    take: limit + 1,
  })
  return pageOf(rows, limit, operatorAppOf, ({ id }) => [id])
}

/**
 * One app that is not deleted.
 *
 * @throws AppError not_found
 */
export async function readAnyApp({ db }: Pick<Deps, 'db'>, id: string): Promise<OperatorApp> {
  const row = await db.app.findFirst({ where: { id, deletedAt: null }, include: APP_PARTS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such app.' })
  return operatorAppOf(row)
}

/** How many apps there are, and how many of them are suspended. */
export async function countApps({ db }: Pick<Deps, 'db'>) {
  const [all, suspended] = await Promise.all([
    db.app.count({ where: { deletedAt: null } }),
    db.app.count({ where: { deletedAt: null, suspendedAt: { not: null } } }),
  ])
  return { all, suspended }
}

/** The names of apps, deleted ones included: id -> name. */
export async function namesOfApps(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const where = { id: { in: [...ids] } }
  const rows = await db.app.findMany({ where, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const APP_PARTS = {
  developer: { select: { name: true } },
  _count: { select: { installations: { where: { live: true } } } },
} as const satisfies Prisma.AppInclude

function operatorAppOf(row: Prisma.AppGetPayload<{ include: typeof APP_PARTS }>): OperatorApp {
  return {
    id: row.id,
    name: row.name,
    nameWarning: lookAlikeWarning(row.name) ?? null,
    developerId: row.developerId,
    developerName: row.developer.name,
    partyTypes: row.partyTypes as OperatorApp['partyTypes'],
    version: row.version,
    listed: row.listed,
    installations: row._count.installations,
    suspended: row.suspendedAt !== null,
    suspendedAt: row.suspendedAt,
    suspendedReason: row.suspendedReason,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
