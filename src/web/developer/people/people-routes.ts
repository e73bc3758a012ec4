import { shownEmail } from '../../../base/values/email.ts'
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
import { readAttempt } from '../../requests/answers.ts'
import { formPage } from '../../requests/form-page.ts'
import { takeForm } from '../../requests/form-work.ts'
import { listFileRoute } from '../../requests/lists.ts'
import { takeNotice } from '../../requests/notices.ts'
import { requireOwner, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { MEMBER_COLUMNS } from '../../shared/status/member-columns.ts'
import { PEOPLE_PATH, peoplePage } from './people-page.ts'

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

  listFileRoute(app, `${PEOPLE_PATH}/Export`, { noun: 'member' }, async (request) => ({
    columns: MEMBER_COLUMNS,
    load: (page) => listDeveloperMembers(deps, developerOf(request).developerId, page),
  }))

  const config = { recentFactor: true }
  takeForm(app, {
    path: PEOPLE_PATH,
    config: { ...config, formKind: 'button' },
    refused: ['conflict', 'email_not_proved'],
    async submit(request, typed) {
      requireOwner(request)
      const userId = UuidText.safeParse(typed.get('userId'))
      const role = DeveloperRole.safeParse(typed.get('role'))
      if (!userId.success || !role.success) throw new AppError('not_found')
      const { developerId, actor } = developerActor(request)
      const trustsUnproved = deps.config.smtpUrl === undefined
      const change = { actor, keepsAnOwner: true, trustsUnproved }
      const member = { developerId, userId: userId.data }
      await changeDeveloperMember(deps, member, { role: role.data }, change)
      return { path: PEOPLE_PATH, text: `The role was changed to ${role.data}.` }
    },
  })

  formPage(app, {
    path: `${PEOPLE_PATH}/:userId/Remove`,
    params: OwnDeveloperMemberPath,
    place: { console: 'developer', section: 'people' },
    config,
    refused: ['conflict'],
    async page(request, _, _reply, { userId }) {
      requireOwner(request)
      const { developerId } = developerOf(request)
      const { name, email } = await readDeveloperMember(deps, { developerId, userId })
      const { developerName = '', signInName } = visitorOf(request)
      const isOneself = email === signInName
      const person = html`<bdi>${shownEmail(email)}</bdi>`
      return {
        title: isOneself ? `Leave ${developerName}` : `Remove ${name}`,
        back: { href: PEOPLE_PATH, label: 'Members' },
        consequences: [
          html`${isOneself ? 'You' : person} can no longer open this console.`,
          html`Test tokens that ${isOneself ? 'you' : html`<bdi>${name}</bdi>`} made stop working immediately.`,
          `${isOneself ? 'You keep your' : 'The person keeps the'} sign-in and all accounts of the marketplace.`,
        ],
        button: isOneself ? 'Leave' : 'Remove',
        kind: 'danger',
      }
    },
    async submit(request, _, { userId }) {
      requireOwner(request)
      const { developerId, actor } = developerActor(request)
      await removeDeveloperMember(deps, { developerId, userId }, { actor, keepsAnOwner: true })
      if (actor.id !== userId) return { path: PEOPLE_PATH, text: 'The person was removed.' }
      return { path: '/Account', text: `You left ${visitorOf(request).developerName}.` }
    },
  })
}
