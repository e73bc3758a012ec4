import { shownEmail } from '../../../base/values/email.ts'
import { UserPath } from '../../../base/values/operator-paths.ts'
import { integerText } from '../../../base/values/shapes.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, ignoring } from '../../../errors.ts'
import { removeMembership } from '../../../identity/accounts/members/memberships-service.ts'
import {
  problemsOf,
  problemsOfNewUser,
} from '../../../identity/accounts/new-user-problems-service.ts'
import { readParty } from '../../../identity/accounts/parties-service.ts'
import { removeUser } from '../../../identity/accounts/remove-user-service.ts'
import { setPassword } from '../../../identity/accounts/user-passwords-service.ts'
import { changeUser, readUser } from '../../../identity/accounts/users-service.ts'
import { lifetimeText } from '../../../identity/links/link.ts'
import { removeLostFactor } from '../../../identity/people/lost-factors/remove-lost-factor-service.ts'
import { createPasswordReset } from '../../../identity/people/password-resets-service.ts'
import { findParty, NO_SANDBOX } from '../find-service.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { NEW_PASSWORD, ROLES } from './field-specs.ts'
import {
  filled,
  type RecordForm,
  type RecordFormPage,
  type RecordForms,
  type Removal,
  type Typed,
} from './forms-service.ts'
import { changeRoleInParty } from './member-role-forms-service.ts'

/**
 * A new user as it was typed.
 *
 * @throws AppError unprocessable with all that is wrong with it
 */
export async function readNewUser(deps: Pick<Deps, 'db'>, typed: Typed) {
  const wanted = filled(typed, 'party')
  const partyIds: number[] = []
  const unfound = await problemsOf(async () => {
    if (wanted !== undefined) partyIds.push(await findParty(deps, wanted, NO_SANDBOX))
  })
  const input = {
    name: typed.get('name') ?? '',
    email: typed.get('email') ?? '',
    password: filled(typed, 'password'),
    operator: typed.get('operator') === 'true',
    support: typed.get('support') === 'true',
    partyIds,
  }
  const errors = await problemsOfNewUser(deps, input, unfound)
  if (errors.length > 0) throw new AppError('unprocessable', { errors })
  return input
}

const edit: RecordForm = async (deps, id, typed, actor) => {
  // A form that was opened before somebody else changed the name or the email does not change it back.
  const email = typed.get('email')
  const isNewEmail = email !== undefined && email !== typed.get('emailShown')
  const name = typed.get('name') ?? ''
  const input = {
    ...(name !== typed.get('nameShown') && { name }),
    ...(isNewEmail && { email }),
    operator: meant(typed, 'operator'),
    support: meant(typed, 'support'),
  }
  const changed = await changeUser(deps, id, input, actor)
  return { done: OPERATOR_NOTICES.changed(changed.name) }
}

/** A form that was opened before somebody else changed a flag does not change it back. */
function meant(typed: Typed, flag: 'operator' | 'support'): boolean | undefined {
  const wanted = typed.get(flag) === 'true'
  const shown = typed.get(`${flag}Shown`) === 'true'
  return wanted === shown ? undefined : wanted
}

const editPage: RecordFormPage = {
  fields: {
    name: { label: 'Name' },
    email: {
      label: 'Email',
      keyboard: 'email',
      hint: 'Sign-in address. No confirmation mail is sent.',
    },
    ...ROLES,
  },
  async ask(deps, id, typed) {
    const user = await readUser(deps, id)
    const stored = {
      name: user.name,
      email: shownEmail(user.email),
      operator: String(user.operator),
      support: String(user.support),
    }
    // What the form showed first, however often it is refused.
    const shown = (name: 'name' | 'email' | 'operator' | 'support') =>
      typed.get(`${name}Shown`) ?? stored[name]
    const hidden = {
      nameShown: shown('name'),
      emailShown: shown('email'),
      operatorShown: shown('operator'),
      supportShown: shown('support'),
    }
    return { title: `Edit ${user.name}`, owner: user.name, button: 'Save', stored, hidden }
  },
}

const changePassword: RecordForm = async (deps, id, typed, actor) => {
  const password = filled(typed, 'password')
  const user = await readUser(deps, id)
  const made = await setPassword(deps, id, { password }, actor)
  if (password !== undefined) {
    return {
      done: `The password of ${user.name} was changed. All their sessions and tokens ended.`,
    }
  }
  return {
    title: `${user.name} has a new password.`,
    facts: { Email: shownEmail(made.email), Password: made.password },
  }
}

const passwordPage: RecordFormPage = {
  fields: { password: NEW_PASSWORD },
  async ask(deps, id) {
    const { name, email } = await readUser(deps, id)
    return {
      title: `Set a password for ${name}`,
      owner: name,
      button: 'Set password',
      kind: 'danger',
      consequences: [
        `The current password of ${shownEmail(email)} stops working. All sessions and tokens of the user end.`,
        'Make sure first that it is the user who asks. With a password reset link the user chooses the password, and you never see it.',
      ],
    }
  },
}

const makeResetLink: RecordForm = async (deps, id, _typed, actor) => {
  const { name } = await readUser(deps, id)
  const { email, link } = await createPasswordReset(deps, id, actor)
  if (link === undefined)
    return { done: `A link for a new password was mailed to ${shownEmail(email)}.` }
  return {
    title: `The link works once, for ${lifetimeText('password_reset')}. Give it to ${name}.`,
    what: 'link',
    facts: { Email: shownEmail(email), Link: link },
  }
}

const removeFromParty: Removal<{ id: string; partyId: string }> = {
  path: 'Memberships/:partyId/Remove',
  recentFactor: true,
  params: UserPath.extend({ partyId: integerText() }),
  async ask(deps, { id, partyId }) {
    const user = await readUser(deps, id)
    if (!user.partyIds.includes(Number(partyId))) throw new AppError('not_found')
    const party = await readParty(deps, Number(partyId))
    return {
      title: `Remove ${user.name} from ${party.name}`,
      effect:
        'The user can no longer open or change the apps of the account. Tokens that apps received for the user are refused immediately.',
      button: 'Remove user',
      owner: user.name,
    }
  },
  async remove(deps, { id, partyId }, actor) {
    const user = await readUser(deps, id)
    const membership = { userId: user.id, partyId: Number(partyId) }
    const party = await readParty(deps, membership.partyId)
    await ignoring('not_found', removeMembership(deps, membership, actor))
    return `${user.name} was removed from ${party.name}.`
  },
}

const removeFactor: RecordForm = async (deps, id, typed, actor) => {
  const user = await readUser(deps, id)
  const reason = typed.get('reason')?.trim()
  if (!reason) {
    throw new AppError('unprocessable', { errors: [{ pointer: '/reason', detail: 'is required' }] })
  }
  await removeLostFactor(deps, id, { reason }, actor)
  return { done: `The two-step sign-in of ${user.name} was reset.` }
}

const factorPage: RecordFormPage = {
  fields: { reason: { label: 'Reason', hint: 'For the audit trail.' } },
  async ask(deps, id) {
    const { name, email } = await readUser(deps, id)
    return {
      title: `Reset two-step sign-in of ${name}`,
      owner: name,
      button: 'Reset two-step sign-in',
      kind: 'danger',
      consequences: [
        `The codes and recovery codes of ${shownEmail(email)} stop working. The user can then sign in with a password only.`,
        'Make sure first that it is the user who asks.',
      ],
    }
  },
}

const remove: Removal<{ id: string }> = {
  path: 'Remove',
  recentFactor: true,
  params: UserPath,
  leadsTo: '/Operator/Users',
  async ask(deps, { id }) {
    const { name } = await readUser(deps, id)
    return {
      title: `Remove ${name} for good`,
      effect:
        'Email and name are replaced, all sessions and tokens end, and the user leaves all accounts. The audit trail keeps the user ID. You cannot undo this.',
      button: 'Remove user',
      owner: name,
    }
  },
  async remove(deps, { id }, actor) {
    const { name } = await readUser(deps, id)
    await removeUser(deps, id, actor)
    return `${name} was removed.`
  },
}

const verifyEmail: RecordForm = async (deps, id, _typed, actor) => {
  const { name } = await changeUser(deps, id, { emailProved: true }, actor)
  return { done: `The email of ${name} is verified.` }
}

/** What is done on the page of a user: its name, rights and roles, its password, its factor. */
export const USER_FORMS = {
  Edit: { submit: edit, recentFactor: true, page: editPage },
  VerifyEmail: { submit: verifyEmail, recentFactor: true },
  Password: { submit: changePassword, recentFactor: 'always', page: passwordPage },
  PasswordReset: { submit: makeResetLink, recentFactor: true },
  SecondFactor: { submit: removeFactor, recentFactor: 'always', page: factorPage },
  Roles: { submit: changeRoleInParty, recentFactor: true },
} satisfies RecordForms
export const USER_REMOVALS = [removeFromParty, remove]
