import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import {
  chooseDeveloper,
  readDeveloperPerson,
} from '../../../identity/auth/developer-person-service.ts'
import { showsKept } from '../../requests/form-for-later.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { developerChoicePage } from './choice-page.ts'

const PATH = '/Developer/Choose'
const START = '/Developer'

/** The developer that a person works for, carried from page to page by the person's session. */
export async function developerChoiceRoutes(app: App) {
  const { deps } = app

  app.get(PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const person = await readDeveloperPerson(deps, sessionCookie(request))
    if (person === undefined) throw new AppError('not_found')
    return sendPage(
      reply,
      developerChoicePage({
        ...visitorShell(request, reply),
        developers: person.developers,
        suspended: person.suspended,
        chosenId: person.chosen?.principal.developerId,
        next: safeNextPath(request.query.get('next'), START),
      }),
    )
  })

  app.post(PATH, { schema: { hide: true, body: Fields } }, async (request, reply) => {
    const wanted = UuidText.safeParse(request.body.get('developerId'))
    if (!wanted.success) throw new AppError('not_found')
    await chooseDeveloper(deps, sessionCookie(request) ?? '', wanted.data)
    const { id } = visitorOf(request)
    const next = safeNextPath(request.body.get('next'), START)
    const owner = { id, developerId: wanted.data }
    return reply.redirect((await showsKept(request, owner, next)) ? next : nextOf(next), 303)
  })
}

/**
 * Where the choice leads on to, unless there waits what was typed for the chosen developer: pages
 * of one developer's things are nothing to another one.
 */
function nextOf(next: string): string {
  const [path = START] = next.split('?', 1)
  const [, , section] = path.split('/')
  return section === undefined || !/^(Installations|Events|Members|Credentials)$/i.test(section)
    ? START
    : `${START}/${section}`
}
