import type { LinkToken, Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import { findableSecret, isSecretOf, secretHash } from '../../base/secrets/findable-secret.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { type DeadLink, deadLink, LINK_TTL_SECONDS, type LinkPurpose } from './link.ts'

type LinkDeps = Pick<Deps, 'db' | 'now'>

type NewLink = {
  purpose: LinkPurpose
  email: string
  /** A newer link of the same purpose, address and scope ends the older one. */
  scope: string
  grants: Prisma.InputJsonObject
  userId?: string
  actor: Actor
}

/** Used links and those that ran out are kept for so long, as what limits of a day count. */
const KEPT_DAYS = 30

/**
 * Makes a link and ends the older one. It opens nothing before `renewToken` has made its token.
 *
 * @param deps in a transaction, which for a link of a user has locked the user's links
 */
export async function createLink({ db: tx, now }: LinkDeps, link: NewLink): Promise<LinkToken> {
  const { purpose, email, scope, grants, userId, actor } = link
  // Those who make the same link at once take turns.
  const lock = `link ${purpose} ${email} ${scope}`
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${lock}))`
  const createdAt = now()
  await endLinks({ db: tx, now }, { purpose, email, scope })
  return tx.linkToken.create({
    data: {
      purpose,
      email,
      scope,
      grants,
      createdAt,
      userId: userId ?? null,
      createdByKind: actor.kind,
      createdById: actor.id,
      expiresAt: new Date(createdAt.getTime() + LINK_TTL_SECONDS[purpose] * 1000),
    },
  })
}

/**
 * Gives an open link a new token; one that it had before is worth nothing then. Only its hash is
 * kept.
 *
 * @param mailed whether the token goes to the address of the link by mail, and to nobody else: who
 *   uses it then has proved the address
 * @returns undefined when the link is not open any more
 */
export async function renewToken(
  { db, now }: LinkDeps,
  id: string,
  { mailed }: { mailed: boolean },
): Promise<string | undefined> {
  const token = findableSecret('link')
  const { count } = await db.linkToken.updateMany({
    where: { id, ...openAt(now()) },
    data: { secretSha256: secretHash(token), mailed },
  })
  return count === 0 ? undefined : token
}

/** Notes that the mail of a link was refused for good: nobody has its token. */
export async function noteMailRefused({ db, now }: LinkDeps, id: string): Promise<void> {
  await db.linkToken.updateMany({ where: { id }, data: { mailRefusedAt: now() } })
}

/** What makes a link open. */
export function openAt(time: Date) {
  return { usedAt: null, endedAt: null, expiresAt: { gt: time } } as const
}

/** Ends open links; their tokens are worth nothing from now on. */
export async function endLinks(
  { db, now }: LinkDeps,
  where: Prisma.LinkTokenWhereInput,
): Promise<number> {
  const { count } = await db.linkToken.updateMany({
    where: { ...where, usedAt: null, endedAt: null },
    data: { endedAt: now() },
  })
  return count
}

/**
 * The open link of a token, which stays unused.
 *
 * @throws AppError invalid_link
 */
export async function readLink(
  { db, now }: LinkDeps,
  purpose: LinkPurpose,
  token: string,
): Promise<LinkToken> {
  const known = isSecretOf('link', token)
  const link = known
    ? await db.linkToken.findUnique({ where: { secretSha256: secretHash(token) } })
    : null
  const reason = reasonOf(link, purpose, now())
  if (link === null || reason !== undefined) throw deadLink(purpose, reason ?? 'unknown')
  return link
}

/**
 * Lets those who change links of one user take turns: each of them locks several links, in any
 * order. Before the links themselves and before the user's row.
 *
 * @param tx the transaction, at whose end the lock ends
 */
export async function lockUserLinks(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`links of ${userId.toLowerCase()}`}))`
}

/**
 * Uses up the open link of a token: it is used when the transaction is committed. Of several uses
 * at once the first one goes on; the others wait for it, and find the link used.
 *
 * @param deps in a transaction
 * @throws AppError invalid_link
 */
export async function takeLink(
  { db: tx, now }: LinkDeps,
  purpose: LinkPurpose,
  token: string,
): Promise<LinkToken> {
  const { userId, secretSha256 } = await readLink({ db: tx, now }, purpose, token)
  if (userId !== null) await lockUserLinks(tx, userId)
  const [link] = await tx.linkToken.updateManyAndReturn({
    where: { secretSha256, purpose, ...openAt(now()) },
    data: { usedAt: now() },
  })
  if (link !== undefined) return link
  // Somebody has used, ended or renewed it since.
  await readLink({ db: tx, now }, purpose, token)
  throw deadLink(purpose, 'unknown')
}

/** Forgets links that nobody can use any more. */
export async function forgetOldLinks({ db, now }: LinkDeps): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * 86_400_000)
  await db.linkToken.deleteMany({ where: { expiresAt: { lt: before } } })
}

function reasonOf(link: LinkToken | null, purpose: LinkPurpose, time: Date): DeadLink | undefined {
  if (link === null || link.purpose !== purpose) return 'unknown'
  if (link.usedAt !== null) return 'used'
  if (link.endedAt !== null) return 'ended'
  return link.expiresAt <= time ? 'expired' : undefined
}
