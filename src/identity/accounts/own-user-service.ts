import type { Actor } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import { byName } from '../../base/values/names.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { OwnUser } from './own-user.ts'
import { OwnUserChange } from './own-user-requests.ts'
import { asOneself } from './refusals-service.ts'
import { changeUser } from './users-service.ts'

/**
 * Gives a user the name that the user has chosen.
 *
 * @throws AppError unprocessable; invalid_token when the user was removed after the token was checked
 */
export async function changeOwnUser(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  input: OwnUserChange,
  actor: Actor,
): Promise<OwnUser> {
  const { name } = parseInput(OwnUserChange, input)
  await asOneself(changeUser(deps, userId, { name }, actor))
  return readOwnUser(deps, userId)
}

/**
 * The user and the accounts that it is a member of, by name.
 *
 * @throws AppError invalid_token when the user was removed after the token was checked
 */
export async function readOwnUser({ db }: Pick<Deps, 'db'>, userId: string): Promise<OwnUser> {
  const user = await db.user.findUnique({
    where: { id: userId },
    include: { memberships: { include: { party: true } } },
  })
  if (user === null) throw new AppError('invalid_token')
  const { id, name, email, operator, support, memberships } = user
  const parties = memberships
    .map(({ party, role }) => ({
      id: party.id,
      name: party.name,
      type: party.type,
      suspended: party.suspendedAt !== null,
      role,
    }))
    .sort(byName)
  return { id, name, email, operator, support, parties }
}
