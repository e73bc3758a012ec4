import type { LinkToken } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../base/values/field-errors.ts'
import { BY_CREATION, createdAfter, creationPosition, pageOf } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { requireAdmin } from '../accounts/members/party-members-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { type LinkBudget, secondsUntilNextLink } from '../links/link-budget-service.ts'
import { createLink, endLinks, openAt } from '../links/link-tokens-service.ts'
import { type DeliveryWay, deliverLink } from './deliver-link-service.ts'
import {
  type CreatedInvitation,
  DeveloperInvitationRequest,
  type Invitation,
  InvitationGrants,
  InvitationRequest,
  type InvitationScope,
  PartyInvitationRequest,
  scopeText,
  trailOwnerOf,
} from './invitation.ts'

type InviteDeps = Pick<Deps, 'db' | 'now' | 'config' | 'jobs'>

/** An account or a developer may invite so often in 24 hours; the mails go to anybody. */
const INVITATIONS: LinkBudget = { links: 50, seconds: 86_400 }

/**
 * Invites somebody as an operator does: to accounts, to a developer, to the console.
 *
 * @throws AppError unprocessable, also when an account or the developer is unknown or closed
 */
export async function inviteByOperator(
  deps: InviteDeps,
  input: InvitationRequest,
  actor: Actor,
  delivery: DeliveryWay = 'mail',
): Promise<CreatedInvitation> {
  const given = parseInput(InvitationRequest, input)
  const { email, name, developerId = null, operator = false, support = false } = given
  const partyIds = [...new Set(given.partyIds)]
  await requireKnown(deps.db, given.partyIds ?? [], developerId)
  const usual = partyIds.length > 0 ? 'admin' : developerId === null ? null : 'owner'
  const role = given.role ?? usual
  const grants = { name, partyIds, developerId, role, operator, support }
  return invite(deps, { scope: { kind: 'operator' }, email, grants, actor, delivery })
}

/**
 * Invites somebody to an account, as one of its admins.
 *
 * @throws AppError not_found when the user is no member of it; admin_required, unprocessable,
 *   too_many_requests
 */
export async function inviteToParty(
  deps: InviteDeps,
  partyId: number,
  input: PartyInvitationRequest,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<CreatedInvitation> {
  await requireAdmin(deps.db, userId, partyId)
  const { email, name, role } = parseInput(PartyInvitationRequest, input)
  const grants = { ...NOTHING, name, role, partyIds: [partyId] }
  return invite(deps, { scope: { kind: 'party', partyId }, email, grants, actor })
}

/**
 * Invites somebody to work for a developer. The caller has checked that the actor may.
 *
 * @throws AppError unprocessable, too_many_requests
 */
export async function inviteToDeveloper(
  deps: InviteDeps,
  developerId: string,
  input: DeveloperInvitationRequest,
  actor: Actor,
): Promise<CreatedInvitation> {
  const { email, name, role } = parseInput(DeveloperInvitationRequest, input)
  const grants = { ...NOTHING, name, role, developerId }
  return invite(deps, { scope: { kind: 'developer', developerId }, email, grants, actor })
}

const NOTHING = { partyIds: [], developerId: null, operator: false, support: false }

type NewInvitation = {
  scope: InvitationScope
  email: string
  grants: InvitationGrants
  actor: Actor
  delivery?: DeliveryWay
}

async function invite(
  deps: InviteDeps,
  { scope, email, grants, actor, delivery = 'mail' }: NewInvitation,
): Promise<CreatedInvitation> {
  return inTransaction(deps.db, async (tx) => {
    const inTx = { ...deps, db: tx }
    const link = await createLink(inTx, {
      purpose: 'invitation',
      email,
      scope: scopeText(scope),
      grants,
      actor,
    })
    if (scope.kind !== 'operator') await requireBudget(inTx, link)
    await recordAudit(tx, {
      actor,
      action: 'invitation.created',
      subject: { kind: 'invitation', id: link.id },
      ...trailOwnerOf(link.scope),
      after: { email, ...grants },
    })
    return { ...invitationOf(link), ...(await deliverLink(inTx, link, delivery)) }
  })
}

/** All open invitations, in the order in which they were made. */
export async function listInvitations(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { after, limit }: PageRequest,
): Promise<Page<Invitation>> {
  const rows = await db.linkToken.findMany({
    where: { AND: [{ purpose: 'invitation', ...openAt(now()) }, createdAfter(after)] },
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  return pageOf(rows, limit, invitationOf, creationPosition)
}

/** Whom invitations are for: id -> email, of those that are not forgotten yet. */
export async function emailsOfInvitations(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.linkToken.findMany({
    where: { id: { in: [...ids] }, purpose: 'invitation' },
    select: { id: true, email: true },
  })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/**
 * Revokes an open invitation.
 *
 * @throws AppError not_found
 */
export async function revokeInvitation(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  id: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const link = await tx.linkToken.findFirst({ where: { id, purpose: 'invitation' } })
    const ended = await endLinks({ db: tx, now }, { id, purpose: 'invitation', ...openAt(now()) })
    if (link === null || ended === 0) {
      throw new AppError('not_found', { detail: 'There is no such open invitation.' })
    }
    await recordAudit(tx, {
      actor,
      action: 'invitation.revoked',
      subject: { kind: 'invitation', id: link.id },
      ...trailOwnerOf(link.scope),
      before: { email: link.email },
    })
  })
}

function invitationOf(link: LinkToken): Invitation {
  const { id, email, grants, createdAt, expiresAt, mailRefusedAt } = link
  return { id, email, ...InvitationGrants.parse(grants), createdAt, expiresAt, mailRefusedAt }
}

async function requireKnown(
  db: Db,
  partyIds: readonly number[],
  developerId: string | null,
): Promise<void> {
  const parties = await db.party.findMany({
    where: { id: { in: [...partyIds] } },
    select: { id: true, closedAt: true },
  })
  const known = new Map(parties.map((party) => [party.id, party]))
  const errors: FieldError[] = partyIds.flatMap((id, index) => {
    const detail = problemOf(known.get(id), 'party')
    return detail === undefined ? [] : [{ pointer: `/partyIds/${index}`, detail }]
  })
  if (developerId !== null) {
    const developer = await db.developer.findUnique({ where: { id: developerId } })
    const detail = problemOf(developer, 'developer')
    if (detail !== undefined) errors.push({ pointer: '/developerId', detail })
  }
  if (errors.length > 0) throw unprocessable(errors)
}

/** Why nobody is invited to a party or a developer. */
function problemOf(
  found: { closedAt: Date | null } | null | undefined,
  what: 'party' | 'developer',
): string | undefined {
  if (!found) return `There is no such ${what}.`
  return found.closedAt === null ? undefined : `The ${what} is closed.`
}

/** @throws AppError too_many_requests when too many links were made for its side before this one */
async function requireBudget(deps: InviteDeps, { id, scope }: LinkToken): Promise<void> {
  // Those who invite for one side at once take turns.
  await deps.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`invitations ${scope}`}))`
  const retryAfterSeconds = await secondsUntilNextLink(
    deps,
    { scope, id: { not: id } },
    INVITATIONS,
  )
  if (retryAfterSeconds === 0) return
  throw new AppError('too_many_requests', {
    detail: `At most ${INVITATIONS.links} people can be invited in 24 hours. Try again later.`,
    retryAfterSeconds,
  })
}
