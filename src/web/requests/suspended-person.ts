import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../http/send-page.ts'
import { readSuspendedPerson } from '../../identity/auth/developer-person-service.ts'
import { suspendedDevelopersPage } from '../developer/people/suspended-page.ts'
import { csrfToken, sessionCookieAnywhere } from './pages.ts'
import { visitorOfUser } from './visitor-type.ts'

/**
 * Tells a person whose developers are all suspended why the developer console is closed: the sign-in
 * would only lead back.
 *
 * @returns false, and nothing is answered, for anybody else
 */
export async function tellSuspended(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { deps, assetVersion } = request.server
  const person = await readSuspendedPerson(deps, sessionCookieAnywhere(request, 'user'))
  if (person === undefined) return false
  const user = visitorOfUser(person.user)
  const shell = { user, csrfToken: csrfToken(request, reply, 'user'), assetVersion }
  await sendPage(
    reply.code(403),
    suspendedDevelopersPage({ ...shell, developers: person.suspended }),
  )
  return true
}
