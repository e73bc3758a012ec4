import type { LinkToken } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { takeUser } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { deadLink } from '../links/link.ts'
import { endLinks, openAt } from '../links/link-tokens-service.ts'
import { giveInvited, namesOf } from './accept-invitation-service.ts'
import { trailOwnerOf, type WaitingInvitation } from './invitation.ts'
import { mayStillInvite, requireLiveInviter } from './inviters-service.ts'

/** More of them are shown when some of these are answered. */
const SHOWN_MAX = 10

type ReadDeps = Pick<Deps, 'db' | 'now'>

/**
 * The open invitations to the email of a user, oldest first. None where nobody has proved that the
 * email is the user's.
 */
export async function listWaitingInvitations(
  { db, now }: ReadDeps,
  userId: string,
): Promise<WaitingInvitation[]> {
  const user = await db.user.findUnique({ where: { id: userId, emailProved: true } })
  if (user === null) return []
  const links = await db.linkToken.findMany({
    where: { purpose: 'invitation', email: user.email, ...openAt(now()) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: SHOWN_MAX,
  })
  const waiting: WaitingInvitation[] = []
  for (const link of links) {
    if (await mayStillInvite(db, link)) waiting.push({ id: link.id, ...(await namesOf(db, link)) })
  }
  return waiting
}

/**
 * Accepts or declines an invitation that waits for a user.
 *
 * @param address where the request comes from
 * @throws AppError invalid_link; conflict when the developer has as many people as it may have
 */
export async function answerInvitation(
  deps: ReadDeps,
  { userId, id, accepts }: { userId: string; id: string; accepts: boolean },
  address: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const inTx = { ...deps, db: tx }
    const link = await lockWaiting(inTx, userId, id)
    const user = await takeUser(tx, userId)
    if (user.email !== link.email || !user.emailProved) throw deadLink('invitation', 'ended')
    if (!accepts) {
      await endLinks(inTx, { id: link.id })
      await recordAudit(tx, {
        actor: { kind: 'user', id: userId, address },
        action: 'invitation.declined',
        subject: { kind: 'invitation', id: link.id },
        ...trailOwnerOf(link.scope),
      })
      return
    }
    await requireLiveInviter(tx, link)
    await tx.linkToken.update({ where: { id: link.id }, data: { usedAt: deps.now() } })
    const given = await giveInvited(inTx, link, user, address)
    if (given === undefined) throw deadLink('invitation', 'ended')
  })
}

/** @throws AppError invalid_link when it is not open, or for somebody else */
async function lockWaiting(
  { db: tx, now }: { db: Db; now: () => Date },
  userId: string,
  id: string,
): Promise<LinkToken> {
  await tx.$queryRaw`SELECT 1 FROM link_tokens WHERE id = ${id}::uuid FOR UPDATE`
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } })
  const where = { id, purpose: 'invitation' as const, email: user?.email ?? '', ...openAt(now()) }
  const link = await tx.linkToken.findFirst({ where })
  if (link === null) throw deadLink('invitation', 'ended')
  return link
}
