import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { userActor } from '../../guards/actor.ts'
import { userOf } from '../../guards/audience.ts'
import { Membership } from '../operator-records.ts'
import { MemberChange } from '../operator-requests.ts'
import { OwnMemberPath, OwnPartyPath, PartyMember } from './party-member.ts'
import { changeMember, listMembers, removeMember } from './party-members-service.ts'

const PATH = '/v1/Account/Parties/:id/Members'
const tags = ['Accounts']

/** How the admins of an account manage who belongs to it. */
export async function partyMemberRoutes(app: App) {
  app.get(
    PATH,
    {
      schema: {
        operationId: 'listPartyMembers',
        tags,
        summary: 'List the members of an account',
        description: 'Only for admins of the account.',
        params: OwnPartyPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(PartyMember) },
        problems: ['admin_required'],
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      const partyId = Number(request.params.id)
      return answerPage(request, reply, ['party members', String(partyId)], (page) =>
        listMembers(app.deps, userId, partyId, page),
      )
    },
  )

  app.patch(
    `${PATH}/:userId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'changePartyMember',
        tags,
        summary: 'Give a member of an account another role',
        description:
          'Only for admins of the account. The role counts from the next request on, also for ' +
          'existing tokens and sessions. The last admin who can sign in stays one: `conflict`.',
        params: OwnMemberPath,
        body: MemberChange,
        response: { 200: Membership },
        problems: ['admin_required', 'conflict', 'email_not_proved'],
      },
    },
    (request) => {
      const { id, userId } = request.params
      const member = { userId, partyId: Number(id) }
      return changeMember(app.deps, userActor(request), member, request.body)
    },
  )

  app.delete(
    `${PATH}/:userId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'deletePartyMember',
        tags,
        summary: 'Remove a member from an account',
        description:
          'Admins of the account remove anybody, every member may leave. Tokens that the member ' +
          "got for the account's installations are refused from the next request on. " +
          'The last admin who can sign in stays: `conflict`.',
        params: OwnMemberPath,
        response: { 204: z.null() },
        problems: ['admin_required', 'conflict'],
      },
    },
    async (request, reply) => {
      const { id, userId } = request.params
      await removeMember(app.deps, userActor(request), { userId, partyId: Number(id) })
      return reply.code(204).send(null)
    },
  )
}
