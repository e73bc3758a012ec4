import { listParties, listUsers } from '../accounts/directory-service.ts'
import { normalEmail } from '../accounts/email.ts'
import type { PartyRecord } from '../accounts/operator-records.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { integerText } from '../shapes.ts'

type ReadDeps = Pick<Deps, 'db'>

const CANDIDATES = { after: undefined, limit: 100 }
const SHOWN_MAX = 5

/**
 * The party that somebody means by an id, a name or a part of one.
 *
 * @param type only parties of this type
 * @throws AppError unprocessable when none fits, or several do
 */
export async function findParty(
  deps: ReadDeps,
  typed: string | undefined,
  type?: PartyRecord['type'],
): Promise<number> {
  const text = typed?.trim() ?? ''
  if (integerText().safeParse(text).success) return Number(text)
  if (text === '') throw unclear('/party', 'Type the id or the name of a party.')
  const { entries } = await listParties(deps, { q: text, type }, CANDIDATES)
  const named = entries.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const [party, other] = named.length > 0 ? named : entries
  if (party === undefined) throw unclear('/party', 'There is no party of this name.')
  if (other === undefined) return party.id
  const some = (named.length > 0 ? named : entries).slice(0, SHOWN_MAX)
  const list = some.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw unclear('/party', `Several parties fit. Type the id of one: ${list}`)
}

/**
 * The user who signs in with an email.
 *
 * @throws AppError unprocessable when there is none
 */
export async function findUser(deps: ReadDeps, typed: string | undefined): Promise<string> {
  const email = normalEmail(typed ?? '')
  if (email === '') throw unclear('/email', 'Type the email of a user.')
  const { entries } = await listUsers(deps, { q: email }, CANDIDATES)
  const user = entries.find((one) => one.email === email)
  if (user === undefined) throw unclear('/email', 'There is no user with this email.')
  return user.id
}

function unclear(pointer: string, detail: string): AppError {
  return new AppError('unprocessable', { errors: [{ pointer, detail }] })
}
