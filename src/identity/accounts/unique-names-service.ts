import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { canonicalLine } from '../../base/values/text-forms/canonical.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
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
  wanted: Wanted<Omit<PartyRequest, 'type'> & { type: string }>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    await requireFreeName(db, 'party', wanted)
    return createParty({ db }, wanted.input, actor)
  })
}

/**
 * Creates a developer unless another one has its name, or the name is confirmed.
 *
 * @throws AppError already_exists, unprocessable
 */
export async function createDeveloperUnlessNameTaken(
  deps: Pick<Deps, 'db' | 'passwords' | 'fillSandbox'>,
  wanted: Wanted<DeveloperRequest>,
  actor: Actor,
) {
  return createDeveloper(deps, wanted.input, actor, (tx) =>
    requireFreeName(tx, 'developer', wanted),
  )
}

/**
 * Changes a party unless another one has the new name, or the name is confirmed.
 *
 * @throws AppError already_exists, unprocessable, not_found
 */
export async function changePartyUnlessNameTaken(
  deps: Pick<Deps, 'db'>,
  id: number,
  wanted: Wanted<PartyChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    await requireFreeName(db, 'party', wanted, id)
    return changeParty({ db }, id, wanted.input, actor)
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
  wanted: Wanted<DeveloperChange>,
  actor: Actor,
) {
  return inTransaction(deps.db, async (db) => {
    await requireFreeName(db, 'developer', wanted, id)
    return changeDeveloper({ db }, id, wanted.input, actor)
  })
}

/**
 * Lets requests with the same name take turns, so that the second one sees what the first one made.
 *
 * @param ownId of the record that is changed: it may have the name already
 * @throws AppError already_exists when other records have the name, which is not confirmed
 */
async function requireFreeName(
  db: Db,
  kind: 'party' | 'developer',
  { input, allowSameName }: Wanted<{ name: string }>,
  ownId?: string | number,
): Promise<void> {
  const name = canonicalLine(input.name)
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`${kind} named ${name}`}))`
  if (allowSameName) return
  const select = { id: true } as const
  const known: { id: string | number }[] =
    kind === 'party'
      ? await db.party.findMany({ where: { name, type: { not: 'None' } }, select })
      : await db.developer.findMany({ where: { name }, select })
  if (known.length === 0 || known.some(({ id }) => id === ownId)) return
  const what = kind === 'party' ? 'an account' : 'a developer'
  throw new AppError('already_exists', {
    errors: [{ pointer: '/again', detail: `There is ${what} of this name already.` }],
  })
}
