import { pageOf } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { eventJson, eventOf } from './event-record.ts'
import type { Event } from './event-schemas.ts'
import type { EventType } from './event-types.ts'

export type RecentEventFilters = {
  appId?: string | undefined
  installationId?: string | undefined
  type?: EventType | undefined
}

/** The numbered events of a developer's log, newest first. */
export async function listRecentEvents(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  developerId: string,
  { appId, installationId, type }: RecentEventFilters,
  { after, limit }: PageRequest,
): Promise<Page<Event>> {
  const before = after === undefined ? {} : { lt: BigInt(after[0] ?? 0) }
  const rows = await db.event.findMany({
    where: {
      developerId,
      position: { not: null, ...before },
      ...(appId !== undefined && { appId }),
      ...(installationId !== undefined && { installationId }),
      ...(type !== undefined && { type }),
    },
    orderBy: { position: 'desc' },
    take: limit + 1,
  })
  return pageOf(
    rows,
    limit,
    (row) => eventOf(row, config.publicUrl),
    ({ position }) => [String(position)],
  )
}

/** The event at a position of a developer's log, as it is sent; undefined once it is not kept. */
export async function readEventJson(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  developerId: string,
  position: number,
): Promise<string | undefined> {
  const row = await db.event.findFirst({ where: { developerId, position } })
  return row === null ? undefined : eventJson(row, config.publicUrl)
}

/** What a developer's log holds: the newest position, and the oldest that is kept. */
export async function readLogSpan(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
): Promise<{ newest: number; oldest: number } | undefined> {
  const log = await db.eventLog.findUnique({ where: { developerId } })
  if (log === null || log.position === 0n) return undefined
  return { newest: Number(log.position), oldest: Number(log.forgotten) + 1 }
}
