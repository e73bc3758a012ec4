import { randomBytes } from 'node:crypto'
import { acceptDeveloperRole } from '../accounts/members/developer-members-service.ts'
import { recordMembership } from '../accounts/members/memberships-service.ts'
import { checked } from '../accounts/operator-requests.ts'
import { broken } from '../accounts/refusals-service.ts'
import { takeUserByEmail } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import type { LinkToken, User } from '../database/generated/client.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { deadLink } from '../links/link.ts'
import { readLink, takeLink } from '../links/link-tokens-service.ts'
import type { Actor } from '../values/actor.ts'
import {
  type AcceptedInvitation,
  InvitationAcceptance,
  InvitationGrants,
  type InvitationShown,
  ownerOf,
} from './invitation.ts'
import { mayStillInvite, requireLiveInviter } from './inviters-service.ts'

/** An address has one open invitation from each account and developer. */
const INVITATIONS_AT_ONCE_MAX = 50

/**
 * What the page of an invitation shows; nothing is used up.
 *
 * @throws AppError invalid_link
 */
export async function readInvitation(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<InvitationShown> {
  const link = await readLink({ db, now }, 'invitation', token)
  await requireLiveInviter(db, link)
  const isUser = (await db.user.count({ where: { email: link.email } })) > 0
  return { email: link.email, isUser, ...(await namesOf(db, link)) }
}

/** What an invitation is for, by the names of today. */
export async function namesOf(db: Db, link: Pick<LinkToken, 'grants'>) {
  const { partyIds, developerId, operator, support } = InvitationGrants.parse(link.grants)
  const parties = await db.party.findMany({
    where: { id: { in: partyIds } },
    select: { name: true },
    orderBy: { id: 'asc' },
  })
  const developer =
    developerId === null ? null : await db.developer.findUnique({ where: { id: developerId } })
  return {
    parties: parties.map(({ name }) => name),
    developer: developer?.name,
    operator,
    support,
  }
}

/**
 * Accepts an invitation: makes the user unless the address is one already, who keeps its password,
 * and gives it what the invitation is for. A role that the user has already is never lowered. Where
 * users sign in by single sign-on only, nobody chooses a password.
 *
 * @param address where the request comes from
 * @throws AppError invalid_link, conflict, unprocessable when a new user gives no password;
 *   unavailable
 */
export async function acceptInvitation(
  deps: Pick<Deps, 'db' | 'now' | 'passwords' | 'config'>,
  input: InvitationAcceptance,
  address: string,
): Promise<AcceptedInvitation> {
  const { token, password: chosen } = checked(InvitationAcceptance, input)
  const password = deps.config.passwordLogin ? chosen : unknownPassword()
  return inTransaction(deps.db, async (tx) => {
    const link = await takeLink({ db: tx, now: deps.now }, 'invitation', token)
    await requireLiveInviter(tx, link)
    const known = await takeUserByEmail(tx, link.email)
    const user = await giveInvited({ ...deps, db: tx }, link, known, password, address)
    if (user === undefined) throw deadLink('ended')
    return { userId: user.id, email: user.email, name: user.name, created: known === null }
  })
}

/**
 * Accepts the open invitations to an address for a person who has proved in another way than by a
 * link that the address is theirs. Makes the user, with a password that nobody knows.
 *
 * @param deps in a transaction
 * @param address where the request comes from
 * @returns undefined when there is no invitation that can be accepted now
 */
export async function acceptInvitationsTo(
  deps: Pick<Deps, 'db' | 'now' | 'passwords'>,
  email: string,
  address: string,
): Promise<User | undefined> {
  const { db: tx, now } = deps
  const open = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM link_tokens
    WHERE purpose = 'invitation' AND email = ${email} AND used_at IS NULL AND ended_at IS NULL
      AND expires_at > ${now()}
    ORDER BY created_at LIMIT ${INVITATIONS_AT_ONCE_MAX} FOR UPDATE SKIP LOCKED`
  let user: User | undefined
  for (const { id } of open) {
    const link = await tx.linkToken.update({ where: { id }, data: { usedAt: now() } })
    if (!(await mayStillInvite(tx, link))) continue
    user = (await giveInvited(deps, link, user ?? null, unknownPassword(), address)) ?? user
  }
  return user
}

/** A password that nobody knows. */
function unknownPassword(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Makes the invited user, unless there is one, and gives it what the invitation is for.
 *
 * @returns undefined when all that it is for was closed
 */
async function giveInvited(
  deps: Pick<Deps, 'db' | 'passwords'>,
  link: LinkToken,
  known: User | null,
  password: string | undefined,
  address: string,
): Promise<User | undefined> {
  const { db: tx } = deps
  const grants = await grantsStillOpen(tx, InvitationGrants.parse(link.grants))
  if (grants === undefined) return undefined
  const user = known ?? (await createInvited(deps, link, grants.name, password, address))
  const actor: Actor = { kind: 'user', id: user.id, address }
  const { developerId, role } = grants
  if (developerId !== null) {
    const member = { userId: user.id, developerId }
    await acceptDeveloperRole(tx, member, role === 'member' ? 'member' : 'owner', actor)
  }
  await giveMemberships(tx, user, grants, actor)
  await giveConsole(tx, user, grants, actor)
  await recordAudit(tx, {
    actor,
    action: 'invitation.accepted',
    subject: { kind: 'invitation', id: link.id },
    ...ownerOf(link.scope),
    after: { userId: user.id },
  })
  return user
}

/**
 * What an invitation is for, without what was closed since. Nothing of it can be closed in the rest
 * of the transaction. The developer is locked before the accounts, in the order of a closing.
 *
 * @returns undefined when nothing is left
 */
async function grantsStillOpen(
  tx: Db,
  grants: InvitationGrants,
): Promise<InvitationGrants | undefined> {
  const { developerId, partyIds, operator, support } = grants
  const developers = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM developers WHERE id = ${developerId}::uuid AND closed_at IS NULL
    FOR NO KEY UPDATE`
  const parties = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM parties WHERE id = ANY(${partyIds}::int[]) AND closed_at IS NULL
    ORDER BY id FOR KEY SHARE`
  const asked = partyIds.length + (developerId === null ? 0 : 1)
  if (asked > 0 && !operator && !support && developers.length + parties.length === 0) {
    return undefined
  }
  return {
    ...grants,
    developerId: developers[0]?.id ?? null,
    partyIds: parties.map(({ id }) => id),
  }
}

async function createInvited(
  { db: tx, passwords }: Pick<Deps, 'db' | 'passwords'>,
  { id: linkId, email }: LinkToken,
  name: string,
  password: string | undefined,
  address: string,
): Promise<User> {
  if (password === undefined) {
    throw broken([{ pointer: '/password', detail: 'is required for a new user' }])
  }
  const passwordHash = await passwords.hash(password, { kind: 'link', id: linkId })
  // Another invitation for the address may be accepted at this moment.
  await tx.user.createMany({ data: { email, name, passwordHash }, skipDuplicates: true })
  const user = await tx.user.findUniqueOrThrow({ where: { email } })
  if (user.passwordHash === passwordHash) {
    await recordAudit(tx, {
      actor: { kind: 'user', id: user.id, address },
      action: 'user.created',
      subject: { kind: 'user', id: user.id },
      after: { email, name, operator: false, partyIds: [] },
    })
  }
  return user
}

async function giveMemberships(
  tx: Db,
  { id: userId }: User,
  { partyIds, role: given }: InvitationGrants,
  actor: Actor,
): Promise<void> {
  const role = given === 'member' ? 'member' : 'admin'
  for (const partyId of partyIds) {
    const { count } = await tx.membership.createMany({
      data: { userId, partyId, role },
      skipDuplicates: true,
    })
    if (count > 0) {
      await recordMembership(tx, actor, { userId, partyId, role })
      continue
    }
    if (role === 'member') continue
    const raised = await tx.membership.updateMany({
      where: { userId, partyId, role: 'member' },
      data: { role },
    })
    if (raised.count === 0) continue
    await recordAudit(tx, {
      actor,
      action: 'membership.changed',
      subject: { kind: 'membership', id: `${userId}/${partyId}` },
      partyId,
      before: { role: 'member' },
      after: { role },
    })
  }
}

async function giveConsole(
  tx: Db,
  user: User,
  { operator, support }: InvitationGrants,
  actor: Actor,
): Promise<void> {
  // An operator may do all that support staff may.
  const wanted = operator
    ? { operator: true, support: false }
    : { operator: user.operator, support: user.support || (support && !user.operator) }
  if (wanted.operator === user.operator && wanted.support === user.support) return
  await tx.user.update({ where: { id: user.id }, data: wanted })
  await recordAudit(tx, {
    actor,
    action: 'user.changed',
    subject: { kind: 'user', id: user.id },
    before: { operator: user.operator, support: user.support },
    after: wanted,
  })
}
