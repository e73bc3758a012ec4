import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../../base/values/field-errors.ts'
import { pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { type AuditEntry, recordAudit } from '../../audit/record-audit-service.ts'
import { requireProvedEmail } from '../proved-email-service.ts'
import { refusingDuplicates } from '../refusals-service.ts'
import {
  type DeveloperMember,
  DeveloperMemberChange,
  DeveloperMemberRequest,
} from './developer-member.ts'
import { holdUser } from './memberships-service.ts'
import { lockDeveloper, requireAnotherOwner, requireOwnerStill } from './owners-service.ts'

/** People that a developer may have. */
const PEOPLE_MAX = 50

type MemberOfDeveloper = { userId: string; developerId: string }

/** What a change of a developer's people does beside the change itself. */
type Change = {
  actor: Actor
  /** Whether one owner who can sign in has to stay: not where the operator decides. */
  keepsAnOwner: boolean
  /** Whether somebody whose email nobody has proved may become an owner. */
  trustsUnproved?: boolean
}

/**
 * The people of a developer in the order of their ids.
 *
 * @throws AppError not_found
 */
export async function listDeveloperMembers(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  { after, limit }: PageRequest,
): Promise<Page<DeveloperMember>> {
  if ((await db.developer.count({ where: { id: developerId } })) === 0) {
    throw new AppError('not_found', { detail: 'There is no such developer.' })
  }
  const rows = await db.developerMember.findMany({
    where: { developerId, ...(after === undefined ? {} : { userId: { gt: String(after[0]) } }) },
    include: PERSON,
    orderBy: { userId: 'asc' },
    take: limit + 1,
  })
  return pageOf(rows, limit, memberOf, (row) => [row.userId])
}

/** @throws AppError not_found */
export async function readDeveloperMember(
  { db }: Pick<Deps, 'db'>,
  { userId, developerId }: MemberOfDeveloper,
): Promise<DeveloperMember> {
  const where = { developerId_userId: { developerId, userId } }
  const row = await db.developerMember.findUnique({ where, include: PERSON })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such person.' })
  return memberOf(row)
}

/**
 * Lets a user work for a developer.
 *
 * @throws AppError conflict when the developer has as many people as it may have, or is closed;
 *   already_exists; unprocessable when the user is unknown; email_not_proved; not_found
 */
export async function addDeveloperMember(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  input: DeveloperMemberRequest,
  actor: Actor,
): Promise<DeveloperMember> {
  const { userId, role } = parseInput(DeveloperMemberRequest, input)
  const detail = 'The user works for this developer already.'
  return refusingDuplicates({ pointer: '/userId', detail }, () =>
    inTransaction(db, async (tx) => {
      const isUser = await holdUser(tx, userId)
      await lockDeveloper(tx, developerId)
      if (!isUser) {
        throw unprocessable([{ pointer: '/userId', detail: 'There is no such user.' }])
      }
      if ((await tx.developer.count({ where: { id: developerId, closedAt: null } })) === 0) {
        throw new AppError('conflict', { detail: 'The developer is closed.' })
      }
      await requireProvedEmail(tx, userId, '/userId')
      await requirePlace(tx, developerId)
      const data = { developerId, userId, role }
      const row = await tx.developerMember.create({ data, include: PERSON })
      await record(tx, { userId, developerId }, actor, 'created', {
        after: { userId, role },
      })
      return memberOf(row)
    }),
  )
}

/**
 * Lets an invited user work for a developer. A role that the user has already is never lowered.
 *
 * @param tx a transaction
 * @throws AppError conflict when the developer has as many people as it may have; not_found
 */
export async function acceptDeveloperRole(
  tx: Db,
  member: MemberOfDeveloper,
  role: DeveloperMember['role'],
  actor: Actor,
): Promise<void> {
  const { userId, developerId } = member
  await lockDeveloper(tx, developerId)
  const where = { developerId_userId: member }
  const former = await tx.developerMember.findUnique({ where })
  if (former?.role === role || former?.role === 'owner') return
  if (former === null) {
    await requirePlace(tx, developerId)
    await tx.developerMember.create({ data: { developerId, userId, role } })
    await record(tx, member, actor, 'created', { after: { userId, role } })
    return
  }
  await tx.developerMember.update({ where, data: { role } })
  await record(tx, member, actor, 'changed', { before: { role: former.role }, after: { role } })
}

/** Whether a developer, whose row is locked, has fewer people than it may have. */
export async function hasPlace(tx: Db, developerId: string): Promise<boolean> {
  return (await tx.developerMember.count({ where: { developerId } })) < PEOPLE_MAX
}

/** @throws AppError conflict when the developer, whose row is locked, has as many as it may have */
async function requirePlace(tx: Db, developerId: string): Promise<void> {
  if (await hasPlace(tx, developerId)) return
  throw new AppError('conflict', {
    detail: `A developer has at most ${PEOPLE_MAX} people. Remove one first.`,
  })
}

/**
 * Gives a person of a developer another role, which counts from the next request on.
 *
 * @throws AppError not_found, email_not_proved; conflict when no owner would be left
 */
export async function changeDeveloperMember(
  { db }: Pick<Deps, 'db'>,
  member: MemberOfDeveloper,
  input: DeveloperMemberChange,
  { actor, keepsAnOwner, trustsUnproved = false }: Change,
): Promise<DeveloperMember> {
  const { role } = parseInput(DeveloperMemberChange, input)
  return inTransaction(db, async (tx) => {
    const former = await lockMember(tx, member, actor)
    if (former.role === role) return former
    if (role === 'owner' && !trustsUnproved) await requireProvedEmail(tx, member.userId, '/role')
    if (keepsAnOwner) await requireAnotherOwner(tx, member, former)
    await tx.developerMember.update({ where: { developerId_userId: member }, data: { role } })
    const change = { before: { role: former.role }, after: { role } }
    await record(tx, member, actor, 'changed', change)
    return { ...former, role }
  })
}

/**
 * Ends the work of a person for a developer: the console refuses the person from the next request
 * on, and the test tokens that the person made.
 *
 * @throws AppError not_found; conflict when no owner would be left
 */
export async function removeDeveloperMember(
  { db }: Pick<Deps, 'db'>,
  member: MemberOfDeveloper,
  { actor, keepsAnOwner }: Change,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const former = await lockMember(tx, member, actor)
    if (keepsAnOwner) await requireAnotherOwner(tx, member, former)
    await tx.developerMember.delete({ where: { developerId_userId: member } })
    await record(tx, member, actor, 'removed', {
      before: { userId: member.userId, role: former.role },
    })
  })
}

/** Two owners who remove each other take turns; the second one is no owner any more. */
async function lockMember(
  tx: Db,
  member: MemberOfDeveloper,
  actor: Actor,
): Promise<DeveloperMember> {
  await lockDeveloper(tx, member.developerId)
  await requireOwnerStill(tx, actor)
  return readDeveloperMember({ db: tx }, member)
}

/**
 * Ends the work of a user who goes, for all developers.
 *
 * @param tx a transaction that holds the user
 * @param change `keepsAnOwner`: whether each developer must keep an owner who can sign in
 * @throws AppError conflict with the developers that would have no owner
 */
export async function removeFromDevelopers(
  tx: Db,
  userId: string,
  { actor, keepsAnOwner }: Change,
): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM developers WHERE id IN (
      SELECT developer_id FROM developer_members WHERE user_id = ${userId}::uuid)
    ORDER BY id FOR NO KEY UPDATE`
  const others = { userId: { not: userId }, role: 'owner', user: { suspendedAt: null } } as const
  const former = await tx.developerMember.findMany({
    where: { userId },
    select: {
      developerId: true,
      role: true,
      developer: { select: { name: true, _count: { select: { members: { where: others } } } } },
    },
    orderBy: { developerId: 'asc' },
  })
  const left = former.filter(({ role, developer }) => role === 'owner' && !developer._count.members)
  if (keepsAnOwner && left.length > 0) {
    const names = left.map(({ developer }) => developer.name).join(', ')
    throw new AppError('conflict', {
      detail:
        `You are the only owner who can sign in of: ${names}. Make somebody else an owner first, ` +
        'or ask the operator of the marketplace to remove you.',
    })
  }
  await tx.developerMember.deleteMany({ where: { userId } })
  for (const { developerId, role } of former) {
    const before = { userId, role }
    await record(tx, { userId, developerId }, actor, 'removed', { before })
  }
}

async function record(
  tx: Db,
  { userId, developerId }: MemberOfDeveloper,
  actor: Actor,
  what: 'created' | 'changed' | 'removed',
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  await recordAudit(tx, {
    actor,
    action: `developer_member.${what}`,
    subject: { kind: 'developer_member', id: `${userId}/${developerId}` },
    developerId,
    ...change,
  })
}

const PERSON = {
  user: { select: { name: true, email: true, suspendedAt: true } },
} as const satisfies Prisma.DeveloperMemberInclude

function memberOf(
  row: Prisma.DeveloperMemberGetPayload<{ include: typeof PERSON }>,
): DeveloperMember {
  const { userId, role, createdAt, user } = row
  const { name, email, suspendedAt } = user
  return { userId, name, email, role, suspended: suspendedAt !== null, joinedAt: createdAt }
}
