import { UuidText } from '../../../base/values/shapes.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, ignoring } from '../../../errors.ts'
import { readDeveloper } from '../../../identity/accounts/developers-service.ts'
import { DeveloperMemberPath } from '../../../identity/accounts/members/developer-member.ts'
import {
  addDeveloperMember,
  changeDeveloperMember,
  readDeveloperMember,
  removeDeveloperMember,
} from '../../../identity/accounts/members/developer-members-service.ts'
import { DeveloperRole } from '../../../identity/accounts/members/roles.ts'
import type { ChoiceOption } from '../../kit/fields.ts'
import { DEVELOPER_ROLES_HINT } from '../../links/invite-form.ts'
import { searchUsers } from '../find-service.ts'
import { chosenRole } from './chosen-role.ts'
import type { RecordForm, RecordFormPage, Removal, Typed } from './forms-service.ts'

/** Lets a user, named by an email or an id, work for a developer. */
export const addMember: RecordForm = async (deps, developerId, typed, actor) => {
  const { id: userId, name } = await userIn(deps, typed)
  const role = chosenRole(DeveloperRole, typed.get('role'))
  await addDeveloperMember(deps, developerId, { userId, role }, actor)
  return { done: `${name} was added.` }
}

const ROLES: readonly ChoiceOption[] = [
  ['member', 'Member'],
  ['owner', 'Owner'],
]

/** The form that adds a user to a developer. */
export const newMember: RecordFormPage = {
  fields: {
    user: { label: 'User', hint: 'Email of an existing user.', pointers: ['/userId'] },
    role: { kind: 'choice', label: 'Role', hint: DEVELOPER_ROLES_HINT, choices: ROLES },
  },
  async ask(deps, id) {
    const { name } = await readDeveloper(deps, id)
    return { title: `Add a member to ${name}`, owner: name, button: 'Add member' }
  },
}

/** Gives a person of a developer another role; an operator may leave it without an owner. */
export const changeRole: RecordForm = async (deps, developerId, typed, actor) => {
  const userId = UuidText.safeParse(typed.get('userId'))
  if (!userId.success) throw new AppError('not_found')
  const member = { developerId, userId: userId.data }
  const role = chosenRole(DeveloperRole, typed.get('role'))
  const change = { actor, keepsAnOwner: false }
  const { name } = await changeDeveloperMember(deps, member, { role }, change)
  return { done: `The role of ${name} was changed to ${role}.` }
}

/** Ends the work of a person for a developer. */
export const dropMember: Removal<{ id: string; userId: string }> = {
  path: 'Members/:userId/Remove',
  recentFactor: true,
  params: DeveloperMemberPath,
  async ask(deps, { id, userId }) {
    const developer = await readDeveloper(deps, id)
    const { name } = await readDeveloperMember(deps, { developerId: id, userId })
    return {
      title: `Remove ${name} from ${developer.name}`,
      effect: `${name} can no longer open the console of this developer. Test tokens that ${name} made stop working immediately.`,
      button: 'Remove member',
      owner: developer.name,
    }
  },
  async remove(deps, { id: developerId, userId }, actor) {
    const change = { actor, keepsAnOwner: false }
    await ignoring('not_found', removeDeveloperMember(deps, { developerId, userId }, change))
    return 'The member was removed.'
  },
}

/** @throws AppError unprocessable */
async function userIn(deps: Deps, typed: Typed) {
  const text = typed.get('user')?.trim() ?? ''
  const { exact } = await searchUsers(deps, text)
  if (exact !== undefined) return exact
  const detail = text === '' ? 'Enter an email.' : 'No user has this email.'
  throw new AppError('unprocessable', { errors: [{ pointer: '/userId', detail }] })
}
