import type { FastifyReply, FastifyRequest } from 'fastify'
import { listOwnApps } from '../apps/read-service.ts'
import { listDeveloperAudit } from '../audit/read-service.ts'
import { AppError, unless } from '../errors.ts'
import { describeIssue } from '../field-errors.ts'
import { developerActor } from '../http/actor.ts'
import type { App } from '../http/app-type.ts'
import { developerOf } from '../http/audience.ts'
import { BODY_LIMIT_BYTES } from '../http/json-body.ts'
import { loadPage } from '../http/list-answer.ts'
import { sendPage } from '../http/pages.ts'
import { visitorShell } from '../http/visitor.ts'
import {
  INSTALLATION_STATUSES,
  InstallationPath,
  InstallationSuspension,
  PARTY_TYPES,
} from '../installations/installation.ts'
import {
  resumeInstallation,
  suspendInstallation,
  uninstall,
} from '../installations/lifecycle-service.ts'
import { listInstallations } from '../installations/list-service.ts'
import { patchSettings } from '../installations/settings-service.ts'
import { withSuspensions } from '../installations/suspension-causes-service.ts'
import { revokeInstallationTokens } from '../tokens/revoke-service.ts'
import { changeProblems, type FormAgain, formAgain, revisionOf } from './change-problems.ts'
import { consoleMessage, ownInstallationPath } from './console-frame.ts'
import type { FormProblem } from './form-problems.ts'
import {
  adminSettingsPage,
  type OwnInstallationInput,
  ownInstallationPage,
  revokeTokensPage,
  suspendPage,
  uninstallOwnPage,
} from './own-installation-page.ts'
import { readOwnInstallation } from './own-installation-service.ts'
import { ownInstallationsPage } from './own-installations-page.ts'
import { Fields, type FormFields, settingsInput } from './settings-form.ts'

const PATH = '/Developer/Installations/:installationId'
const A_PAGE = 50
const EVENTS_A_PAGE = 20
const APPS_MAX = 200

const getSchema = { hide: true, params: InstallationPath, querystring: Fields }
const postSchema = { hide: true, params: InstallationPath, body: Fields }

type OnInstallation = FastifyRequest<{ Params: { installationId: string } }>

/** The installations of a developer's apps, and what the developer does with each. */
export async function ownInstallationPageRoutes(
  app: App,
  { assetVersion }: { assetVersion: string },
) {
  const { deps } = app
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...visitorShell(request, reply),
    assetVersion,
  })
  const read = (request: OnInstallation) =>
    readOwnInstallation(
      deps,
      developerOf(request as FastifyRequest).developerId,
      request.params.installationId,
    )
  /** Of one that can be changed. */
  const readLive = async (request: OnInstallation) => {
    const own = await read(request)
    if (own.installation.status === 'uninstalled') throw new AppError('not_found')
    return own
  }
  const subjectOf = (request: OnInstallation) => {
    const { developerId, actor } = developerActor(request as FastifyRequest)
    return { installationId: request.params.installationId, where: { developerId }, actor }
  }
  const done = (request: OnInstallation, reply: FastifyReply, what: string) =>
    reply.redirect(`${ownInstallationPath(request.params.installationId)}?done=${what}`, 303)

  app.get(
    '/Developer/Installations',
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const filters = filtersOf(request.query)
      const [{ entries, isContinued, cursor }, apps] = await Promise.all([
        loadPage(
          deps.cursorKey,
          ['console installations', developerId, filters],
          { cursor: request.query.get('cursor') || undefined, limit: A_PAGE },
          (page) => listInstallations(deps, developerId, filters, page, 'omit'),
        ),
        listOwnApps(deps, developerId, { after: undefined, limit: APPS_MAX }),
      ])
      return sendPage(
        reply,
        ownInstallationsPage({
          ...shellOf(request, reply),
          filters,
          apps: apps.entries,
          installations: await withSuspensions(deps, entries),
          isContinued,
          cursor,
        }),
      )
    },
  )

  app.get(PATH, { schema: getSchema }, async (request, reply) => {
    const message = consoleMessage(request.query.get('done'))
    const cursor = request.query.get('cursor') || undefined
    return sendInstallation(request, reply, { own: await read(request), message, cursor })
  })

  app.get(`${PATH}/Settings`, { schema: getSchema }, (request, reply) =>
    sendSettings(request, reply),
  )

  app.post(
    `${PATH}/Settings`,
    { bodyLimit: BODY_LIMIT_BYTES, schema: postSchema },
    async (request, reply) => {
      const { profile, stored } = await readLive(request)
      try {
        await patchSettings(deps, {
          ...subjectOf(request),
          scope: 'admin',
          patch: settingsInput(profile, request.body, {
            stored: stored.admin,
            side: 'admin',
            isEdit: true,
          }),
          expectedRevision: revisionOf(request.body),
        })
      } catch (error) {
        const problems = changeProblems(error, profile, '')
        reply.code((error as AppError).status)
        return sendSettings(request, reply, problems, formAgain(error, request.body))
      }
      return done(request, reply, 'settings')
    },
  )

  app.get(`${PATH}/Suspend`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, (input) => suspendPage({ ...input, reason: '' })),
  )

  app.post(`${PATH}/Suspend`, { schema: postSchema }, async (request, reply) => {
    await readLive(request)
    const reason = (request.body.get('reason') ?? '').replaceAll('\r\n', '\n')
    const parsed = InstallationSuspension.safeParse({ reason }, { error: describeIssue })
    if (!parsed.success) {
      reply.code(422)
      const problems = [{ field: 'reason', text: `The reason ${parsed.error.issues[0]?.message}.` }]
      return sendLive(request, reply, (input) => suspendPage({ ...input, problems, reason }))
    }
    try {
      await suspendInstallation(deps, subjectOf(request), parsed.data.reason)
    } catch (error) {
      return sendConflict(request, reply, error)
    }
    return done(request, reply, 'suspended')
  })

  // Where a sign-in leads back to that interrupted it.
  app.get(`${PATH}/Resume`, { schema: getSchema }, async (request, reply) =>
    reply.redirect(ownInstallationPath(request.params.installationId), 303),
  )

  app.post(`${PATH}/Resume`, { schema: postSchema }, async (request, reply) => {
    try {
      await resumeInstallation(deps, subjectOf(request))
    } catch (error) {
      return sendConflict(request, reply, error)
    }
    return done(request, reply, 'resumed')
  })

  app.get(`${PATH}/Tokens`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, revokeTokensPage),
  )

  app.post(`${PATH}/Tokens`, { schema: postSchema }, async (request, reply) => {
    const { installation } = await readLive(request)
    await revokeInstallationTokens(deps, developerActor(request), installation.id)
    return done(request, reply, 'tokens')
  })

  app.get(`${PATH}/Uninstall`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, uninstallOwnPage),
  )

  app.post(`${PATH}/Uninstall`, { schema: postSchema }, async (request, reply) => {
    await read(request)
    // A second click finds it done.
    await unless('conflict', uninstall(deps, subjectOf(request)))
    return done(request, reply, 'uninstalled')
  })

  async function sendLive(
    request: OnInstallation,
    reply: FastifyReply,
    pageOf: (input: OwnInstallationInput) => string,
  ) {
    const own = await readLive(request)
    return sendPage(reply, pageOf({ ...shellOf(request as FastifyRequest, reply), own }))
  }

  function sendSettings(
    request: OnInstallation,
    reply: FastifyReply,
    problems: readonly FormProblem[] = [],
    again: FormAgain = {},
  ) {
    return sendLive(request, reply, (input) => adminSettingsPage({ ...input, problems, ...again }))
  }

  /** Such as a resume of what the operator has suspended. */
  async function sendConflict(request: OnInstallation, reply: FastifyReply, error: unknown) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    reply.code(error.status)
    const problems = [{ field: undefined, text: error.message }]
    return sendInstallation(request, reply, { own: await readLive(request), problems })
  }

  async function sendInstallation(
    request: OnInstallation,
    reply: FastifyReply,
    {
      cursor,
      ...shown
    }: Pick<OwnInstallationInput, 'own' | 'message' | 'problems'> & { cursor?: string | undefined },
  ) {
    const { developerId } = developerOf(request as FastifyRequest)
    const subject = { subjectKind: 'installation', subjectId: shown.own.installation.id }
    const history = await loadPage(
      deps.cursorKey,
      ['console history', developerId, subject],
      { cursor, limit: EVENTS_A_PAGE },
      (page) => listDeveloperAudit(deps, developerId, subject, page),
    )
    const shell = shellOf(request as FastifyRequest, reply)
    return sendPage(reply, ownInstallationPage({ ...shell, ...shown, history }))
  }
}

/** The filters of an address; what makes no sense in them is passed over. */
function filtersOf(fields: FormFields) {
  const known = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === fields.get(name))
  return {
    appId: fields.get('appId')?.slice(0, 64) || undefined,
    partyType: known(PARTY_TYPES, 'partyType'),
    status: known(INSTALLATION_STATUSES, 'status'),
  }
}
