import type { Prisma } from '../../base/database/generated/client.ts'
import type { Deps } from '../../deps.ts'

/** How many links may be made in any window of so many seconds. */
export type LinkBudget = { links: number; seconds: number }

/**
 * Reads when the next link may be made. The caller lets those who make such links at once take
 * turns.
 *
 * @param which the links that count
 * @returns seconds to wait, rounded up; 0 when a link may be made now
 */
export async function secondsUntilNextLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  which: Prisma.LinkTokenWhereInput,
  { links, seconds }: LinkBudget,
): Promise<number> {
  const time = now().getTime()
  const made = await db.linkToken.findMany({
    where: { ...which, createdAt: { gt: new Date(time - seconds * 1000) } },
    select: { createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: links,
  })
  const oldest = made[links - 1]
  if (oldest === undefined) return 0
  return Math.max(1, Math.ceil(seconds - (time - oldest.createdAt.getTime()) / 1000))
}
