import type { FastifyRequest } from 'fastify'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { requireAdmin } from '../../../identity/accounts/members/party-members-service.ts'
import { readOwnUser } from '../../../identity/accounts/own-user-service.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import { inviteToParty } from '../../../identity/people/invitations-service.ts'
import { revokePartyInvitation } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import { invitationOf, invited, inviteFields, inviteLead } from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { chosenAccountId, visitorActor } from '../../requests/visitor.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { MEMBERS_PATH } from './members-page.ts'

const INVITE_PATH = `${MEMBERS_PATH}/Invite`
const ROLES = [
  ['member', 'Member'],
  ['admin', 'Admin'],
] as const
const ROLES_HINT = 'Members open apps. Admins also install and configure them, and manage members.'

/** Admins of an account invite people to it. */
export async function inviteMemberRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: INVITE_PATH,
    place: { console: 'account' },
    fields: inviteFields(ROLES, ROLES_HINT),
    config: { recentFactor: true },
    refused: ['unprocessable', 'too_many_requests'],
    async page(request, typed, reply) {
      const party = await ownParty(request, typed)
      if (party === undefined) {
        reply.redirect(MEMBERS_PATH, 303)
        return undefined
      }
      await requireAdmin(deps.db, visitorActor(request).userId, party.id)
      return {
        title: `Invite to ${party.name}`,
        heading: html`Invite to <bdi>${party.name}</bdi>`,
        lead: inviteLead(sendsMail(deps)),
        back: { href: `${MEMBERS_PATH}?partyId=${party.id}`, label: 'Members' },
        button: 'Invite',
        hidden: { partyId: String(party.id) },
      }
    },
    async submit(request, typed) {
      const party = await ownParty(request, typed)
      if (party === undefined) throw new AppError('not_found')
      const author = visitorActor(request)
      const made = await inviteToParty(deps, party.id, invitationOf(typed, 'admin'), author)
      // The form is about the same account again.
      const partyId = String(party.id)
      const done = invited(made)
      return 'text' in done
        ? { path: `${INVITE_PATH}?partyId=${partyId}`, ...done }
        : { path: INVITE_PATH, fields: new Map([['partyId', partyId]]), ...done }
    },
  })

  buttonForm(app, {
    path: `${MEMBERS_PATH}/Revoke`,
    page: (_, kept) => withQuery(MEMBERS_PATH, { partyId: kept?.get('partyId') }),
    async submit(request, typed) {
      const party = await ownParty(request, typed)
      const id = UuidText.safeParse(typed.get('invitationId'))
      if (party === undefined || !id.success) throw new AppError('not_found')
      const work = revokePartyInvitation(deps, visitorActor(request), party.id, id.data)
      return { path: `${MEMBERS_PATH}?partyId=${party.id}`, text: await revocationNotice(work) }
    },
  })

  /** The account that an address or a form names, or the one that the visitor has chosen. */
  async function ownParty(request: FastifyRequest, fields: FormFields) {
    const { parties } = await readOwnUser(deps, visitorActor(request).userId)
    const named = fields.get('partyId')?.trim()
    const [only] = parties.length === 1 ? parties : []
    if (!named) return parties.find(({ id }) => id === chosenAccountId(request)) ?? only
    const party = parties.find(({ id }) => String(id) === named)
    if (party === undefined) throw new AppError('not_found')
    return party
  }
}
