import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import { inviteToDeveloper } from '../../../identity/people/invitations-service.ts'
import { revokeDeveloperInvitation } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import {
  DEVELOPER_ROLES_HINT,
  invitationOf,
  invited,
  inviteFields,
  inviteLead,
} from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { requireOwner } from '../../requests/visitor.ts'
import { PEOPLE_PATH } from './people-page.ts'

const PATH = `${PEOPLE_PATH}/Invite`
const ROLES = [
  ['member', 'Member'],
  ['owner', 'Owner'],
] as const

/** A developer invites people to work for it. */
export async function inviteDeveloperRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: PATH,
    place: { console: 'developer', section: 'people' },
    fields: inviteFields(ROLES, DEVELOPER_ROLES_HINT),
    config: { recentFactor: true },
    refused: ['unprocessable', 'too_many_requests'],
    async page(request) {
      requireOwner(request)
      return {
        title: 'Invite a person',
        lead: inviteLead(sendsMail(deps)),
        back: { href: PEOPLE_PATH, label: 'Members' },
        button: 'Invite',
      }
    },
    async submit(request, typed) {
      requireOwner(request)
      const { developerId, actor } = developerActor(request)
      const input = invitationOf(typed, 'owner')
      return { path: PATH, ...invited(await inviteToDeveloper(deps, developerId, input, actor)) }
    },
  })

  buttonForm(app, {
    path: `${PEOPLE_PATH}/Revoke`,
    page: () => PEOPLE_PATH,
    async submit(request, typed) {
      requireOwner(request)
      const id = UuidText.safeParse(typed.get('invitationId'))
      if (!id.success) throw new AppError('not_found')
      const { developerId, actor } = developerActor(request)
      const work = revokeDeveloperInvitation(deps, developerId, id.data, actor)
      return { path: PEOPLE_PATH, text: await revocationNotice(work) }
    },
  })
}
