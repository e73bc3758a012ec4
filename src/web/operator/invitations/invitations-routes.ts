import { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import {
  inviteByOperator,
  listInvitations,
  revokeInvitation,
} from '../../../identity/people/invitations-service.ts'
import { invited, inviteLead } from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { visitingOperator, visitorOf } from '../../requests/visitor.ts'
import { INPUT_REFUSALS } from '../forms/fields.ts'
import { invitationIn, namesIn } from './invitation-form-service.ts'
import { INVITATION_FIELDS, INVITATIONS_PATH, openInvitations } from './invitations-view.ts'

const PAGE_SIZE = 100
const InvitationPath = z.object({ id: UuidText })

/** Invitations by operators. */
export async function operatorInvitationPages(app: App) {
  const { deps } = app

  formPage(app, {
    path: INVITATIONS_PATH,
    place: { console: 'operator', tab: 'Users' },
    fields: INVITATION_FIELDS,
    config: { recentFactor: true },
    refused: INPUT_REFUSALS,
    async page(request, query) {
      const { entries, ...rest } = await loadShown(
        request,
        ['console invitations'],
        PAGE_SIZE,
        (page) => listInvitations(deps, page),
      )
      const { operator: mayInvite } = visitorOf(request)
      const list = { invitations: entries, ...rest, names: await namesIn(deps, entries) }
      return {
        title: 'Invite people',
        lead: inviteLead(sendsMail(deps)),
        back: { href: '/Operator/Users', label: 'Users' },
        ...(mayInvite && { button: 'Invite' }),
        // The page of a developer leads here. Nothing else is filled in by an address.
        stored: new Map([['developer', query.get('developer') ?? '']]),
        below: (csrfToken) => openInvitations(list, mayInvite && csrfToken),
      }
    },
    async submit(request, typed) {
      const input = await invitationIn(deps, typed)
      const made = await inviteByOperator(deps, input, visitingOperator(request))
      return { path: INVITATIONS_PATH, ...invited(made) }
    },
  })

  buttonForm(app, {
    path: `${INVITATIONS_PATH}/:id/Revoke`,
    params: InvitationPath,
    page: () => INVITATIONS_PATH,
    async submit(request, _typed, { id }) {
      const work = revokeInvitation(deps, id, visitingOperator(request))
      return { path: INVITATIONS_PATH, text: await revocationNotice(work) }
    },
  })
}
