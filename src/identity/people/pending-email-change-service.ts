import type { Deps } from '../../deps.ts'
import { EmailChangeGrants, type PendingEmailChange } from './email-change.ts'

/** The change that a user has asked for and not confirmed at both addresses; undefined without one. */
export async function readPendingEmailChange(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { id, email }: { id: string; email: string },
): Promise<PendingEmailChange | undefined> {
  // A newer request ends the links of the one before; used links that are left open nothing.
  const links = await db.linkToken.findMany({
    where: {
      userId: id,
      purpose: 'email_change',
      usedAt: null,
      endedAt: null,
      expiresAt: { gt: now() },
    },
    orderBy: { scope: 'asc' },
    select: { email: true, grants: true, expiresAt: true },
  })
  const [link] = links
  if (link === undefined) return undefined
  const { from, to } = EmailChangeGrants.parse(link.grants)
  // The links of a former email are dead.
  if (from !== email) return undefined
  return { to, waitsFor: links.map((one) => one.email), expiresAt: link.expiresAt }
}
