import type { FastifyRequest } from 'fastify'
import { COUNTED_MAX } from '../../../base/values/page-of-list.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import {
  changeMember,
  countMembers,
  listMembers,
  readMember,
  removeMember,
  whoCanFor,
} from '../../../identity/accounts/members/party-members-service.ts'
import { PartyRole } from '../../../identity/accounts/members/roles.ts'
import { readOwnUser } from '../../../identity/accounts/own-user-service.ts'
import { listPartyInvitations } from '../../../identity/people/own-invitations/own-invitations-service.ts'
import { listCount } from '../../kit/columns.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { INVITATIONS_SHOWN_MAX } from '../../links/open-invitations-view.ts'
import { formPage } from '../../requests/form-page.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { listFileRoute } from '../../requests/lists.ts'
import { chosenAccountId, visitorActor, visitorOf } from '../../requests/visitor.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { requireOwnAccount } from '../../shared/page/account-of-page.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { MEMBER_COLUMNS } from '../../shared/status/member-columns.ts'
import { ACCOUNT_PARTS, backToPart } from '../account-parts.ts'
import {
  MEMBERS_PATH,
  type MembersParty,
  membersChoice,
  membersHead,
  membersView,
  ROLE_NAMES,
  removalConsequences,
} from './members-page.ts'

const PAGE_SIZE = 100
const SHOWN_INVITATIONS = { after: undefined, limit: INVITATIONS_SHOWN_MAX }
/** Refusals that are told above the list. */
const TOLD = ['conflict', 'email_not_proved', 'not_found'] as const

/** Who belongs to the visitor's accounts; admins change it. */
export async function memberRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: MEMBERS_PATH,
    place: { console: 'account' },
    config: { recentFactor: true, formKind: 'button' },
    refused: [],
    async page(request, typed) {
      const { parties, party } = await ownParty(request, typed)
      if (party === undefined) {
        const above =
          parties.length === 0
            ? emptyState('company', 'You do not belong to an account yet.')
            : membersChoice(parties)
        return { title: 'Members', back: backToPart('Accounts'), above }
      }
      const { id: userId, signInName } = visitorOf(request)
      const shown = await readMembers(request, userId, party)
      const isAdmin = typeof shown.members !== 'string'
      return {
        title: `Members of ${party.name}`,
        ...membersHead(party),
        beside: isAdmin && inviteLink(party),
        below: (csrfToken) => membersView({ ...shown, party, userId, signInName, csrfToken }),
      }
    },
    async submit(request, typed) {
      const { party, userId } = await named(request, typed)
      const role = PartyRole.safeParse(typed.get('role'))
      if (!role.success) throw new AppError('invalid_request', { detail: 'Choose a role.' })
      const member = { userId, partyId: party.id }
      const text = `The role was changed to ${ROLE_NAMES[role.data].toLowerCase()}.`
      return changeMember(deps, visitorActor(request), member, { role: role.data }).then(
        () => ({ path: pathOf(party), text }),
        (error: unknown) => refusalOf(error, TOLD),
      )
    },
  })

  listFileRoute(app, `${MEMBERS_PATH}/Export`, { noun: 'member' }, async (request) => {
    const { party } = await ownParty(request, request.query)
    if (party === undefined) throw new AppError('not_found')
    return {
      columns: MEMBER_COLUMNS,
      load: (page) => listMembers(deps, visitorOf(request).id, party.id, page),
    }
  })

  formPage(app, {
    path: `${MEMBERS_PATH}/Remove`,
    place: { console: 'account' },
    config: { recentFactor: true },
    refused: ['conflict'],
    async page(request, typed) {
      const { party, userId } = await named(request, typed)
      const { id, signInName } = visitorOf(request)
      const member = await readMember(deps, id, { userId, partyId: party.id })
      const isOneself = member.email === signInName
      const verb = isOneself ? 'Leave' : 'Remove'
      return {
        ...membersHead(party),
        title: `${verb} ${isOneself ? party.name : member.name}`,
        heading: html`${verb} <bdi>${isOneself ? party.name : member.name}</bdi>`,
        back: { href: pathOf(party), label: 'Members' },
        consequences: removalConsequences(party, member, isOneself),
        hidden: { partyId: String(party.id), userId },
        button: verb,
        kind: 'danger',
      }
    },
    async submit(request, typed) {
      if (await hasLeft(request, typed)) {
        return { path: ACCOUNT_PARTS.Accounts, text: 'You do not belong to that account any more.' }
      }
      const { party, userId } = await named(request, typed)
      const author = visitorActor(request)
      await removeMember(deps, author, { userId, partyId: party.id })
      return userId === author.userId
        ? { path: ACCOUNT_PARTS.Accounts, text: `You left ${party.name}.` }
        : { path: pathOf(party), text: 'The member was removed.' }
    },
  })

  async function readMembers(
    request: FastifyRequest<{ Querystring: FormFields }>,
    userId: string,
    party: MembersParty,
  ) {
    const whoCan = await whoCanFor(deps.db, userId, party.id)
    if (whoCan !== null) {
      return { cursor: undefined, count: '', invitations: [], isCut: false, members: whoCan }
    }
    const { entries: members, cursor } = await loadShown(
      request,
      ['members page', party.id],
      PAGE_SIZE,
      (page) => listMembers(deps, userId, party.id, page),
    )
    const counted = await countMembers(deps, party.id, COUNTED_MAX)
    const count = listCount(counted, COUNTED_MAX, 'member')
    const open = await listPartyInvitations(deps, userId, party.id, SHOWN_INVITATIONS)
    return { members, count, cursor, invitations: open.entries, isCut: open.next !== undefined }
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
  async function hasLeft(request: FastifyRequest, typed: FormFields): Promise<boolean> {
    const { id: userId } = visitorOf(request)
    if (typed.get('userId') !== userId) return false
    const { parties } = await readOwnUser(deps, userId)
    return !parties.some(({ id }) => String(id) === typed.get('partyId')?.trim())
  }

  /** The account and the member that a form names. */
  async function named(request: FastifyRequest, fields: FormFields) {
    const { party } = await ownParty(request, fields)
    const userId = UuidText.safeParse(fields.get('userId'))
    if (party === undefined || !userId.success) throw new AppError('not_found')
    return { party, userId: userId.data }
  }
}

function inviteLink({ id }: MembersParty): Html {
  return html`<a class="button primary" href="${MEMBERS_PATH}/Invite?partyId=${id}">Invite member</a>`
}

function pathOf({ id }: MembersParty): string {
  return `${MEMBERS_PATH}?partyId=${id}`
}
