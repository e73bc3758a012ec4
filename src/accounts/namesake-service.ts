import type { Actor } from '../audit/audit-service.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { DeveloperRequest, PartyRequest } from './operator-requests.ts'
import { createDeveloper, createParty } from './operator-service.ts'

type Wanted<Input> = {
  input: Input
  /** Whether one more of the same name is meant. */
  again: boolean
}

/**
 * As `createParty`, for forms, which are sent twice by mistake: a name that another party has is
 * refused until somebody says that it is meant.
 *
 * @throws AppError already_exists; as `createParty`
 */
export async function createPartyOnce(
  deps: Pick<Deps, 'db'>,
  { input, again }: Wanted<Omit<PartyRequest, 'type'> & { type: string }>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'party', input.name)
    const known = await db.party.count({ where: { name, type: { not: 'None' } } })
    if (known > 0 && !again) throw namesake('party')
    return createParty({ db }, input, actor)
  })
}

/**
 * As `createDeveloper`, with the rule of `createPartyOnce`.
 *
 * @throws AppError already_exists; as `createDeveloper`
 */
export async function createDeveloperOnce(
  deps: Pick<Deps, 'db' | 'passwords'>,
  { input, again }: Wanted<DeveloperRequest>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'developer', input.name)
    const known = await db.developer.count({ where: { name } })
    if (known > 0 && !again) throw namesake('developer')
    return createDeveloper({ ...deps, db }, input, actor)
  })
}

/** Of two at once, the second one sees what the first one made. */
async function lockName(db: Db, kind: string, text: string): Promise<string> {
  const name = text.trim()
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`${kind} named ${name}`}))`
  return name
}

function namesake(kind: 'party' | 'developer'): AppError {
  return new AppError('already_exists', {
    errors: [{ pointer: '/again', detail: `There is a ${kind} of this name already.` }],
  })
}
