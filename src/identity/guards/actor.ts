import type { FastifyRequest } from 'fastify'
import type { Actor, DeveloperAuthor, UserAuthor } from '../../base/values/actor.ts'
import type { DeveloperPrincipal } from '../../base/values/principal.ts'
import { clientAddress } from '../../http/client-address.ts'
import { developerOf, installationPrincipalOf, userOf } from './audience.ts'

/** The developer that a guarded route is called by, as the author of a change. */
export function developerActor(request: FastifyRequest): DeveloperAuthor {
  return actorOfDeveloper(developerOf(request), clientAddress(request))
}

/** A developer as the author of a change: its credential, or the person who works for it. */
export function actorOfDeveloper(developer: DeveloperPrincipal, address: string): DeveloperAuthor {
  const { developerId, person } = developer
  const actor: Actor =
    person === undefined
      ? { kind: 'developer', id: developer.clientId, address }
      : { kind: 'user', id: person.userId, developerId, address }
  return { developerId, actor }
}

/** The user that a guarded route is called by, as the author of a change. */
export function userActor(request: FastifyRequest): UserAuthor {
  const { userId } = userOf(request)
  return { userId, actor: { kind: 'user', id: userId, address: clientAddress(request) } }
}

/** The operator that a guarded route is called by, as the author of a change. */
export function operatorActor(request: FastifyRequest): Actor {
  return { kind: 'operator', id: userOf(request).userId, address: clientAddress(request) }
}

/** The installation that a guarded route is called by, as the author of a change. */
export function installationActor(request: FastifyRequest): Actor {
  return {
    kind: 'installation',
    id: installationPrincipalOf(request).installationId,
    address: clientAddress(request),
  }
}
