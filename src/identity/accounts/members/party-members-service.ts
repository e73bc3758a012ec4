import type { Prisma } from '../../../base/database/generated/client.ts'
import type { Db } from '../../../base/database/transaction.ts'
import type { UserAuthor } from '../../../base/values/actor.ts'
import { pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Membership } from '../operator-records.ts'
import type { MemberChange } from '../operator-requests.ts'
import {
  changeMembership,
  keepAnAdmin,
  type MemberOfParty,
  noAdminForUnproved,
  removeMembership,
} from './memberships-service.ts'
import type { PartyMember } from './party-member.ts'
import type { PartyRole } from './roles.ts'

/** So many admins of a party are named to its members. */
const ADMINS_NAMED_MAX = 3

/**
 * Refuses who is not an admin of a party, as of now.
 *
 * @throws AppError not_found when the user is no member of it; admin_required
 */
export async function requireAdmin(db: Db, userId: string, partyId: number): Promise<void> {
  const role = await requireMember(db, { userId, partyId })
  if (role !== 'admin') throw await adminRequired(db, partyId)
}

/** @throws AppError not_found */
async function requireMember(db: Db, { userId, partyId }: MemberOfParty): Promise<PartyRole> {
  const where = { userId_partyId: { userId, partyId } }
  const membership = await db.membership.findUnique({ where, select: { role: true } })
  if (membership === null) throw new AppError('not_found')
  return membership.role
}

/** The refusal of a member, which names the admins that can do what was asked for. */
export async function adminRequired(db: Db, partyId: number): Promise<AppError> {
  const names = await adminNames(db, partyId)
  return new AppError('admin_required', { detail: `You are a member. ${whoCan(names)}` })
}

/** Says who can do what a member cannot. */
export function whoCan(admins: readonly string[]): string {
  return admins.length === 0
    ? 'The account has no admin. Ask the operator of this marketplace.'
    : `Ask an admin of the account: ${admins.join(', ')}.`
}

/** Who can act for a user of a party; null when the user is an admin of the party. */
export async function whoCanFor(db: Db, userId: string, partyId: number): Promise<string | null> {
  const where = { userId_partyId: { userId, partyId } }
  const membership = await db.membership.findUnique({ where, select: { role: true } })
  return membership?.role === 'admin' ? null : whoCan(await adminNames(db, partyId))
}

/** The names of the first admins of a party who can sign in. */
async function adminNames(db: Db, partyId: number): Promise<string[]> {
  return (await adminNamesOfEach(db, [partyId])).get(partyId) ?? []
}

/** The names of the admins of many parties, in one statement: party id -> names. */
export async function adminNamesOfEach(db: Db, partyIds: number[]): Promise<Map<number, string[]>> {
  const rows = await db.$queryRaw<{ id: number; names: string[] }[]>`
    SELECT p.id, ARRAY(
      SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.party_id = p.id AND m.role = 'admin' AND u.suspended_at IS NULL
      ORDER BY m.created_at, m.user_id LIMIT ${ADMINS_NAMED_MAX}) AS names
    FROM unnest(${partyIds}::int[]) AS p (id)`
  return new Map(rows.map(({ id, names }) => [id, names]))
}

/**
 * The members of a party in the order of their ids, for its admins.
 *
 * @throws AppError not_found, admin_required
 */
export async function listMembers(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  partyId: number,
  { after, limit }: PageRequest,
): Promise<Page<PartyMember>> {
  await requireAdmin(db, userId, partyId)
  const rows = await db.membership.findMany({
    where: { partyId, ...(after === undefined ? {} : { userId: { gt: String(after[0]) } }) },
    include: PERSON,
    orderBy: { userId: 'asc' },
    take: limit + 1,
  })
  return pageOf(rows, limit, memberOf, (row) => [row.userId])
}

/** How many members a party has, counted up to a number. */
export function countMembers(
  { db }: Pick<Deps, 'db'>,
  partyId: number,
  max: number,
): Promise<number> {
  return db.membership.count({ where: { partyId }, take: max })
}

/**
 * One member of a party, for its admins and for the member.
 *
 * @throws AppError not_found, admin_required
 */
export async function readMember(
  { db }: Pick<Deps, 'db'>,
  authorId: string,
  { userId, partyId }: MemberOfParty,
): Promise<PartyMember> {
  await requireAdminOrSelf(db, authorId, { userId, partyId })
  const where = { userId_partyId: { userId, partyId } }
  const row = await db.membership.findUnique({ where, include: PERSON })
  if (row === null) throw new AppError('not_found')
  return memberOf(row)
}

const PERSON = {
  user: { select: { name: true, email: true, suspendedAt: true } },
} as const satisfies Prisma.MembershipInclude

function memberOf(row: Prisma.MembershipGetPayload<{ include: typeof PERSON }>): PartyMember {
  const { userId, role, createdAt, user } = row
  const { name, email, suspendedAt } = user
  return { userId, name, email, role, suspended: suspendedAt !== null, joinedAt: createdAt }
}

/**
 * Gives a member of one's party another role. What must hold is checked again when the party is
 * locked: two admins who demote each other take turns, and the second one is refused. Where mails are
 * sent, nobody becomes an admin whose email nobody has proved; elsewhere the admins know whom they
 * gave the link.
 *
 * @throws AppError not_found, admin_required, email_not_proved; conflict when the party would have
 *   no admin
 */
export async function changeMember(
  deps: Pick<Deps, 'db' | 'config'>,
  { userId, actor }: UserAuthor,
  member: MemberOfParty,
  change: MemberChange,
): Promise<Membership> {
  await requireAdmin(deps.db, userId, member.partyId)
  return changeMembership(deps, member, change, actor, async (tx, former, role) => {
    await requireAdmin(tx, userId, former.partyId)
    if (deps.config.smtpUrl !== undefined) await noAdminForUnproved(tx, former, role)
    await keepAnAdmin(tx, former)
  })
}

/**
 * Ends the membership of somebody in one's party, as its admin, or one's own. What must hold is
 * checked again when the party is locked.
 *
 * @throws AppError not_found, admin_required; conflict when the party would have no admin
 */
export async function removeMember(
  deps: Pick<Deps, 'db'>,
  { userId, actor }: UserAuthor,
  member: MemberOfParty,
): Promise<void> {
  await requireAdminOrSelf(deps.db, userId, member)
  await removeMembership(deps, member, actor, async (tx, former) => {
    await requireAdminOrSelf(tx, userId, member)
    await keepAnAdmin(tx, former)
  })
}

async function requireAdminOrSelf(db: Db, authorId: string, member: MemberOfParty): Promise<void> {
  if (member.userId === authorId) await requireMember(db, member)
  else await requireAdmin(db, authorId, member.partyId)
}
