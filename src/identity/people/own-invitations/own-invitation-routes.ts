import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { OwnPartyPath } from '../../accounts/members/party-member.ts'
import { developerActor, userActor } from '../../guards/actor.ts'
import { developerOf, userOf } from '../../guards/audience.ts'
import { DeveloperInvitation, OwnInvitationPath, PartyInvitation } from './own-invitation.ts'
import {
  listDeveloperInvitations,
  listPartyInvitations,
  revokeDeveloperInvitation,
  revokePartyInvitation,
} from './own-invitations-service.ts'

const OF_PARTY = '/v1/Account/Parties/:id/Invitations'
const OF_DEVELOPER = '/v1/Developer/Invitations'
const LISTED = 'Those by the operator too, oldest first, without their links.'
const REVOKED =
  'Its link is refused from now on. An invitation by the operator that also leads elsewhere goes ' +
  'on for that.'

/** How the admins of an account see and revoke the open invitations to it. */
export async function ownPartyInvitationRoutes(app: App) {
  const tags = ['Accounts']
  app.get(
    OF_PARTY,
    {
      schema: {
        operationId: 'listPartyInvitations',
        tags,
        summary: 'List the open invitations to an account',
        description: `Only for admins of the account. ${LISTED}`,
        params: OwnPartyPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(PartyInvitation) },
        problems: ['admin_required'],
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      const partyId = Number(request.params.id)
      return answerPage(request, reply, ['party invitations', String(partyId)], (page) =>
        listPartyInvitations(app.deps, userId, partyId, page),
      )
    },
  )

  app.delete(
    `${OF_PARTY}/:invitationId`,
    {
      schema: {
        operationId: 'deletePartyInvitation',
        tags,
        summary: 'Revoke an open invitation to an account',
        description: `Only for admins of the account. ${REVOKED}`,
        params: OwnPartyPath.extend(OwnInvitationPath.shape),
        response: { 204: z.null() },
        problems: ['admin_required'],
      },
    },
    async (request, reply) => {
      const { id, invitationId } = request.params
      await revokePartyInvitation(app.deps, userActor(request), Number(id), invitationId)
      return reply.code(204).send(null)
    },
  )
}

/** The open invitations of a developer. */
export async function ownDeveloperInvitationRoutes(app: App) {
  const tags = ['Developer']
  app.get(
    OF_DEVELOPER,
    {
      schema: {
        operationId: 'listDeveloperInvitations',
        tags,
        summary: 'List the open invitations to work for you',
        description: LISTED,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(DeveloperInvitation) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['developer invitations', developerId], (page) =>
        listDeveloperInvitations(app.deps, developerId, page),
      )
    },
  )

  app.delete(
    `${OF_DEVELOPER}/:invitationId`,
    {
      schema: {
        operationId: 'deleteDeveloperInvitation',
        tags,
        summary: 'Revoke an open invitation to work for you',
        description: REVOKED,
        params: OwnInvitationPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { invitationId } = request.params
      await revokeDeveloperInvitation(app.deps, developerId, invitationId, actor)
      return reply.code(204).send(null)
    },
  )
}
