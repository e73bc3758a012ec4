import type { FastifyReply, FastifyRequest } from 'fastify'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import {
  changeMember,
  listMembers,
  readMember,
  removeMember,
  whoCanFor,
} from '../../../identity/accounts/members/party-members-service.ts'
import { PartyRole } from '../../../identity/accounts/members/roles.ts'
import { readOwnUser } from '../../../identity/accounts/own-user-service.ts'
import { listPartyInvitations } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import { INVITATIONS_SHOWN_MAX } from '../../links/open-invitations-view.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { requireOwnAccount } from '../../shared/page/account-of-page.ts'
import {
  MEMBERS_PATH,
  type MembersParty,
  membersChoicePage,
  membersPage,
  ROLE_NAMES,
  removeMemberPage,
} from './members-page.ts'

const PAGE_SIZE = 100
const SHOWN_INVITATIONS = { after: undefined, limit: INVITATIONS_SHOWN_MAX }
/** Refusals that are told above the list. */
const TOLD = ['conflict', 'email_not_proved', 'not_found'] as const

/** Who belongs to the visitor's accounts; admins change it. */
export async function memberRoutes(app: App) {
  const { deps } = app

  app.get(MEMBERS_PATH, { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendMembers(request, reply),
  )

  const post = { config: { recentFactor: true }, schema: { hide: true, body: Fields } }
  app.post(MEMBERS_PATH, post, async (request, reply) => {
    const { party, userId } = await named(request, request.body)
    const role = PartyRole.safeParse(request.body.get('role'))
    if (!role.success) throw new AppError('invalid_request', { detail: 'Choose a role.' })
    const member = { userId, partyId: party.id }
    try {
      await changeMember(deps, visitorActor(request), member, { role: role.data })
    } catch (error) {
      return refuse(request, reply, refusalOf(error, TOLD))
    }
    const text = `The role was changed to ${ROLE_NAMES[role.data].toLowerCase()}.`
    return redirectDone(request, reply, pathOf(party), text)
  })

  const removal = `${MEMBERS_PATH}/Remove`
  app.get(removal, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const again = readAttempt(request, reply)
    const { party, userId } = await named(request, again?.typed ?? request.query)
    const author = visitorOf(request).id
    const member = await readMember(deps, author, { userId, partyId: party.id })
    const problems = again?.problems ?? []
    const shell = visitorShell(request, reply)
    return sendPage(reply, removeMemberPage({ ...shell, party, member, problems }))
  })

  const once = { ...post, config: { ...post.config, actsOnce: true } }
  app.post(removal, once, async (request, reply) => {
    if (await hasLeft(request)) {
      return redirectDone(request, reply, '/Account', 'You do not belong to that account any more.')
    }
    const { party, userId } = await named(request, request.body)
    const author = visitorActor(request)
    try {
      await removeMember(deps, author, { userId, partyId: party.id })
    } catch (error) {
      return refuse(request, reply, refusalOf(error, ['conflict']))
    }
    const isOneself = userId === author.userId
    const text = isOneself ? `You left ${party.name}.` : 'The member was removed.'
    return redirectDone(request, reply, isOneself ? '/Account' : pathOf(party), text)
  })

  async function sendMembers(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
  ) {
    const { problems = [], typed = request.query } = readAttempt(request, reply) ?? {}
    const { parties, party } = await ownParty(request, typed)
    const shell = visitorShell(request, reply)
    if (party === undefined) return sendPage(reply, membersChoicePage({ ...shell, parties }))
    const userId = visitorOf(request).id
    const input = { ...shell, party, userId, problems, message: takeNotice(request, reply)?.text }
    const whoCan = await whoCanFor(deps.db, userId, party.id)
    if (whoCan !== null) {
      const nothing = { cursor: undefined, invitations: [], isCut: false }
      return sendPage(reply, membersPage({ ...input, ...nothing, members: whoCan }))
    }
    const { entries, cursor } = await loadShown(
      request,
      ['members page', party.id],
      PAGE_SIZE,
      (page) => listMembers(deps, userId, party.id, page),
    )
    const open = await listPartyInvitations(deps, userId, party.id, SHOWN_INVITATIONS)
    const invitations = { invitations: open.entries, isCut: open.next !== undefined }
    return sendPage(reply, membersPage({ ...input, ...invitations, members: entries, cursor }))
  }

  /** The account that an address or a form is about: the one it names, chosen, or the only one. */
  async function ownParty(request: FastifyRequest, fields: FormFields) {
    const { parties } = await readOwnUser(deps, visitorOf(request).id)
    const wanted = fields.get('partyId')?.trim()
    requireOwnAccount(
      parties.map(({ id }) => ({ partyId: id })),
      wanted,
    )
    const id = wanted ? Number(wanted) : chosenAccountId(request)
    const [only] = parties.length === 1 ? parties : []
    return { parties, party: parties.find((one) => one.id === id) ?? only }
  }

  /** Whether a form, as of another tab, is to leave an account that the visitor has left. */
  async function hasLeft(request: FastifyRequest<{ Body: FormFields }>): Promise<boolean> {
    const { id: userId } = visitorOf(request)
    if (request.body.get('userId') !== userId) return false
    const { parties } = await readOwnUser(deps, userId)
    return !parties.some(({ id }) => String(id) === request.body.get('partyId')?.trim())
  }

  /** The account and the member that a form names. */
  async function named(request: FastifyRequest, fields: FormFields) {
    const { party } = await ownParty(request, fields)
    const userId = UuidText.safeParse(fields.get('userId'))
    if (party === undefined || !userId.success) throw new AppError('not_found')
    return { party, userId: userId.data }
  }
}

function pathOf({ id }: MembersParty): string {
  return `${MEMBERS_PATH}?partyId=${id}`
}
