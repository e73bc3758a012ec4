import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'
import { changeDeveloper, changeParty } from './account-changes-service.ts'
import { createDeveloper, createParty } from './creation-service.ts'
import type {
  DeveloperChange,
  DeveloperRequest,
  PartyChange,
  PartyRequest,
} from './operator-requests.ts'

type Wanted<Input> = {
  input: Input
  /** Whether a name that another one has is meant. */
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

/**
 * As `changeParty`, with the rule of `createPartyOnce`.
 *
 * @throws AppError already_exists; as `changeParty`
 */
export async function changePartyOnce(
  deps: Pick<Deps, 'db'>,
  id: number,
  { input, again }: Wanted<PartyChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'party', input.name)
    const known = await db.party.findMany({
      where: { name, type: { not: 'None' } },
      select: { id: true },
    })
    if (isOfOthers(id, known) && !again) throw namesake('party')
    return changeParty({ db }, id, input, actor)
  })
}

/**
 * As `changeDeveloper`, with the rule of `createPartyOnce`.
 *
 * @throws AppError already_exists; as `changeDeveloper`
 */
export async function changeDeveloperOnce(
  deps: Pick<Deps, 'db'>,
  id: string,
  { input, again }: Wanted<DeveloperChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'developer', input.name)
    const known = await db.developer.findMany({ where: { name }, select: { id: true } })
    if (isOfOthers(id, known) && !again) throw namesake('developer')
    return changeDeveloper({ db }, id, input, actor)
  })
}

/** Whether a name is that of others only. */
function isOfOthers<Id>(id: Id, known: readonly { id: Id }[]): boolean {
  return known.length > 0 && known.every((one) => one.id !== id)
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
