import { z } from 'zod'
import { appIdFilter } from '../../base/values/app-path.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { expectedRevisions, setRevision } from '../../http/revision-etag.ts'
import { userActor } from '../../identity/guards/actor.ts'
import { userOf } from '../../identity/guards/audience.ts'
import { AccountInstallation } from './account-installation.ts'
import {
  installForUser,
  listAccountInstallations,
  readAccountInstallation,
} from './account-installations-service.ts'
import { consentOf } from './consent.ts'
import { InstallationPath, ownPartyFilter, statusFilter } from './installation.ts'
import { InstallationRequest } from './installation-request.ts'
import { uninstall } from './lifecycle-service.ts'
import { ofAdmin } from './stored-installation-service.ts'

const InstallationsQuery = z.strictObject({
  partyId: ownPartyFilter,
  appId: appIdFilter,
  status: statusFilter,
  ...PageQuery,
})

const PATH = '/v1/Account/Installations'
const tags = ['Accounts']

/** How users install apps for their accounts, see what they have, and leave. */
export async function accountInstallationRoutes(app: App) {
  app.post(
    PATH,
    {
      schema: {
        operationId: 'installApp',
        tags,
        summary: 'Install an app',
        description:
          'Accept everything that the app asks by the hash of its text; `GET ' +
          '/v1/Apps/{appId}` shows the texts. The answer names all problems at once. Only an ' +
          'admin of the account installs. 409 ' +
          '`conflict` when the app has another version than the one that is named, and while the ' +
          'operator keeps the account from installing the app again.',
        body: InstallationRequest,
        response: { 201: AccountInstallation },
        answerHeaders: ['ETag', 'Location'],
        problems: [
          'admin_required',
          'not_found',
          'already_installed',
          'acknowledgement_changed',
          'conflict',
        ],
      },
    },
    async (request, reply) => {
      const { appId, partyId, version, purchaseOptionId, userSettings } = request.body
      const id = await installForUser(app.deps, userActor(request), {
        appId,
        partyId,
        version,
        purchaseOptionId,
        userSettings,
        ...consentOf(request.body),
      })
      const { userId } = userOf(request)
      const { installation, revision } = await readAccountInstallation(app.deps, userId, id)
      setRevision(reply, revision)
      reply.code(201).header('location', `${PATH}/${id}`)
      return installation
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'listAccountInstallations',
        tags,
        summary: 'List what is installed for your accounts',
        description:
          'Installations of all accounts that the user may act for, without passwords and admin settings.',
        querystring: InstallationsQuery,
        response: { 200: z.array(AccountInstallation) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      const { limit: _limit, cursor: _cursor, ...filters } = request.query
      return answerPage(request, reply, ['account installations', userId], (page) =>
        listAccountInstallations(app.deps, userId, filters, page),
      )
    },
  )

  app.get(
    `${PATH}/:installationId`,
    {
      schema: {
        operationId: 'readAccountInstallation',
        tags,
        summary: 'Read one installation of your accounts',
        description:
          'The installation without passwords and admin settings. Its `ETag` guards a change against changes of somebody else.',
        params: InstallationPath,
        response: { 200: AccountInstallation },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      const { installation, revision } = await readAccountInstallation(
        app.deps,
        userId,
        request.params.installationId,
      )
      setRevision(reply, revision)
      return installation
    },
  )

  app.delete(
    `${PATH}/:installationId`,
    {
      schema: {
        operationId: 'uninstallApp',
        tags,
        summary: 'Uninstall an app',
        description:
          'Final: its tokens are refused from the next request on, and its stored passwords ' +
          'are erased. Installing again makes a new installation; after a suspension by the ' +
          'operator that is possible once the operator resumes it. Every later change of an ' +
          'uninstalled installation gets `conflict`.',
        params: InstallationPath,
        response: { 204: z.null() },
        problems: ['admin_required', 'conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      const { installationId } = request.params
      const expected = expectedRevisions(request)
      const where = await ofAdmin(app.deps.db, userId, installationId)
      await uninstall(app.deps, { installationId, where, actor, expectedRevisions: expected })
      return reply.code(204).send(null)
    },
  )
}
