import { normalEmail } from '../../base/values/email.ts'
import { storageProblem } from '../../base/values/hostile-json.ts'
import { NAME_MAX_LENGTH } from '../../base/values/names.ts'
import { integerText, UuidText } from '../../base/values/shapes.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import {
  listDeveloperNamesakes,
  listDevelopers,
  readDeveloper,
} from '../../identity/accounts/developers-service.ts'
import type { PartyRecord, UserRecord } from '../../identity/accounts/operator-records.ts'
import {
  listNamesakes,
  listParties,
  type PartyKind,
  readParty,
} from '../../identity/accounts/parties-service.ts'
import { listUsers, readUser } from '../../identity/accounts/users-service.ts'
import { findAppByName, listAllApps } from '../../marketplace/apps/operator-apps-service.ts'

type ReadDeps = Pick<Deps, 'db'>

/** What a text may mean: the one whose id, name or email it is, or those that it is a part of. */
export type Found<Record> = { exact: Record | undefined; similar: readonly Record[] }

const NOTHING = { exact: undefined, similar: [] }
const SIMILAR = { after: undefined, limit: 20 }
const SUGGESTIONS_MAX = 5

/** A choice of parties to belong to, or to connect with, offers no sandbox. */
export const NO_SANDBOX: PartyKind = { withoutSandboxes: true }

/** Whether anything can have this name, email or id, or a part of it. */
function isSearchable(text: string): boolean {
  return (
    text.length <= NAME_MAX_LENGTH && storageProblem(text) === undefined && searchForm(text) !== ''
  )
}

/**
 * The party that somebody means by its id or its whole name. With several of the name, none is
 * meant, and they alone are similar.
 *
 * @param kind only parties of this kind; by its id a sandbox is always found
 */
export async function searchParties(
  deps: ReadDeps,
  text: string,
  kind: PartyKind,
): Promise<Found<PartyRecord>> {
  if (!isSearchable(text)) return NOTHING
  const { type } = kind
  const ofType = (party: PartyRecord) => type === undefined || party.type === type
  if (integerText().safeParse(text).success) {
    const party = await ignoring('not_found', readParty(deps, Number(text)))
    if (party !== undefined) return ofType(party) ? { exact: party, similar: [] } : NOTHING
  }
  const named = await listNamesakes(deps, { name: text, ...kind }, SIMILAR.limit)
  if (named.length > 0) return { exact: named.length === 1 ? named[0] : undefined, similar: named }
  const { entries: similar } = await listParties(deps, { q: text, ...kind }, SIMILAR)
  return { exact: undefined, similar }
}

/** The user whom somebody means by an id or an email; by a name or a part of it nobody is meant. */
export async function searchUsers(deps: ReadDeps, text: string): Promise<Found<UserRecord>> {
  if (!isSearchable(text)) return NOTHING
  if (UuidText.safeParse(text).success) {
    return { exact: await ignoring('not_found', readUser(deps, text.toLowerCase())), similar: [] }
  }
  const {
    entries: [exact],
  } = await listUsers(deps, { email: normalEmail(text) }, SIMILAR)
  if (exact !== undefined) return { exact, similar: [] }
  const { entries: similar } = await listUsers(deps, { q: text }, SIMILAR)
  return { exact: undefined, similar }
}

/**
 * The id of the party that a field of a form names, by its id or its whole name.
 *
 * @param kind only parties of this kind
 * @throws AppError unprocessable, with those that may be meant
 */
export async function findParty(
  deps: ReadDeps,
  text: string,
  kind: PartyKind = {},
): Promise<number> {
  const { exact, similar } = await searchParties(deps, text, kind)
  if (exact !== undefined) return exact.id
  throw unclear('/party', 'account', similar)
}

/**
 * The id of the app that a field of a form names, by its id or its whole name.
 *
 * @throws AppError unprocessable, with those that may be meant
 */
export async function findAppId(deps: ReadDeps, text: string): Promise<string> {
  if (!isSearchable(text)) throw unclear('/app', 'app', [])
  const known = await findAppByName(deps, text)
  if (known !== undefined) return known
  const { entries } = await listAllApps(deps, { q: text }, SIMILAR)
  throw unclear('/app', 'app', entries)
}

/**
 * The id of the developer that a field of a form names, by its id or its whole name.
 *
 * @throws AppError unprocessable, with those that may be meant
 */
export async function findDeveloperId(deps: ReadDeps, text: string): Promise<string> {
  if (!isSearchable(text)) throw unclear('/developerId', 'developer', [])
  if (UuidText.safeParse(text).success) {
    const known = await ignoring('not_found', readDeveloper(deps, text.toLowerCase()))
    if (known !== undefined) return known.id
  }
  const named = await listDeveloperNamesakes(deps, text, SIMILAR.limit)
  const [only] = named
  if (only !== undefined && named.length === 1) return only.id
  const similar =
    named.length > 0 ? named : (await listDevelopers(deps, { q: text }, SIMILAR)).entries
  throw unclear('/developerId', 'developer', similar)
}

type Named = { id: string | number; name: string }

function unclear(pointer: string, what: string, similar: readonly Named[]): AppError {
  const choices = similar
    .slice(0, SUGGESTIONS_MAX)
    .map(({ id, name }) => ({ text: `${name} (${id})`, value: String(id) }))
  const detail =
    choices.length === 0
      ? `No ${what} has this ID or name.`
      : `Did you mean ${choices.map(({ text }) => text).join(' or ')}? Enter the ID.`
  return new AppError('unprocessable', { errors: [{ pointer, detail, choices }] })
}
