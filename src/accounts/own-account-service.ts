import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'
import { checked } from './operator-requests.ts'
import type { OwnAccount } from './own-account.ts'
import { OwnAccountChange } from './own-account-requests.ts'
import { changeUser } from './users-service.ts'

/**
 * Gives a user the name that the user has chosen.
 *
 * @throws AppError unprocessable
 */
export async function changeOwnAccount(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  input: OwnAccountChange,
  actor: Actor,
): Promise<OwnAccount> {
  const { name } = checked(OwnAccountChange, input)
  await changeUser(deps, userId, { name }, actor)
  return readOwnAccount(deps, userId)
}

/**
 * The user and the accounts that it is a member of, by name.
 *
 * @throws AppError invalid_token when the user was removed after the token was checked
 */
export async function readOwnAccount(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<OwnAccount> {
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
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id)
  return { id, name, email, operator, support, parties }
}
