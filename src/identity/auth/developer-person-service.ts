import { byName } from '../../base/values/names.ts'
import type { DeveloperPersonPrincipal } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { sessionIdOf } from './session-store-service.ts'
import { readSession, type Session } from './user-session-service.ts'

type PersonDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now'>

/** A developer that a user works for, as the user chooses it. */
type WorkPlace = { id: string; name: string; role: 'member' | 'owner'; generation: number }

/** A developer that an operator has suspended, and why. */
type SuspendedPlace = { name: string; reason: string | null }

/** A person who is signed in and works for developers. */
export type DeveloperPerson = {
  user: Session['user']
  /** Those that are not suspended, by name. */
  developers: readonly WorkPlace[]
  /** The others, by name. */
  suspended: readonly SuspendedPlace[]
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
  const person = await readPlaces(deps, cookie)
  return person?.developers.length ? person : undefined
}

/** The person of a session who works for suspended developers only; undefined for anybody else. */
export async function readSuspendedPerson(
  deps: PersonDeps,
  cookie: string | undefined,
): Promise<Pick<DeveloperPerson, 'user' | 'suspended'> | undefined> {
  const person = await readPlaces(deps, cookie)
  return person?.suspended.length && person.developers.length === 0 ? person : undefined
}

async function readPlaces(
  deps: PersonDeps,
  cookie: string | undefined,
): Promise<DeveloperPerson | undefined> {
  const session = await readSession(deps, cookie)
  if (session === undefined || !session.user.worksForDevelopers) return undefined
  const { user, developerId, tokenGeneration } = session
  const rows = await deps.db.developerMember.findMany({
    where: { userId: user.id },
    select: {
      role: true,
      generation: true,
      developer: { select: { id: true, name: true, suspendedAt: true, suspendedReason: true } },
    },
  })
  rows.sort((a, b) => byName(a.developer, b.developer))
  const developers = rows.flatMap(({ developer: { id, name, suspendedAt }, ...member }) =>
    suspendedAt === null ? [{ id, name, ...member }] : [],
  )
  const suspended = rows.flatMap(({ developer: { name, suspendedAt, suspendedReason: reason } }) =>
    suspendedAt === null ? [] : [{ name, reason }],
  )
  const [only] = developers.length === 1 ? developers : []
  const place = developers.find(({ id }) => id === developerId) ?? only
  const chosen = place && chosenAs(user.id, tokenGeneration, place)
  return { user, developers, suspended, chosen }
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
