import type { LinkToken, Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor, UserAuthor } from '../../../base/values/actor.ts'
import { BY_CREATION, createdAfter, creationPosition, pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { requireAdmin } from '../../accounts/members/party-members-service.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import { endLinks, openAt } from '../../links/link-tokens-service.ts'
import { InvitationGrants, scopeText, trailOwnerOf } from '../invitation.ts'
import { type InvitingSide, type OwnInvitation, roleOn, withoutSide } from './own-invitation.ts'

type ReadDeps = Pick<Deps, 'db' | 'now'>

/**
 * The open invitations to an account, oldest first, for its admins.
 *
 * @throws AppError not_found when the user is no member of it; admin_required
 */
export async function listPartyInvitations(
  deps: ReadDeps,
  userId: string,
  partyId: number,
  page: PageRequest,
): Promise<Page<OwnInvitation<'member' | 'admin'>>> {
  await requireAdmin(deps.db, userId, partyId)
  const found = await listOf(deps, { kind: 'party', partyId }, page)
  return found as Page<OwnInvitation<'member' | 'admin'>>
}

/** The open invitations to a developer, oldest first. The caller has checked who asks. */
export async function listDeveloperInvitations(
  deps: ReadDeps,
  developerId: string,
  page: PageRequest,
): Promise<Page<OwnInvitation<'member' | 'owner'>>> {
  const found = await listOf(deps, { kind: 'developer', developerId }, page)
  return found as Page<OwnInvitation<'member' | 'owner'>>
}

async function listOf(
  { db, now }: ReadDeps,
  side: InvitingSide,
  { after, limit }: PageRequest,
): Promise<Page<OwnInvitation>> {
  const rows = await db.linkToken.findMany({
    where: { AND: [openTo(side, now()), createdAfter(after)] },
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  const names = await inviterNames(db, rows)
  const entryOf = (link: LinkToken) => ownInvitationOf(link, side, names)
  return pageOf(rows, limit, entryOf, creationPosition)
}

/**
 * Revokes an open invitation to an account. One by an operator, to other things too, goes on for
 * those.
 *
 * @throws AppError not_found, admin_required
 */
export async function revokePartyInvitation(
  deps: ReadDeps,
  { userId, actor }: UserAuthor,
  partyId: number,
  id: string,
): Promise<void> {
  await requireAdmin(deps.db, userId, partyId)
  await revokeOf(deps, { kind: 'party', partyId }, id, actor)
}

/**
 * Revokes an open invitation to a developer. The caller has checked that the actor may.
 *
 * @throws AppError not_found
 */
export async function revokeDeveloperInvitation(
  deps: ReadDeps,
  developerId: string,
  id: string,
  actor: Actor,
): Promise<void> {
  await revokeOf(deps, { kind: 'developer', developerId }, id, actor)
}

async function revokeOf(
  { db, now }: ReadDeps,
  side: InvitingSide,
  id: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // If the invitation is being accepted at this moment, that goes first.
    await tx.$queryRaw`SELECT 1 FROM link_tokens WHERE id = ${id}::uuid FOR UPDATE`
    const link = await tx.linkToken.findFirst({ where: { id, ...openTo(side, now()) } })
    if (link === null) {
      throw new AppError('not_found', { detail: 'There is no such open invitation.' })
    }
    const left = withoutSide(InvitationGrants.parse(link.grants), side)
    if (left === undefined) await endLinks({ db: tx, now }, { id })
    else await tx.linkToken.update({ where: { id }, data: { grants: left } })
    await recordAudit(tx, {
      actor,
      action: 'invitation.revoked',
      subject: { kind: 'invitation', id },
      ...trailOwnerOf(scopeText(side)),
      before: { email: link.email },
    })
  })
}

/** The open invitations of one side, and those by operators that lead to it. */
function openTo(side: InvitingSide, time: Date): Prisma.LinkTokenWhereInput {
  const grants =
    side.kind === 'party'
      ? { path: ['partyIds'], array_contains: [side.partyId] }
      : { path: ['developerId'], equals: side.developerId }
  return {
    purpose: 'invitation',
    ...openAt(time),
    scope: { in: [scopeText(side), scopeText({ kind: 'operator' })] },
    grants,
  }
}

/** Names of the people among those who have invited, by id. */
async function inviterNames(db: Db, links: readonly LinkToken[]): Promise<Map<string, string>> {
  const ids = links.flatMap(({ createdByKind, createdById }) =>
    createdByKind === 'user' && createdById !== null ? [createdById] : [],
  )
  const users = await db.user.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  })
  return new Map(users.map(({ id, name }) => [id, name]))
}

function ownInvitationOf(
  link: LinkToken,
  side: InvitingSide,
  names: ReadonlyMap<string, string>,
): OwnInvitation {
  const { id, email, grants, createdByKind, createdById } = link
  const { createdAt, expiresAt, mailRefusedAt } = link
  const given = InvitationGrants.parse(grants)
  const kind =
    createdByKind === 'user' || createdByKind === 'developer' ? createdByKind : 'operator'
  const name = {
    user: names.get(createdById ?? '') ?? null,
    developer: createdById,
    operator: null,
  }
  return {
    id,
    email,
    name: given.name,
    role: roleOn(side, given),
    invitedBy: { kind, name: name[kind] },
    createdAt,
    expiresAt,
    mailRefusedAt,
  }
}
