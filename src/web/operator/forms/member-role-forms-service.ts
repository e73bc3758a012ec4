import type { Actor } from '../../../base/values/actor.ts'
import { integerText, UuidText } from '../../../base/values/shapes.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import {
  changeMembership,
  keepAnAdmin,
  noAdminForUnproved,
} from '../../../identity/accounts/members/memberships-service.ts'
import { PartyRole } from '../../../identity/accounts/members/roles.ts'
import { readParty } from '../../../identity/accounts/parties-service.ts'
import { readUser } from '../../../identity/accounts/users-service.ts'
import { chosenRole } from './chosen-role.ts'
import type { RecordForm, Typed } from './forms-service.ts'

/** Gives a user another role, on the page of the party. */
export const changeRoleOfUser: RecordForm = async (deps, id, typed, actor) => {
  const userId = UuidText.safeParse(typed.get('userId'))
  if (!userId.success) throw new AppError('not_found')
  return change(deps, { userId: userId.data, partyId: Number(id) }, typed, actor)
}

/** Changes the role of a member on the page of the user. */
export const changeRoleInParty: RecordForm = async (deps, userId, typed, actor) => {
  const partyId = integerText().safeParse(typed.get('partyId'))
  if (!partyId.success) throw new AppError('not_found')
  return change(deps, { userId, partyId: Number(partyId.data) }, typed, actor)
}

/** A slip of the mouse takes no account its last admin: by API, or by removal, it can be done. */
async function change(
  deps: Deps,
  member: { userId: string; partyId: number },
  typed: Typed,
  actor: Actor,
) {
  const role = chosenRole(PartyRole, typed.get('role'))
  await changeMembership(deps, member, { role }, actor, async (tx, former, wanted) => {
    await noAdminForUnproved(tx, former, wanted)
    await keepAnAdmin(tx, former)
  })
  const [user, party] = [await readUser(deps, member.userId), await readParty(deps, member.partyId)]
  const text = role === 'admin' ? 'an admin' : 'a member'
  return { done: `${user.name} is ${text} of ${party.name} now.` }
}
