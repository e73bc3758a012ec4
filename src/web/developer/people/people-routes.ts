import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { OwnDeveloperMemberPath } from '../../../identity/accounts/members/developer-member.ts'
import {
  changeDeveloperMember,
  listDeveloperMembers,
  readDeveloperMember,
  removeDeveloperMember,
} from '../../../identity/accounts/members/developer-members-service.ts'
import { DeveloperRole } from '../../../identity/accounts/members/roles.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { listDeveloperInvitations } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import { INVITATIONS_SHOWN_MAX } from '../../links/open-invitations-view.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { takeNotice } from '../../requests/notices.ts'
import { requireOwner, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { PEOPLE_PATH, peoplePage, removePersonPage } from './people-page.ts'

/** More than a developer may have. */
const ALL = { after: undefined, limit: 100 }
const SHOWN_INVITATIONS = { after: undefined, limit: INVITATIONS_SHOWN_MAX }

/** The people of a developer: everybody sees them, owners change them. */
export async function developerPeopleRoutes(app: App) {
  const { deps } = app

  app.get(PEOPLE_PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const { developerId, person } = developerOf(request)
    const { entries } = await listDeveloperMembers(deps, developerId, ALL)
    const message = takeNotice(request, reply)?.text
    const shell = { ...visitorShell(request, reply), problems, message }
    const isOwner = person?.role !== 'member'
    const { entries: invitations, next } = isOwner
      ? await listDeveloperInvitations(deps, developerId, SHOWN_INVITATIONS)
      : { entries: [], next: undefined }
    const input = { people: entries, isOwner, invitations, isCut: next !== undefined }
    return sendPage(reply, peoplePage({ ...shell, ...input }))
  })

  const config = { recentFactor: true }
  app.post(
    PEOPLE_PATH,
    { config, schema: { hide: true, body: Fields } },
    async (request, reply) => {
      requireOwner(request)
      const userId = UuidText.safeParse(request.body.get('userId'))
      const role = DeveloperRole.safeParse(request.body.get('role'))
      if (!userId.success || !role.success) throw new AppError('not_found')
      const { developerId, actor } = developerActor(request)
      const trustsUnproved = deps.config.smtpUrl === undefined
      const change = { actor, keepsAnOwner: true, trustsUnproved }
      const member = { developerId, userId: userId.data }
      try {
        await changeDeveloperMember(deps, member, { role: role.data }, change)
      } catch (error) {
        return refuse(request, reply, refusalOf(error, ['conflict', 'email_not_proved']))
      }
      return redirectDone(request, reply, PEOPLE_PATH, `The role was changed to ${role.data}.`)
    },
  )

  const removal = `${PEOPLE_PATH}/:userId/Remove`
  const schema = { hide: true, params: OwnDeveloperMemberPath }
  app.get(removal, { schema }, async (request, reply) => {
    requireOwner(request)
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const { developerId } = developerOf(request)
    const { userId } = request.params
    const person = await readDeveloperMember(deps, { developerId, userId })
    const shell = { ...visitorShell(request, reply), problems }
    const { developerName = '' } = visitorOf(request)
    return sendPage(reply, removePersonPage({ ...shell, person, developerName }))
  })

  app.post(removal, { config: { ...config, actsOnce: true }, schema }, async (request, reply) => {
    requireOwner(request)
    const { developerId, actor } = developerActor(request)
    const member = { developerId, userId: request.params.userId }
    try {
      await removeDeveloperMember(deps, member, { actor, keepsAnOwner: true })
    } catch (error) {
      return refuse(request, reply, refusalOf(error, ['conflict']))
    }
    if (actor.id !== member.userId) {
      return redirectDone(request, reply, PEOPLE_PATH, 'The person was removed.')
    }
    const { developerName } = visitorOf(request)
    const text = `You left ${developerName}.`
    return redirectDone(request, reply, '/Account', text)
  })
}
