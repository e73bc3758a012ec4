import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../values/actor.ts'
import { changeDeveloper, createDeveloper } from './developers-service.ts'
import type {
  DeveloperChange,
  DeveloperRequest,
  PartyChange,
  PartyRequest,
} from './operator-requests.ts'
import { changeParty, createParty } from './parties-service.ts'

type Wanted<Input> = {
  input: Input
  /** The operator has confirmed that two records may have this name. */
  allowSameName: boolean
}

/**
 * Creates a party unless another one has its name. Forms use it, because people send a form twice
 * by mistake; the operator can confirm that the same name is meant.
 *
 * @throws AppError already_exists, unprocessable
 */
export async function createPartyUnlessNameTaken(
  deps: Pick<Deps, 'db'>,
  { input, allowSameName }: Wanted<Omit<PartyRequest, 'type'> & { type: string }>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'party', input.name)
    const known = await db.party.count({ where: { name, type: { not: 'None' } } })
    if (known > 0 && !allowSameName) throw namesake('party')
    return createParty({ db }, input, actor)
  })
}

/**
 * Creates a developer unless another one has its name, or the name is confirmed.
 *
 * @throws AppError already_exists, unprocessable
 */
export async function createDeveloperUnlessNameTaken(
  deps: Pick<Deps, 'db' | 'passwords'>,
  { input, allowSameName }: Wanted<DeveloperRequest>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'developer', input.name)
    const known = await db.developer.count({ where: { name } })
    if (known > 0 && !allowSameName) throw namesake('developer')
    return createDeveloper({ ...deps, db }, input, actor)
  })
}

/**
 * Changes a party unless another one has the new name, or the name is confirmed.
 *
 * @throws AppError already_exists, unprocessable, not_found
 */
export async function changePartyUnlessNameTaken(
  deps: Pick<Deps, 'db'>,
  id: number,
  { input, allowSameName }: Wanted<PartyChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'party', input.name)
    const known = await db.party.findMany({
      where: { name, type: { not: 'None' } },
      select: { id: true },
    })
    if (isOfOthers(id, known) && !allowSameName) throw namesake('party')
    return changeParty({ db }, id, input, actor)
  })
}

/**
 * Changes a developer unless another one has the new name, or the name is confirmed.
 *
 * @throws AppError already_exists, unprocessable, not_found
 */
export async function changeDeveloperUnlessNameTaken(
  deps: Pick<Deps, 'db'>,
  id: string,
  { input, allowSameName }: Wanted<DeveloperChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    const name = await lockName(db, 'developer', input.name)
    const known = await db.developer.findMany({ where: { name }, select: { id: true } })
    if (isOfOthers(id, known) && !allowSameName) throw namesake('developer')
    return changeDeveloper({ db }, id, input, actor)
  })
}

/** Whether other records have the name, and not the record itself. */
function isOfOthers<Id>(id: Id, known: readonly { id: Id }[]): boolean {
  return known.length > 0 && known.every((one) => one.id !== id)
}

/**
 * Lets requests with the same name take turns, so that the second one sees what the first one made.
 */
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
