import type { Actor } from '../../../base/values/actor.ts'
import { PartyPath, UserPath } from '../../../base/values/operator-paths.ts'
import type { OfferedPartyType } from '../../../base/values/party-type.ts'
import { integerText, UuidText } from '../../../base/values/shapes.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, ignoring } from '../../../errors.ts'
import {
  createConnection,
  listConnections,
} from '../../../identity/accounts/connections-service.ts'
import {
  createMembership,
  rolesOf,
} from '../../../identity/accounts/members/memberships-service.ts'
import { PartyRole } from '../../../identity/accounts/members/roles.ts'
import type { PartyRecord, UserRecord } from '../../../identity/accounts/operator-records.ts'
import { readParty } from '../../../identity/accounts/parties-service.ts'
import { readUser } from '../../../identity/accounts/users-service.ts'
import { type Found, NO_SANDBOX, searchParties, searchUsers } from '../find-service.ts'
import { chosenRole } from '../forms/chosen-role.ts'
import type { AsksForFactor } from '../forms/forms-service.ts'
import type { Offer, Side } from '../record-details.ts'

/**
 * Access that an operator gives on the page of one thing to another one, or the other way round.
 * The other one is found first, then shown, and then given access by its id.
 */
export type Access = AsksForFactor & {
  tab: 'Parties' | 'Users'
  /** Where it is given, after the page of the thing. */
  path: string
  params: typeof PartyPath | typeof UserPath
  /** The name of the field for what somebody types, and of the one for an id. */
  typed: 'party' | 'user'
  chosen: 'partyId' | 'userId'
  isId(text: string): boolean
  /** Whose page it is, and what is looked for. @throws AppError not_found */
  open(deps: Deps, id: string): Promise<{ owner: string; title: string; label: string }>
  find(deps: Deps, id: string, text: string): Promise<Found<Side>>
  /** @throws AppError unprocessable, already_exists, not_found */
  offer(deps: Deps, id: string, otherId: string): Promise<Offer>
  /**
   * Twice is once.
   *
   * @param given who gives it, and the role as the form has it, where the offer asks for one
   * @returns a sentence that says what was done
   * @throws AppError unprocessable, not_found; already_exists with another role
   */
  give(deps: Deps, id: string, otherId: string, given: Given): Promise<string>
}

type Given = { actor: Actor; role: string | undefined }

const isPartyId = (text: string) => integerText().safeParse(text).success

const MEMBERSHIP_EFFECT =
  'A member can see and open the apps of the account, and ask for others. An admin can also install, ' +
  'change and uninstall them, and manage the members.'

function offerOfMembership(user: UserRecord, party: PartyRecord): Offer {
  if (user.partyIds.includes(party.id)) throw alreadyMember(user, party)
  return {
    title: `Add ${user.name} to ${party.name}?`,
    sides: [user, party],
    effect: MEMBERSHIP_EFFECT,
    button: 'Add user',
    asksForRole: true,
  }
}

function alreadyMember(user: UserRecord, party: PartyRecord): AppError {
  return new AppError('already_exists', {
    errors: [{ pointer: '/other', detail: `${user.name} is already a member of ${party.name}.` }],
  })
}

async function join(
  deps: Deps,
  user: UserRecord,
  party: PartyRecord,
  { actor, role }: Given,
): Promise<string> {
  const membership = { userId: user.id, partyId: party.id, role: chosenRole(PartyRole, role) }
  const made = await ignoring('already_exists', createMembership(deps, membership, actor))
  if (made === undefined) {
    const [member] = await rolesOf(deps, { userId: user.id, partyIds: [party.id] })
    if (member?.role !== membership.role) throw alreadyMember(user, party)
  }
  return `${user.name} was added to ${party.name}.`
}

const partyOfUser: Access = {
  tab: 'Users',
  path: 'Memberships',
  recentFactor: true,
  params: UserPath,
  typed: 'party',
  chosen: 'partyId',
  isId: isPartyId,
  async open(deps, id) {
    const { name } = await readUser(deps, id)
    return { owner: name, title: `Add ${name} to an account`, label: 'Account' }
  },
  find: (deps, _id, text) => searchParties(deps, text, NO_SANDBOX),
  offer: async (deps, id, partyId) =>
    offerOfMembership(await readUser(deps, id), await other(readParty(deps, Number(partyId)))),
  async give(deps, id, partyId, given) {
    return join(
      deps,
      await readUser(deps, id),
      await other(readParty(deps, Number(partyId))),
      given,
    )
  },
}

const userOfParty: Access = {
  tab: 'Parties',
  path: 'Users',
  recentFactor: true,
  params: PartyPath,
  typed: 'user',
  chosen: 'userId',
  isId: (text) => UuidText.safeParse(text).success,
  async open(deps, id) {
    const { name } = await readParty(deps, Number(id))
    return { owner: name, title: `Add a user to ${name}`, label: 'User' }
  },
  find: (deps, _id, text) => searchUsers(deps, text),
  offer: async (deps, id, userId) =>
    offerOfMembership(
      await other(readUser(deps, userId.toLowerCase())),
      await readParty(deps, Number(id)),
    ),
  async give(deps, id, userId, given) {
    const user = await other(readUser(deps, userId.toLowerCase()))
    return join(deps, user, await readParty(deps, Number(id)), given)
  },
}

const partnerOfParty: Access = {
  tab: 'Parties',
  path: 'Connections',
  // A connection gives no rights to a user.
  recentFactor: false,
  params: PartyPath,
  typed: 'party',
  chosen: 'partyId',
  isId: isPartyId,
  async open(deps, id) {
    const party = await readParty(deps, Number(id))
    const label = partnerTypeOf(party)
    return { owner: party.name, title: `Connect ${party.name} with a ${label}`, label }
  },
  async find(deps, id, text) {
    const type = partnerTypeOf(await readParty(deps, Number(id)))
    return searchParties(deps, text, { type })
  },
  async offer(deps, id, otherId) {
    const party = await readParty(deps, Number(id))
    const partner = await other(readParty(deps, Number(otherId)))
    const type = partnerTypeOf(party)
    if (partner.type !== type) {
      const detail = `${partner.name} (account ${partner.id}) is not a ${type}.`
      throw new AppError('unprocessable', { errors: [{ pointer: '/other', detail }] })
    }
    const first = { after: undefined, limit: 1 }
    const { entries } = await listConnections(deps, pairOf(party, partner.id), first)
    if (entries.length > 0) {
      const detail = `${party.name} and ${partner.name} are already connected.`
      throw new AppError('already_exists', { errors: [{ pointer: '/other', detail }] })
    }
    const [buyer, seller] = party.type === 'Buyer' ? [party, partner] : [partner, party]
    return {
      title: `Connect ${buyer.name} with ${seller.name}?`,
      sides: [buyer, seller],
      effect: `The Buyer ${buyer.name} and its installed apps can see all products of the Seller ${seller.name}.`,
      button: 'Connect',
    }
  },
  async give(deps, id, otherId, { actor }) {
    const party = await readParty(deps, Number(id))
    const partner = await other(readParty(deps, Number(otherId)))
    const pair = pairOf(party, partner.id)
    await ignoring('already_exists', createConnection(deps, pair, actor))
    const [buyer, seller] = party.type === 'Buyer' ? [party, partner] : [partner, party]
    return `${buyer.name} is connected with ${seller.name} and sees its products.`
  },
}

/** A party is connected with those of the other type; sandboxes with none. */
function partnerTypeOf({ type }: PartyRecord): OfferedPartyType {
  if (type === 'None') throw new AppError('not_found')
  return type === 'Buyer' ? 'Seller' : 'Buyer'
}

/** The two of a connection, one of which is a party. */
export function pairOf(party: { id: number; type: string }, otherId: number) {
  return party.type === 'Buyer'
    ? { buyerId: party.id, sellerId: otherId }
    : { buyerId: otherId, sellerId: party.id }
}

/** The other one; a form says when it does not exist. */
async function other<Record>(reading: Promise<Record>): Promise<Record> {
  const record = await ignoring('not_found', reading)
  if (record !== undefined) return record
  const detail = 'This ID does not exist.'
  throw new AppError('unprocessable', { errors: [{ pointer: '/other', detail }] })
}

export const ACCESS_KINDS = [partyOfUser, userOfParty, partnerOfParty]
