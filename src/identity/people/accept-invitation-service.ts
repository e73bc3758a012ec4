import type { LinkToken, User } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../base/values/field-errors.ts'
import { BY_CREATION } from '../../base/values/keyset.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { hasPlace } from '../accounts/members/developer-members-service.ts'
import { takeUserByEmail } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { NO_PASSWORD_HASH } from '../auth/passwords.ts'
import { deadLink } from '../links/link.ts'
import { readLink, takeLink } from '../links/link-tokens-service.ts'
import { giveGrants, grantsStillOpen, lockGrants } from './give-grants-service.ts'
import {
  type AcceptedInvitation,
  InvitationAcceptance,
  InvitationGrants,
  type InvitationShown,
  neededFor,
  trailOwnerOf,
} from './invitation.ts'
import { isByOperator, mayStillInvite, requireLiveInviter } from './inviters-service.ts'
import { lockUnprovedLinks, takeOver } from './take-over-service.ts'

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
  const { email } = link
  const user = await db.user.findUnique({ where: { email } })
  const needs = neededFor(link, user)
  return { email, isUser: user !== null, needs, ...(await namesOf(db, link)) }
}

type NamedLink = Pick<LinkToken, 'grants' | 'createdByKind' | 'createdById'>

/** Who invites, and what an invitation is for, by the names of today. */
export async function namesOf(db: Db, link: NamedLink) {
  const { partyIds, developerId, role, operator, support } = InvitationGrants.parse(link.grants)
  const parties = await db.party.findMany({
    where: { id: { in: partyIds } },
    select: { name: true },
    orderBy: { id: 'asc' },
  })
  const developer =
    developerId === null ? null : await db.developer.findUnique({ where: { id: developerId } })
  return {
    inviter: await inviterName(db, link),
    parties: parties.map(({ name }) => name),
    developer: developer?.name,
    role,
    operator,
    support,
  }
}

/** The name of a person, or of the developer whose credential it was; undefined of the operator. */
async function inviterName(db: Db, { createdByKind: kind, createdById }: NamedLink) {
  const id = createdById ?? ''
  if (kind === 'user') return (await db.user.findUnique({ where: { id } }))?.name
  if (kind !== 'developer') return undefined
  const where = { clientId: id }
  const select = { developer: { select: { name: true } } }
  return (await db.developerCredential.findUnique({ where, select }))?.developer.name
}

/**
 * Accepts an invitation: makes the user unless the address belongs to one, and gives it what the
 * invitation is for. A role that the user has already is never lowered. Where users sign in by single
 * sign-on only, nobody chooses a password.
 *
 * A link that was mailed proves the address; a user whose address nobody had proved gets a new
 * password with it (`takeOver`). A link that was handed over proves nothing, because whoever made it
 * may use it: an existing user must be signed in to accept it. Only of users whom an operator invites
 * is the address taken as proved then.
 *
 * @param visitor where the request comes from, and the user who is signed in there, if one is
 * @throws AppError invalid_link, conflict, unprocessable when a new user gives no password;
 *   missing_token, invited_user_required when the user that there is must be signed in; unavailable
 */
export async function acceptInvitation(
  deps: Pick<Deps, 'db' | 'now' | 'passwords' | 'config'>,
  input: InvitationAcceptance,
  { address, userId }: { address: string; userId: string | undefined },
): Promise<AcceptedInvitation & Pick<User, 'tokenGeneration'>> {
  const { token, password: given } = parseInput(InvitationAcceptance, input)
  // Before the transaction: no connection is held during the wait for the hasher.
  const password = await choosePassword(deps, token, given)
  return inTransaction(deps.db, async (tx) => {
    const inTx = { ...deps, db: tx }
    const { email, mailed } = await readLink(inTx, 'invitation', token)
    if (mailed) await lockUnprovedLinks(tx, email)
    const link = await takeLink(inTx, 'invitation', token)
    await requireLiveInviter(tx, link)
    const known = await userOfLink(inTx, link, password, { address, userId })
    const newcomer = { password, emailProved: mailed || isByOperator(link) }
    const user = await giveInvited(inTx, link, known ?? newcomer, address)
    if (user === undefined) throw deadLink('invitation', 'ended')
    const { name, tokenGeneration } = user
    const created = known === null
    return { userId: user.id, email: user.email, name, created, tokenGeneration }
  })
}

/** What an invited person has chosen: its hash, or why there is none. */
type PasswordChoice = { hash: string } | 'missing' | 'not needed'

/** @throws AppError invalid_link, unavailable */
async function choosePassword(
  deps: Pick<Deps, 'db' | 'now' | 'passwords' | 'config'>,
  token: string,
  password: string | undefined,
): Promise<PasswordChoice> {
  if (!deps.config.passwordLogin) return { hash: NO_PASSWORD_HASH }
  if (password === undefined) return 'missing'
  const link = await readLink(deps, 'invitation', token)
  await requireLiveInviter(deps.db, link)
  const user = await deps.db.user.findUnique({ where: { email: link.email } })
  if (user !== null && neededFor(link, user) !== 'password') return 'not needed'
  const { name } = InvitationGrants.parse(link.grants)
  requireHardToGuess(password, [link.email, user?.name ?? name])
  return { hash: await deps.passwords.hash(password, { kind: 'link', id: link.id }) }
}

/** @throws AppError unprocessable; conflict when the user was removed or changed meanwhile */
function hashOf(password: PasswordChoice): string {
  if (password === 'missing') throw unprocessable([{ pointer: '/password', detail: 'is required' }])
  if (password !== 'not needed') return password.hash
  throw new AppError('conflict', {
    detail: 'The user of this address was changed at this moment. Try again.',
  })
}

/**
 * The user that there is for a link, if the one who uses it may speak for the user.
 *
 * @throws AppError missing_token, invited_user_required; unprocessable without a needed password
 */
async function userOfLink(
  deps: Pick<Deps, 'db' | 'now'>,
  link: LinkToken,
  password: PasswordChoice,
  { address, userId }: { address: string; userId: string | undefined },
): Promise<User | null> {
  const known = await takeUserByEmail(deps.db, link.email)
  if (known === null) return null
  switch (neededFor(link, known)) {
    case 'sign-in':
      if (known.id !== userId) throw notSignedInAs(known, userId !== undefined)
      // The operator means the user who has both the sign-in and what the operator handed over.
      if (known.emailProved || !isByOperator(link)) return known
      return deps.db.user.update({ where: { id: known.id }, data: { emailProved: true } })
    case 'password':
      return takeOver(deps, known, hashOf(password), actorOf(known, address))
    case 'nothing':
      return known
  }
}

function notSignedInAs({ email }: User, isSignedIn: boolean): AppError {
  const why = `This invitation was not mailed, and ${email} is a user already.`
  return new AppError(isSignedIn ? 'invited_user_required' : 'missing_token', {
    detail: `${why} Send an account token of that user.`,
    page: { title: 'Sign in to accept', ways: [{ href: '/login', label: 'Sign in' }] },
  })
}

function actorOf({ id }: User, address: string): Actor {
  return { kind: 'user', id, address }
}

/** A person who has proved in another way than by a link that an address is theirs. */
export type ProvedPerson = {
  /** Of nobody yet. */
  email: string
  /** As who has proved it calls the person. */
  name: string | undefined
}

/**
 * Makes the user of a person who is invited, without a password, and accepts what operators invite
 * to. Invitations by others, and those to a developer who has no place left, stay open: the user
 * answers them.
 *
 * @param deps in a transaction
 * @param address where the request comes from
 * @returns undefined when there is no invitation that could be accepted now, or it has just been
 *   accepted: the address has a user then, whom another transaction finds
 */
export async function acceptInvitationsTo(
  deps: Pick<Deps, 'db' | 'now'>,
  { email, name }: ProvedPerson,
  address: string,
): Promise<User | undefined> {
  const { db: tx, now } = deps
  // A request that accepts, renews or revokes one at this moment goes first; the second look sees
  // what is left.
  await lockInvitationsTo(deps, email)
  const invitations = await lockInvitationsTo(deps, email)
  if ((await tx.user.count({ where: { email } })) > 0) return undefined
  const live: typeof invitations = []
  for (const one of invitations) if (await mayStillInvite(tx, one)) live.push(one)
  const newcomer = { password: { hash: NO_PASSWORD_HASH }, emailProved: true, name }
  // An address has one open invitation by operators.
  const byOperator = live.find(isByOperator)
  if (byOperator !== undefined && (await hasPlaceFor(tx, byOperator))) {
    await tx.linkToken.update({ where: { id: byOperator.id }, data: { usedAt: now() } })
    const user = await giveInvited(deps, byOperator, newcomer, address)
    if (user !== undefined) return user
  }
  if (live.every((one) => one === byOperator)) return undefined
  const called = name ?? email.slice(0, email.lastIndexOf('@'))
  return createInvited(tx, email, called, newcomer, address)
}

/** Whether the developer that an invitation is for, if it is for one, has a place left. */
async function hasPlaceFor(tx: Db, { grants: stored }: LinkToken): Promise<boolean> {
  const grants = InvitationGrants.parse(stored)
  if (grants.developerId === null) return true
  await lockGrants(tx, grants)
  return hasPlace(tx, grants.developerId)
}

/** The open invitations to an address, locked in one order. */
async function lockInvitationsTo({ db: tx, now }: Pick<Deps, 'db' | 'now'>, email: string) {
  const open = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM link_tokens
    WHERE purpose = 'invitation' AND email = ${email} AND used_at IS NULL AND ended_at IS NULL
      AND expires_at > ${now()}
    ORDER BY created_at, id LIMIT ${INVITATIONS_AT_ONCE_MAX} FOR UPDATE`
  const ids = open.map(({ id }) => id)
  return tx.linkToken.findMany({ where: { id: { in: ids } }, orderBy: BY_CREATION })
}

/** Somebody who is no user yet; the invitation has another name for who has none. */
type Newcomer = { password: PasswordChoice; emailProved: boolean; name?: string | undefined }

/**
 * Makes the invited user, unless there is one, and gives it what the invitation is for.
 *
 * @returns undefined when all that it is for was closed
 */
export async function giveInvited(
  { db: tx }: Pick<Deps, 'db'>,
  link: LinkToken,
  person: User | Newcomer,
  address: string,
): Promise<User | undefined> {
  const grants = await grantsStillOpen(tx, InvitationGrants.parse(link.grants))
  if (grants === undefined) return undefined
  const user =
    'id' in person
      ? person
      : await createInvited(tx, link.email, person.name ?? grants.name, person, address)
  const actor = actorOf(user, address)
  await giveGrants(tx, user, grants, actor)
  await recordAudit(tx, {
    actor,
    action: 'invitation.accepted',
    subject: { kind: 'invitation', id: link.id },
    ...trailOwnerOf(link.scope),
    after: { userId: user.id },
  })
  return user
}

/** @throws AppError conflict when the address becomes a user at this moment; unprocessable */
async function createInvited(
  tx: Db,
  email: string,
  name: string,
  { password, emailProved }: Newcomer,
  address: string,
): Promise<User> {
  const passwordHash = hashOf(password)
  const [user] = await tx.user.createManyAndReturn({
    data: [{ email, name, passwordHash, emailProved }],
    skipDuplicates: true,
  })
  if (user === undefined) {
    throw new AppError('conflict', {
      detail: 'Another invitation of this address is being accepted at this moment. Try again.',
    })
  }
  await recordAudit(tx, {
    actor: actorOf(user, address),
    action: 'user.created',
    subject: { kind: 'user', id: user.id },
    after: { email, name, operator: false, partyIds: [] },
  })
  return user
}
