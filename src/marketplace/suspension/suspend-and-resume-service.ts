import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { takeDeveloper } from '../../identity/accounts/developers-service.ts'
import { type Suspension, suspensionOf } from '../../identity/accounts/operator-records.ts'
import { SuspensionRequest } from '../../identity/accounts/operator-requests.ts'
import { takeParty } from '../../identity/accounts/parties-service.ts'
import { requireAnotherOperator, takeUser } from '../../identity/accounts/users-service.ts'
import { type AuditEntry, recordAudit } from '../../identity/audit/record-audit-service.ts'
import { recordAppEvent } from '../events/record-event-service.ts'

type State = { suspendedAt: Date | null; suspendedReason: string | null }
type Owner = Pick<AuditEntry, 'developerId' | 'partyId'>
/**
 * A row that was taken for the rest of the transaction; of users whether they are operators, of
 * parties and developers whether they are closed.
 */
type Taken = State & {
  id: string | number
  owner: Owner
  operator?: boolean
  closedAt?: Date | null
}

/** How one kind of thing is taken and written. */
type Kind = {
  take(tx: Db, id: string): Promise<Taken>
  write(tx: Db, id: string, state: State): Promise<unknown>
}

const KINDS = {
  developer: {
    take: takeDeveloper,
    write: (tx, id, data) => tx.developer.update({ where: { id }, data }),
  },
  app: {
    async take(tx, id) {
      await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${id} FOR NO KEY UPDATE`
      const row = await tx.app.findFirst({ where: { id, deletedAt: null } })
      if (row === null) throw new AppError('not_found', { detail: 'There is no such app.' })
      return { ...row, owner: { developerId: row.developerId } }
    },
    write: (tx, id, state) =>
      tx.app.update({ where: { id }, data: { ...state, revision: { increment: 1 } } }),
  },
  party: {
    take: (tx, id) => takeParty(tx, Number(id)),
    write: (tx, id, data) => tx.party.update({ where: { id: Number(id) }, data }),
  },
  user: {
    take: takeUser,
    write: (tx, id, data) => tx.user.update({ where: { id }, data }),
  },
} as const satisfies Record<string, Kind>

/** What has the columns of a suspension; an installation's is part of its lifecycle. */
export type SuspendableKind = keyof typeof KINDS

/**
 * Suspends something, with the effect that `SUSPENDABLE` tells of, from the next request on. Repeating
 * the call changes nothing, but another reason replaces the first.
 *
 * @throws AppError conflict when operators suspend themselves, or it is closed; operator_needed when
 *   nobody else is one; unprocessable, not_found
 */
export async function suspend(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  kind: SuspendableKind,
  id: string,
  input: SuspensionRequest,
  actor: Actor,
): Promise<Suspension> {
  const { reason } = parseInput(SuspensionRequest, input)
  if (kind === 'user' && actor.kind === 'operator' && actor.id === id.toLowerCase()) {
    throw new AppError('conflict', {
      detail: 'You cannot suspend yourself. Ask another operator, or use the command line.',
    })
  }
  return change(db, kind, id, actor, (taken) => ({
    suspendedAt: taken.suspendedAt ?? now(),
    suspendedReason: reason,
  }))
}

/**
 * Ends a suspension: tokens that have not expired work again. Repeating the call changes nothing.
 *
 * @throws AppError conflict when it is closed; not_found
 */
export async function resume(
  { db }: Pick<Deps, 'db'>,
  kind: SuspendableKind,
  id: string,
  actor: Actor,
): Promise<Suspension> {
  return change(db, kind, id, actor, () => ({ suspendedAt: null, suspendedReason: null }))
}

async function change(
  db: Db,
  kind: SuspendableKind,
  id: string,
  actor: Actor,
  next: (taken: Taken) => State,
): Promise<Suspension> {
  const { take, write }: Kind = KINDS[kind]
  return inTransaction(db, async (tx) => {
    const before = await take(tx, id)
    if (before.closedAt) {
      const what = kind === 'party' ? 'account' : kind
      throw new AppError('conflict', { detail: `This ${what} is closed for good.` })
    }
    const after = next(before)
    if (describe(before) !== describe(after)) {
      // The command line may: it makes new operators.
      const stops = before.suspendedAt === null && before.operator === true
      if (stops && actor.kind === 'operator') await requireAnotherOperator(tx, id)
      await write(tx, id, after)
      await recordAudit(tx, {
        actor,
        action: after.suspendedAt === null ? `${kind}.resumed` : `${kind}.suspended`,
        subject: { kind, id: before.id },
        ...before.owner,
        before: fieldsOf(before),
        after: fieldsOf(after),
      })
      await recordSuspension(tx, kind, before, after)
    }
    return { id: before.id, ...suspensionOf(after) }
  })
}

/** The developer of an app is told of its suspension; another reason changes nothing for the app. */
async function recordSuspension(
  tx: Db,
  kind: SuspendableKind,
  before: Taken,
  after: State,
): Promise<void> {
  const { developerId } = before.owner
  const isNew = (before.suspendedAt === null) !== (after.suspendedAt === null)
  if (kind !== 'app' || !isNew || developerId === undefined) return
  const type = after.suspendedAt === null ? 'app.resumed' : 'app.suspended'
  await recordAppEvent(tx, type, { appId: String(before.id), developerId })
}

function fieldsOf({ suspendedAt, suspendedReason: reason }: State) {
  return suspendedAt === null ? { suspended: false } : { suspended: true, reason }
}

const describe = (state: State) => JSON.stringify(fieldsOf(state))
