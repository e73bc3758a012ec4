import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import { inviteToDeveloper } from '../../../identity/people/invitations-service.ts'
import { revokeDeveloperInvitation } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import {
  DEVELOPER_ROLES_HINT,
  type InviteShown,
  invitedSecret,
  inviteForm,
  inviteLead,
  inviteRefusal,
} from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import {
  readAttempt,
  redirectBack,
  redirectDone,
  redirectSecret,
  refuse,
} from '../../page-requests/kept-forms.ts'
import { takeNotice } from '../../page-requests/notices.ts'
import { requireOwner, visitorShell } from '../../page-requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { type ConsoleInput, developerPage } from '../console-frame.ts'
import { PEOPLE_PATH } from './people-page.ts'

const PATH = `${PEOPLE_PATH}/Invite`

/** A developer invites people to work for it. */
export async function inviteDeveloperRoutes(app: App) {
  const { deps } = app

  app.get(PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    requireOwner(request)
    const attempt = readAttempt(request, reply) ?? UNTOUCHED
    const message = request.kept?.secret ?? takeNotice(request, reply)?.text
    const shell = visitorShell(request, reply)
    return sendPage(reply, invitePage({ ...shell, attempt, message, sendsMail: sendsMail(deps) }))
  })

  const config = { recentFactor: true, actsOnce: true }
  const post = { config, schema: { hide: true, body: Fields } }
  app.post(PATH, post, async (request, reply) => {
    requireOwner(request)
    const typed = request.body
    const role = typed.get('role') === 'owner' ? ('owner' as const) : ('member' as const)
    const input = { name: typed.get('name') ?? '', email: typed.get('email') ?? '', role }
    try {
      const { developerId, actor } = developerActor(request)
      const { name, email, link } = await inviteToDeveloper(deps, developerId, input, actor)
      if (link === undefined)
        return await redirectDone(request, reply, PATH, `${name} was invited.`)
      return await redirectSecret(request, reply, PATH, invitedSecret(name, email, link))
    } catch (error) {
      return refuse(request, reply, inviteRefusal(error))
    }
  })

  const revoke = `${PEOPLE_PATH}/Revoke`
  app.get(revoke, { schema: { hide: true } }, async (request, reply) =>
    redirectBack(request, reply, PEOPLE_PATH),
  )
  const once = { config: { actsOnce: true }, schema: { hide: true, body: Fields } }
  app.post(revoke, once, async (request, reply) => {
    requireOwner(request)
    const id = UuidText.safeParse(request.body.get('invitationId'))
    if (!id.success) throw new AppError('not_found')
    const { developerId, actor } = developerActor(request)
    const work = revokeDeveloperInvitation(deps, developerId, id.data, actor)
    return redirectDone(request, reply, PEOPLE_PATH, await revocationNotice(work))
  })
}

function invitePage(input: ConsoleInput & InviteShown): HtmlPage {
  const { csrfToken, attempt, sendsMail } = input
  return developerPage(
    { ...input, problems: attempt.problems },
    {
      title: 'Invite a person',
      section: 'people',
      layout: 'form',
      back: { href: PEOPLE_PATH, label: 'members' },
      head: html`<div class="page-head"><h1>Invite a person</h1><p class="lead">${inviteLead(sendsMail)}</p></div>`,
      content: inviteForm({
        action: PATH,
        csrfToken,
        attempt,
        roles: [
          ['member', 'Member'],
          ['owner', 'Owner'],
        ],
        rolesHint: DEVELOPER_ROLES_HINT,
        cancelHref: PEOPLE_PATH,
      }),
    },
  )
}
