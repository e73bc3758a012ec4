import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppPath, appIdFilter } from '../../base/values/app-path.ts'
import { PartyType } from '../../base/values/party-type.ts'
import { MomentText, positiveInteger } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { sendJson, sendRecord } from '../../http/bodies/send-json.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { expectedRevisions, setRevision } from '../../http/revision-etag.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { Quote, QuoteQuery } from '../apps/pricing/quotes.ts'
import { listInstallationTexts, quoteInstallation } from './developer-installations-service.ts'
import {
  AdminSettingsPatch,
  Installation,
  InstallationPath,
  InstallationSuspension,
  statusFilter,
} from './installation.ts'
import { readInstallationJson } from './installation-json-service.ts'
import { resumeInstallation, suspendInstallation, uninstall } from './lifecycle-service.ts'
import { installInSandbox } from './sandbox-service.ts'
import { patchSettings } from './settings/settings-service.ts'
import { installationRecordOf } from './stored-installation-service.ts'

const PATH = '/v1/Developer/Installations/:installationId'
const tags = ['Installations']

const SecretsQuery = {
  secrets: z
    .literal('omit')
    .optional()
    .describe('`omit` leaves passwords out of the settings.')
    .meta({ parameter: 'Secrets' }),
}

const InstallationsQuery = z.strictObject({
  appId: appIdFilter,
  partyId: positiveInteger().optional().describe('Only of this party.').meta({ example: 17 }),
  partyType: PartyType.optional().describe('Only of parties of this type.'),
  status: statusFilter,
  updatedSince: MomentText.optional()
    .describe('Only what changed at or after this time; then uninstalled ones come as well.')
    .meta({ example: '2026-11-21T09:30:00.000Z' }),
  ...SecretsQuery,
  ...PageQuery,
})

const SandboxRequest = z
  .strictObject({
    purchaseOptionId: z.string().optional().describe('Default: the first option.'),
    userSettings: z.record(z.string(), z.unknown()).optional(),
  })
  .nullish()
  .meta({
    id: 'SandboxRequest',
    description: 'How an app is installed in the sandbox of its developer.',
    example: { purchaseOptionId: 'premium' },
  })

/** What a developer does with the installations of its apps. */
export async function developerInstallationRoutes(app: App) {
  // Answers hold passwords in clear, so no cache on the way may keep them.
  app.addHook('onRequest', async function forbidStoring(_request, reply) {
    reply.header('cache-control', 'no-store')
  })

  app.get(
    '/v1/Developer/Installations',
    {
      schema: {
        operationId: 'listInstallations',
        tags,
        summary: 'List the installations of your apps',
        description:
          'Oldest first. Passwords among the settings come in clear, unless `secrets=omit`: treat the answer as a secret.',
        querystring: InstallationsQuery,
        response: { 200: z.array(Installation) },
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { secrets, limit: _limit, cursor: _cursor, ...filters } = request.query
      const entries = await answerPage(request, reply, ['installations', developerId], (page) =>
        listInstallationTexts(app.deps, developerId, filters, page, secrets ?? 'show'),
      )
      return sendJson(reply, `[${entries.join(',')}]`)
    },
  )

  app.get(
    `${PATH}`,
    {
      schema: {
        operationId: 'readInstallation',
        tags,
        summary: 'Read one installation',
        description: 'Uninstalled ones included.',
        params: InstallationPath,
        querystring: z.strictObject(SecretsQuery),
        response: { 200: Installation },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { record, revision } = await readInstallationJson(
        app.deps,
        request.params.installationId,
        developerId,
        request.query.secrets ?? 'show',
      )
      setRevision(reply, revision)
      return sendRecord(reply, record)
    },
  )

  app.get(
    `${PATH}/Quote`,
    {
      schema: {
        operationId: 'quoteInstallation',
        tags,
        summary: 'Quote what an installation costs now',
        description: 'Without `records` it counts the products that the party has now.',
        params: InstallationPath,
        querystring: QuoteQuery,
        response: { 200: Quote },
      },
    },
    (request) =>
      quoteInstallation(
        app.deps,
        developerOf(request).developerId,
        request.params.installationId,
        request.query.records,
      ),
  )

  app.patch(
    `${PATH}/AdminSettings`,
    {
      schema: {
        operationId: 'changeAdminSettings',
        tags,
        summary: 'Change the admin settings of an installation',
        description:
          'A merge patch of the admin settings. `If-Match` with the ETag of the installation ' +
          'keeps you from overwriting the change of somebody else.',
        params: InstallationPath,
        body: AdminSettingsPatch,
        response: { 200: Installation },
        answerHeaders: ['ETag'],
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { row } = await patchSettings(app.deps, {
        installationId: request.params.installationId,
        where: { developerId },
        scope: 'admin',
        patch: request.body,
        expectedRevisions: expectedRevisions(request),
        actor,
      })
      setRevision(reply, row.revision)
      return installationRecordOf(app.deps, row, 'show')
    },
  )

  app.post(
    `${PATH}/Suspend`,
    {
      schema: {
        operationId: 'suspendInstallation',
        tags,
        summary: 'Suspend an installation',
        description:
          'Its tokens are refused from the next request on. When you resume it, tokens that have not expired work again.',
        params: InstallationPath,
        body: InstallationSuspension,
        response: { 200: Installation },
        answerHeaders: ['ETag'],
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const stored = await suspendInstallation(app.deps, ownSubject(request), request.body.reason)
      setRevision(reply, stored.row.revision)
      return installationRecordOf(app.deps, stored.row, 'show')
    },
  )

  app.post(
    `${PATH}/Resume`,
    {
      schema: {
        operationId: 'resumeInstallation',
        tags,
        summary: 'Resume a suspended installation',
        description: 'Only the operator can resume what the operator has suspended.',
        params: InstallationPath,
        response: { 200: Installation },
        answerHeaders: ['ETag'],
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const stored = await resumeInstallation(app.deps, ownSubject(request))
      setRevision(reply, stored.row.revision)
      return installationRecordOf(app.deps, stored.row, 'show')
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        operationId: 'uninstallAppAsDeveloper',
        tags,
        summary: 'Uninstall',
        description:
          'Final: its tokens are refused and its stored passwords are erased. Every later ' +
          'change gets `conflict`. After a suspension by the operator the account can ' +
          'install the app again only when the operator resumes the installation.',
        params: InstallationPath,
        response: { 204: z.null() },
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      await uninstall(app.deps, ownSubject(request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/Developer/Apps/:appId/Sandbox',
    {
      schema: {
        operationId: 'installAppInSandbox',
        tags,
        summary: 'Install your app in your sandbox',
        description:
          'Works whether the app is listed or not, and replaces an earlier installation in ' +
          'the sandbox. Without a body it takes the first purchase option. Mandatory ' +
          'settings that are left out get sample values.',
        params: AppPath,
        body: SandboxRequest,
        response: { 201: Installation },
        answerHeaders: ['ETag', 'Location'],
        problems: ['already_installed', 'conflict'],
      },
    },
    async (request, reply) => {
      const author = developerActor(request)
      const { appId } = request.params
      const id = await installInSandbox(app.deps, author, appId, request.body ?? {})
      const { developerId } = author
      const { record, revision } = await readInstallationJson(app.deps, id, developerId, 'show')
      setRevision(reply, revision)
      reply.code(201).header('location', `/v1/Developer/Installations/${id}`)
      return sendRecord(reply, record)
    },
  )
}

function ownSubject(request: FastifyRequest<{ Params: z.infer<typeof InstallationPath> }>) {
  const { developerId, actor } = developerActor(request)
  return {
    installationId: request.params.installationId,
    where: { developerId },
    actor,
    expectedRevisions: expectedRevisions(request),
  }
}
