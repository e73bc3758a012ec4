import type { FastifyReply, FastifyRequest } from 'fastify'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { requireAdmin } from '../../../identity/accounts/members/party-members-service.ts'
import { readOwnUser } from '../../../identity/accounts/own-user-service.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import { inviteToParty } from '../../../identity/people/invitations-service.ts'
import { revokePartyInvitation } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import { invitedSecret, inviteRefusal } from '../../links/invite-form.ts'
import { revocationNotice } from '../../links/revocation-notice.ts'
import {
  readAttempt,
  redirectBack,
  redirectDone,
  redirectSecret,
  refuse,
} from '../../page-requests/kept-forms.ts'
import { takeNotice } from '../../page-requests/notices.ts'
import { chosenAccountId, visitorActor, visitorShell } from '../../page-requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { INVITE_PATH, inviteMemberPage } from './invite-page.ts'
import { MEMBERS_PATH } from './members-page.ts'

/** Admins of an account invite people to it. */
export async function inviteMemberRoutes(app: App) {
  const { deps } = app

  app.get(INVITE_PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const again = readAttempt(request, reply)
    const party = await ownParty(request, request.kept?.typed ?? request.query)
    if (party === undefined) return reply.redirect(MEMBERS_PATH, 303)
    await requireAdmin(deps.db, visitorActor(request).userId, party.id)
    return sendPage(
      reply,
      inviteMemberPage({
        ...visitorShell(request, reply),
        party,
        sendsMail: sendsMail(deps),
        attempt: again ?? UNTOUCHED,
        message: request.kept?.secret ?? takeNotice(request, reply)?.text,
      }),
    )
  })

  const config = { recentFactor: true, actsOnce: true }
  const post = { config, schema: { hide: true, body: Fields } }
  app.post(INVITE_PATH, post, async (request, reply) => {
    const typed = request.body
    const party = await ownParty(request, typed)
    if (party === undefined) throw new AppError('not_found')
    const role = typed.get('role') === 'admin' ? ('admin' as const) : ('member' as const)
    const input = { name: typed.get('name') ?? '', email: typed.get('email') ?? '', role }
    try {
      const author = visitorActor(request)
      const { name, email, link } = await inviteToParty(deps, party.id, input, author)
      const invited = { name, email, link }
      return await answer(request, reply, party.id, invited)
    } catch (error) {
      return refuse(request, reply, inviteRefusal(error))
    }
  })

  const revoke = `${MEMBERS_PATH}/Revoke`
  app.get(revoke, { schema: { hide: true } }, async (request, reply) => {
    const partyId = request.kept?.typed.get('partyId')
    const query = partyId === undefined ? '' : `?${new URLSearchParams({ partyId }).toString()}`
    return redirectBack(request, reply, MEMBERS_PATH + query)
  })
  const once = { config: { actsOnce: true }, schema: { hide: true, body: Fields } }
  app.post(revoke, once, async (request, reply) => {
    const party = await ownParty(request, request.body)
    const id = UuidText.safeParse(request.body.get('invitationId'))
    if (party === undefined || !id.success) throw new AppError('not_found')
    const author = visitorActor(request)
    const notice = await revocationNotice(revokePartyInvitation(deps, author, party.id, id.data))
    return redirectDone(request, reply, `${MEMBERS_PATH}?partyId=${party.id}`, notice)
  })

  /** Leads back to the form, which is about the same account again. */
  function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    partyId: number,
    { name, email, link }: { name: string; email: string; link: string | undefined },
  ) {
    if (link === undefined) {
      return redirectDone(
        request,
        reply,
        `${INVITE_PATH}?partyId=${partyId}`,
        `${name} was invited.`,
      )
    }
    const fields = new Map([['partyId', String(partyId)]])
    return redirectSecret(request, reply, INVITE_PATH, invitedSecret(name, email, link), fields)
  }

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
