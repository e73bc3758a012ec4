import { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import {
  inviteByOperator,
  listInvitations,
  revokeInvitation,
} from '../../../identity/people/invitations-service.ts'
import { invitedSecret } from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import {
  readAttempt,
  redirectBack,
  redirectDone,
  redirectSecret,
  refuse,
} from '../../page-requests/kept-forms.ts'
import { loadShown } from '../../page-requests/list-pages.ts'
import { takeNotice } from '../../page-requests/notices.ts'
import { visitingOperator, visitorShell } from '../../page-requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { inputRefusal } from '../forms/fields.ts'
import { invitationIn, namesIn } from './invitation-form-service.ts'
import { INVITATIONS_PATH, invitationsPage } from './invitations-page.ts'

const PAGE_SIZE = 100
const InvitationPath = z.object({ id: UuidText })

/** Invitations by operators. */
export async function operatorInvitationPages(app: App) {
  const { deps } = app

  app.get(
    INVITATIONS_PATH,
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      // The page of a developer leads here. Nothing else is filled in by an address.
      const developer = request.query.get('developer') ?? ''
      const first = { ...UNTOUCHED, typed: new Map([['developer', developer]]) }
      const { entries: invitations, ...rest } = await loadShown(
        request,
        ['console invitations'],
        PAGE_SIZE,
        (page) => listInvitations(deps, page),
      )
      return sendPage(
        reply,
        invitationsPage({
          ...visitorShell(request, reply),
          invitations,
          ...rest,
          names: await namesIn(deps, invitations),
          sendsMail: sendsMail(deps),
          attempt: readAttempt(request, reply) ?? first,
          message: request.kept?.secret ?? takeNotice(request, reply)?.text,
        }),
      )
    },
  )

  const config = { recentFactor: true, actsOnce: true }
  const withFactor = { config, schema: { hide: true, body: Fields } }
  app.post(INVITATIONS_PATH, withFactor, async (request, reply) => {
    const typed = request.body
    try {
      const input = await invitationIn(deps, typed)
      const { name, email, link } = await inviteByOperator(deps, input, visitingOperator(request))
      const path = INVITATIONS_PATH
      if (link === undefined)
        return await redirectDone(request, reply, path, `${name} was invited.`)
      return await redirectSecret(request, reply, path, invitedSecret(name, email, link))
    } catch (error) {
      return refuse(request, reply, inputRefusal(error))
    }
  })

  const revoke = `${INVITATIONS_PATH}/:id/Revoke`
  app.get(revoke, { schema: { hide: true, params: InvitationPath } }, async (request, reply) =>
    redirectBack(request, reply, INVITATIONS_PATH),
  )
  const once = { config: { actsOnce: true }, schema: { hide: true, params: InvitationPath } }
  app.post(revoke, once, async (request, reply) => {
    const work = revokeInvitation(deps, request.params.id, visitingOperator(request))
    return redirectDone(request, reply, INVITATIONS_PATH, await revocationNotice(work))
  })
}
