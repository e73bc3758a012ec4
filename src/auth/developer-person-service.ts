import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { DeveloperPersonPrincipal } from '../values/principal.ts'
import { sessionIdOf } from './session-store-service.ts'
import { readSession, type Session } from './user-session-service.ts'

type PersonDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now'>

/** A developer that a user works for, as the user chooses it. */
type WorkPlace = { id: string; name: string; role: 'member' | 'owner'; generation: number }

/** A person who is signed in and works for developers. */
export type DeveloperPerson = {
  user: Session['user']
  /** Those that are not suspended, by name. */
  developers: readonly WorkPlace[]
  /** The one that the session is about: the one chosen, or the only one. */
  chosen: { name: string; principal: DeveloperPersonPrincipal } | undefined
}

/**
 * Who is signed in with the cookie of a user's session and works for a developer, as of now;
 * undefined for anybody else.
 */
export async function readDeveloperPerson(
  deps: PersonDeps,
  cookie: string | undefined,
): Promise<DeveloperPerson | undefined> {
  const session = await readSession(deps, cookie)
  if (session === undefined || !session.user.worksForDevelopers) return undefined
  const { user, developerId, tokenGeneration } = session
  const rows = await deps.db.developerMember.findMany({
    where: { userId: user.id, developer: { suspendedAt: null } },
    select: { role: true, generation: true, developer: { select: { id: true, name: true } } },
    orderBy: [{ developer: { name: 'asc' } }, { developerId: 'asc' }],
  })
  if (rows.length === 0) return undefined
  const developers = rows.map(({ developer, ...member }) => ({ ...developer, ...member }))
  const [only] = developers.length === 1 ? developers : []
  const place = developers.find(({ id }) => id === developerId) ?? only
  return { user, developers, chosen: place && chosenAs(user.id, tokenGeneration, place) }
}

function chosenAs(userId: string, ugen: number, { id, name, role, generation }: WorkPlace) {
  const person = { userId, role, generations: { ugen, mgen: generation } }
  return { name, principal: { kind: 'developer', developerId: id, person } as const }
}

/**
 * Makes a developer the one that the pages of the developer console are about.
 *
 * @param cookie of the user's own session
 * @throws AppError not_found when the user does not work for the developer
 */
export async function chooseDeveloper(
  deps: PersonDeps,
  cookie: string,
  developerId: string,
): Promise<void> {
  const person = await readDeveloperPerson(deps, cookie)
  if (!person?.developers.some(({ id }) => id === developerId)) throw new AppError('not_found')
  const where = { id: sessionIdOf(cookie), userId: person.user.id }
  await deps.db.session.updateMany({ where, data: { developerId } })
}
