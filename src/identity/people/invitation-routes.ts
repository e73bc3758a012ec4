import { z } from 'zod'
import { UuidText } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { stateOf } from '../../http/observability/request-state.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { OwnPartyPath } from '../accounts/members/party-member.ts'
import { developerActor, operatorActor, userActor } from '../guards/actor.ts'
import { userOf } from '../guards/audience.ts'
import { lifetimeText } from '../links/link.ts'
import { acceptInvitation } from './accept-invitation-service.ts'
import {
  AcceptedInvitation,
  CreatedInvitation,
  DeveloperInvitationRequest,
  Invitation,
  InvitationAcceptance,
  InvitationRequest,
  PartyInvitationRequest,
} from './invitation.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
  inviteToParty,
  listInvitations,
  revokeInvitation,
} from './invitations-service.ts'

const INVITATIONS = '/v1/Operator/Invitations'
const InvitationPath = z.object({
  id: UuidText.describe('Id of the invitation.').meta({
    example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  }),
})

const LINK =
  `The link of the invitation works once, for ${lifetimeText('invitation')}. A newer invitation of ` +
  'the same address by the same side ends it.'

/** Invitations by operators. */
export async function operatorInvitationRoutes(app: App) {
  app.post(
    INVITATIONS,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createInvitation',
        tags: ['Operator'],
        summary: 'Invite a person',
        description:
          'To accounts, to a developer, or to the operator console. A new user chooses a ' +
          `password; an existing user keeps its own. ${LINK}`,
        body: InvitationRequest,
        response: { 201: CreatedInvitation },
      },
    },
    async (request, reply) => {
      const made = await inviteByOperator(app.deps, request.body, operatorActor(request))
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )

  app.get(
    INVITATIONS,
    {
      schema: {
        operationId: 'listInvitations',
        tags: ['Operator'],
        summary: 'List open invitations',
        description: 'Those of accounts and developers too, oldest first, without their links.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Invitation) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['invitations'], (page) => listInvitations(app.deps, page)),
  )

  app.delete(
    `${INVITATIONS}/:id`,
    {
      schema: {
        operationId: 'deleteInvitation',
        tags: ['Operator'],
        summary: 'Revoke an open invitation',
        description: 'Its link no longer works.',
        params: InvitationPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await revokeInvitation(app.deps, request.params.id, operatorActor(request))
      return reply.code(204).send(null)
    },
  )
}

/** Invitations to an account, by its admins. */
export async function partyInvitationRoutes(app: App) {
  app.post(
    '/v1/Account/Parties/:id/Invitations',
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createPartyInvitation',
        tags: ['Accounts'],
        summary: 'Invite a person to your account',
        description: `For admins of the account. ${LINK} At most 50 in 24 hours.`,
        params: OwnPartyPath,
        body: PartyInvitationRequest,
        response: { 201: CreatedInvitation },
        problems: ['admin_required'],
      },
    },
    async (request, reply) => {
      const partyId = Number(request.params.id)
      const made = await inviteToParty(app.deps, partyId, request.body, userActor(request))
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )
}

/** Invitations to a developer. */
export async function developerInvitationRoutes(app: App) {
  app.post(
    '/v1/Developer/Members',
    {
      schema: {
        operationId: 'createDeveloperInvitation',
        tags: ['Developer'],
        summary: 'Invite a person to work for you',
        description: `The person signs in to the developer console. ${LINK} At most 50 in 24 hours.`,
        body: DeveloperInvitationRequest,
        response: { 201: CreatedInvitation },
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const made = await inviteToDeveloper(app.deps, developerId, request.body, actor)
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )
}

/** The use of an invitation. */
export async function acceptInvitationRoutes(app: App) {
  app.post(
    '/v1/Account/Invitations/Accept',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { takesAccountToken: true },
      schema: {
        operationId: 'acceptInvitation',
        tags: ['Accounts'],
        summary: 'Accept an invitation',
        description:
          'A new user gives a `password`, and so does one whose address nobody has proved; others ' +
          'keep theirs. An existing user must send an account token with a link ' +
          'that was not mailed. The link works once: of uses at once one succeeds, ' +
          'the others get `invalid_link`.',
        body: InvitationAcceptance,
        response: { 200: AcceptedInvitation },
        problems: ['invalid_link', 'conflict', 'invited_user_required'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      const userId = stateOf(request).principal === null ? undefined : userOf(request).userId
      return acceptInvitation(app.deps, request.body, { address: clientAddress(request), userId })
    },
  )
}
