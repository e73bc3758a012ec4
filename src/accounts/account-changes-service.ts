import { recordAudit } from '../audit/record-audit-service.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'
import { readDeveloper, readParty, readUser } from './account-lists-service.ts'
import { sandboxName } from './creation-service.ts'
import type { DeveloperRecord, PartyRecord, UserRecord } from './operator-records.ts'
import { checked, DeveloperChange, PartyChange, UserChange } from './operator-requests.ts'
import { requireAnotherOperator, takeDeveloper, takeParty, takeUser } from './row-locks-service.ts'

type WriteDeps = Pick<Deps, 'db'>

/**
 * Gives a party another name.
 *
 * @throws AppError unprocessable, not_found
 */
export async function changeParty(
  { db }: WriteDeps,
  id: number,
  input: PartyChange,
  actor: Actor,
): Promise<PartyRecord> {
  const { name } = checked(PartyChange, input)
  return inTransaction(db, async (tx) => {
    const { owner, ...party } = await takeParty(tx, id)
    if (name !== party.name) {
      await tx.party.update({ where: { id }, data: { name } })
      await recordAudit(tx, {
        actor,
        action: 'party.changed',
        subject: { kind: 'party', id },
        ...owner,
        before: { name: party.name },
        after: { name },
      })
    }
    return readParty({ db: tx }, id)
  })
}

/**
 * Gives a developer another name. Its sandbox follows as long as it is called after the developer.
 *
 * @throws AppError unprocessable, not_found
 */
export async function changeDeveloper(
  { db }: WriteDeps,
  id: string,
  input: DeveloperChange,
  actor: Actor,
): Promise<DeveloperRecord> {
  const { name } = checked(DeveloperChange, input)
  return inTransaction(db, async (tx) => {
    const { owner, ...developer } = await takeDeveloper(tx, id)
    if (name !== developer.name) {
      await tx.developer.update({ where: { id }, data: { name } })
      const sandbox = { id: developer.sandboxPartyId, name: sandboxName(developer.name) }
      const { count } = await tx.party.updateMany({
        where: sandbox,
        data: { name: sandboxName(name) },
      })
      await recordAudit(tx, {
        actor,
        action: 'developer.changed',
        subject: { kind: 'developer', id: developer.id },
        ...owner,
        ...(count > 0 && { partyId: sandbox.id }),
        before: { name: developer.name },
        after: { name },
      })
    }
    return readDeveloper({ db: tx }, id)
  })
}

/**
 * Changes the name of a user, and whether it is an operator; both count from the next request on.
 * There is always an operator who can sign in, and nobody stops being one by its own hand.
 *
 * @throws AppError operator_needed; unprocessable, not_found
 */
export async function changeUser(
  { db }: WriteDeps,
  id: string,
  input: UserChange,
  actor: Actor,
): Promise<UserRecord> {
  const wanted = checked(UserChange, input)
  return inTransaction(db, async (tx) => {
    const { owner, ...user } = await takeUser(tx, id)
    const { name = user.name, operator = user.operator } = wanted
    if (user.operator && !operator) {
      refuseOneself(actor, user.id)
      if (user.suspendedAt === null) await requireAnotherOperator(tx, user.id)
    }
    const before = {
      ...(name !== user.name && { name: user.name }),
      ...(operator !== user.operator && { operator: user.operator }),
    }
    if (Object.keys(before).length > 0) {
      await tx.user.update({ where: { id }, data: { name, operator } })
      await recordAudit(tx, {
        actor,
        action: 'user.changed',
        subject: { kind: 'user', id: user.id },
        ...owner,
        before,
        after: {
          ...('name' in before && { name }),
          ...('operator' in before && { operator }),
        },
      })
    }
    return readUser({ db: tx }, id)
  })
}

function refuseOneself(actor: Actor, userId: string): void {
  if (actor.kind !== 'operator' || actor.id !== userId) return
  const detail = 'You cannot take the operator flag from yourself. Ask another operator.'
  throw new AppError('operator_needed', { detail, errors: [{ pointer: '/operator', detail }] })
}
