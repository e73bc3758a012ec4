import { containing, pageOf } from '../accounts/keyset.ts'
import type { Deps } from '../deps.ts'
import type { Page, PageRequest } from '../page.ts'
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
      ...(suspended === undefined ? {} : { suspendedAt: suspended ? { not: null } : null }),
      ...(after === undefined ? {} : { AND: { id: { gt: String(after[0]) } } }),
    },
    include: {
      developer: { select: { name: true } },
      _count: { select: { installations: { where: { live: true } } } },
    },
    orderBy: { id: 'asc' },
    take: limit + 1,
  })
  const entryOf = (row: (typeof rows)[number]): OperatorApp => ({
    id: row.id,
    name: row.name,
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
  })
  return pageOf(rows, limit, entryOf, ({ id }) => [id])
}
