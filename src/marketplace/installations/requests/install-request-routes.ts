import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { OwnPartyPath } from '../../../identity/accounts/members/party-member.ts'
import { userActor } from '../../../identity/guards/actor.ts'
import { userOf } from '../../../identity/guards/audience.ts'
import {
  acceptInstallRequest,
  declineInstallRequest,
  withdrawInstallRequest,
} from './decide-request-service.ts'
import {
  InstallRequestPath,
  InstallRequestRecord,
  InstallRequestRefusal,
  InstallRequestStatus,
  NewInstallRequest,
} from './install-request.ts'
import { createInstallRequest, listInstallRequests } from './install-requests-service.ts'

const PATH = '/v1/Account/Parties/:id/InstallRequests'
const tags = ['Accounts']

/** How members ask for an app, and how the admins of their account answer. */
export async function installRequestRoutes(app: App) {
  app.post(
    PATH,
    {
      schema: {
        operationId: 'createInstallRequest',
        tags,
        summary: 'Ask an admin to install an app',
        description:
          'For every member of the account. The request is checked as an install is, and all ' +
          'problems are named at once. One request for an app waits at a time in an account ' +
          '(`already_exists`), and at most 20 of one user (`conflict`). It ends when its author ' +
          'leaves the account. `conflict` also when the app has another version than the one ' +
          'that is named.',
        params: OwnPartyPath,
        body: NewInstallRequest,
        response: { 201: InstallRequestRecord },
        problems: ['already_exists', 'already_installed', 'acknowledgement_changed', 'conflict'],
      },
    },
    async (request, reply) => {
      const partyId = Number(request.params.id)
      const author = userActor(request)
      const made = await createInstallRequest(app.deps, author, partyId, request.body)
      reply.code(201)
      return made
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'listInstallRequests',
        tags,
        summary: 'List the install requests of an account',
        description:
          'Oldest first, with price and permissions and without passwords: all of them for ' +
          'admins of the account, for members their own. `GET /v1/Apps/{appId}` shows the texts ' +
          'that are to be accepted.',
        params: OwnPartyPath,
        querystring: z.strictObject({
          status: InstallRequestStatus.optional().describe('Only with this status.'),
          ...PageQuery,
        }),
        response: { 200: z.array(InstallRequestRecord) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      const partyId = Number(request.params.id)
      const { status } = request.query
      return answerPage(request, reply, ['install requests', partyId, userId], (page) =>
        listInstallRequests(app.deps, userId, partyId, { status }, page),
      )
    },
  )

  app.post(
    `${PATH}/:requestId/Accept`,
    {
      schema: {
        operationId: 'acceptInstallRequest',
        tags,
        summary: 'Install what was asked for',
        description:
          'Only for admins of the account, who accept the texts of the app in their own name. ' +
          'Everything is checked again: `conflict` when the app has another version than the ' +
          'one that was looked at, or the request is decided already.',
        params: InstallRequestPath,
        response: { 200: InstallRequestRecord },
        problems: [
          'admin_required',
          'unprocessable',
          'already_installed',
          'acknowledgement_changed',
          'conflict',
        ],
      },
    },
    (request) => {
      const { id, requestId } = request.params
      return acceptInstallRequest(app.deps, userActor(request), { partyId: Number(id), requestId })
    },
  )

  app.post(
    `${PATH}/:requestId/Decline`,
    {
      schema: {
        operationId: 'declineInstallRequest',
        tags,
        summary: 'Decline an install request',
        description:
          'Only for admins of the account. The user who asked reads the reason. `conflict` when the ' +
          'request is decided already.',
        params: InstallRequestPath,
        body: InstallRequestRefusal,
        response: { 200: InstallRequestRecord },
        problems: ['admin_required', 'conflict'],
      },
    },
    (request) => {
      const { id, requestId } = request.params
      const asked = { partyId: Number(id), requestId }
      return declineInstallRequest(app.deps, userActor(request), asked, request.body)
    },
  )

  app.delete(
    `${PATH}/:requestId`,
    {
      schema: {
        operationId: 'deleteInstallRequest',
        tags,
        summary: 'Withdraw your install request',
        description:
          'Only for the user who asked. It stays in the list as `withdrawn`. `conflict` when it is decided already.',
        params: InstallRequestPath,
        response: { 204: z.null() },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { id, requestId } = request.params
      await withdrawInstallRequest(app.deps, userActor(request), { partyId: Number(id), requestId })
      return reply.code(204).send(null)
    },
  )
}
