import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../http/send-page.ts'
import { readSuspendedPerson } from '../../identity/auth/developer-person-service.ts'
import { readSession } from '../../identity/auth/user-session-service.ts'
import { noDeveloperPage, suspendedDevelopersPage } from '../developer/people/closed-pages.ts'
import { csrfToken, sessionCookie } from './pages.ts'
import { visitorOfUser } from './visitor-type.ts'

/**
 * Tells who is signed in why the developer console is closed: all developers of the person are
 * suspended, or there is none. The sign-in would only lead back.
 *
 * @returns false, and nothing is answered, when nobody is signed in
 */
export async function tellWhyClosed(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { deps, assetVersion } = request.server
  const session = await readSession(deps, sessionCookie(request))
  if (session === undefined) return false
  const person = await readSuspendedPerson(deps, sessionCookie(request))
  const user = visitorOfUser(session.user)
  const shell = { user, csrfToken: csrfToken(request, reply), assetVersion }
  const page =
    person === undefined
      ? noDeveloperPage(shell)
      : suspendedDevelopersPage({ ...shell, developers: person.suspended })
  await sendPage(reply.code(403), page)
  return true
}
