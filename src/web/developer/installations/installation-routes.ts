import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeIssue } from '../../../base/values/field-errors.ts'
import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { revokeInstallationTokens } from '../../../identity/tokens/revoke-service.ts'
import { listInstallations } from '../../../marketplace/installations/developer-installations-service.ts'
import {
  INSTALLATION_STATUSES,
  InstallationPath,
  InstallationSuspension,
} from '../../../marketplace/installations/installation.ts'
import {
  resumeInstallation,
  suspendInstallation,
  uninstall,
} from '../../../marketplace/installations/lifecycle-service.ts'
import { patchSettings } from '../../../marketplace/installations/settings/settings-service.ts'
import { withSuspensions } from '../../../marketplace/installations/suspension-causes-service.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { loadShown, readConsoleHistory } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { readDefinitionNames } from '../../shared/app-parts/definition-names-service.ts'
import { changeRefusal, formAgain, revisionOf } from '../../shared/forms/change-problems.ts'
import { filterReader } from '../../shared/forms/filter-reading.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import {
  Fields,
  type FormFields,
  multilineText,
  settingsInput,
} from '../../shared/forms/settings-form.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { appChoices } from '../app-choices-service.ts'
import { OWN_INSTALLATION_NOTICES, ownInstallationPath } from '../console-frame.ts'
import {
  adminSettingsPage,
  revokeTokensPage,
  suspendInstallationPage,
  uninstallOwnPage,
} from './change-pages.ts'
import type { OwnInstallationInput } from './installation-frame.ts'
import { ownInstallationPage } from './installation-page.ts'
import { readInstallationPage } from './installation-page-service.ts'
import type { OwnInstallation } from './installation-shown.ts'
import { ownInstallationsPage } from './installations-page.ts'

const PATH = '/Developer/Installations/:installationId'
const PAGE_SIZE = 50
const EVENTS_PAGE_SIZE = 20

const getSchema = { hide: true, params: InstallationPath, querystring: Fields }
const postSchema = { hide: true, params: InstallationPath, body: Fields }
const SECRET_FORM = { actsOnce: true, formKind: 'secret' } as const

type Params = { installationId: string }
type OnInstallation = FastifyRequest<{ Params: Params }>
type OnInstallationPage = FastifyRequest<{ Params: Params; Querystring: FormFields }>

/** The installations of a developer's apps, and what the developer does with each. */
export async function ownInstallationPageRoutes(app: App) {
  const { deps } = app
  const read = (request: OnInstallation) =>
    readInstallationPage(deps, developerOf(request).developerId, request.params.installationId)
  /** Reads an installation that can be changed. */
  const readLive = async (request: OnInstallation) => {
    const own = await read(request)
    if (own.installation.status === 'uninstalled') throw new AppError('not_found')
    return own
  }
  const subjectOf = (request: OnInstallation) => {
    const { developerId, actor } = developerActor(request)
    return { installationId: request.params.installationId, where: { developerId }, actor }
  }
  /** Answers a change that was made with the page of its installation, which says so. */
  const done = (
    request: OnInstallation,
    reply: FastifyReply,
    { installation: { id, appName, partyName } }: OwnInstallation,
    what: keyof typeof OWN_INSTALLATION_NOTICES,
  ) => {
    const text = OWN_INSTALLATION_NOTICES[what](`${appName} for ${partyName}`)
    return redirectDone(request, reply, ownInstallationPath(id), text)
  }

  app.get(
    '/Developer/Installations',
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const chosen = request.query.get('appId')?.trim() || undefined
      const choices = await appChoices(deps, developerId, chosen)
      const { problems, ...filters } = filtersOf(request.query, choices.isOwn)
      const typed = request.query
      const shell = { ...visitorShell(request, reply), filters, typed, choices, problems }
      if (problems.length > 0) {
        reply.code(422)
        const nothing = { installations: [], isContinued: false, cursor: undefined }
        return sendPage(reply, ownInstallationsPage({ ...shell, ...nothing }))
      }
      const { entries, isContinued, cursor } = await loadShown(
        request,
        ['console installations', developerId, filters],
        PAGE_SIZE,
        (page) => listInstallations(deps, developerId, filters, page),
      )
      return sendPage(
        reply,
        ownInstallationsPage({
          ...shell,
          installations: await withSuspensions(deps, entries),
          isContinued,
          cursor,
        }),
      )
    },
  )

  app.get(PATH, { schema: getSchema }, async (request, reply) => {
    const message = takeNotice(request, reply)?.text
    return sendInstallation(request, reply, { own: await read(request), message })
  })

  app.get(`${PATH}/Settings`, { schema: getSchema }, async (request, reply) => {
    const again = readAttempt(request, reply)
    const shown = again && formAgain(again)
    return sendLive(request, reply, (input) => adminSettingsPage({ ...input, ...shown }))
  })

  app.post(
    `${PATH}/Settings`,
    { bodyLimit: BODY_LIMIT_BYTES, config: SECRET_FORM, schema: postSchema },
    async (request, reply) => {
      const own = await readLive(request)
      const { profile, stored } = own
      try {
        await patchSettings(deps, {
          ...subjectOf(request),
          scope: 'admin',
          patch: settingsInput(profile, request.body, {
            stored: stored.admin,
            side: 'admin',
            isEdit: true,
          }),
          expectedRevisions: [revisionOf(request.body)],
        })
      } catch (error) {
        return refuse(request, reply, changeRefusal(error, profile, ''))
      }
      return done(request, reply, own, 'settings')
    },
  )

  app.get(`${PATH}/Suspend`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, (input) => {
      const reason = request.kept?.typed.get('reason') ?? ''
      return suspendInstallationPage({ ...input, reason })
    }),
  )

  const withFactor = { config: { recentFactor: true }, schema: postSchema }
  app.post(`${PATH}/Suspend`, withFactor, async (request, reply) => {
    const own = await readLive(request)
    const reason = multilineText(request.body, 'reason')
    const parsed = InstallationSuspension.safeParse({ reason }, { error: describeIssue })
    if (!parsed.success) {
      const text = `The reason ${parsed.error.issues[0]?.message}.`
      return refuse(request, reply, { problems: [{ field: 'reason', text }] })
    }
    try {
      await suspendInstallation(deps, subjectOf(request), parsed.data.reason)
    } catch (error) {
      return refuse(request, reply, refusalOf(error, ['conflict']))
    }
    return done(request, reply, own, 'suspended')
  })

  // A sign-in that interrupted the form leads back here, and the form's problems are shown here.
  app.get(`${PATH}/Resume`, { schema: getSchema }, async (request, reply) => {
    const again = readAttempt(request, reply)
    if (again === undefined) {
      return reply.redirect(ownInstallationPath(request.params.installationId), 303)
    }
    return sendInstallation(request, reply, {
      own: await read(request),
      problems: again.problems,
    })
  })

  app.post(`${PATH}/Resume`, { schema: postSchema }, async (request, reply) => {
    const own = await read(request)
    try {
      await resumeInstallation(deps, subjectOf(request))
    } catch (error) {
      return refuse(request, reply, refusalOf(error, ['conflict']))
    }
    return done(request, reply, own, 'resumed')
  })

  app.get(`${PATH}/Tokens`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, revokeTokensPage),
  )

  app.post(`${PATH}/Tokens`, { schema: postSchema }, async (request, reply) => {
    const own = await readLive(request)
    await revokeInstallationTokens(deps, developerActor(request), own.installation.id)
    return done(request, reply, own, 'tokens')
  })

  app.get(`${PATH}/Uninstall`, { schema: getSchema }, async (request, reply) =>
    sendLive(request, reply, uninstallOwnPage),
  )

  app.post(`${PATH}/Uninstall`, { schema: postSchema }, async (request, reply) => {
    const own = await read(request)
    // A second click finds it done.
    await ignoring('conflict', uninstall(deps, subjectOf(request)))
    return done(request, reply, own, 'uninstalled')
  })

  async function sendLive(
    request: OnInstallation,
    reply: FastifyReply,
    pageOf: (input: OwnInstallationInput) => HtmlPage,
  ) {
    const own = await readLive(request)
    const { problems = [] } = readAttempt(request, reply) ?? {}
    return sendPage(reply, pageOf({ ...visitorShell(request, reply), problems, own }))
  }

  async function sendInstallation(
    request: OnInstallationPage,
    reply: FastifyReply,
    shown: Pick<OwnInstallationInput, 'own' | 'message' | 'problems'>,
  ) {
    const { installation, profile } = shown.own
    const subject = { subjectKind: 'installation', subjectId: installation.id } as const
    const { history, people } = await readConsoleHistory(request, subject, EVENTS_PAGE_SIZE)
    const names = await readDefinitionNames(deps, installation.id, profile, history.entries)
    const shell = visitorShell(request, reply)
    return sendPage(reply, ownInstallationPage({ ...shell, ...shown, history, names, people }))
  }
}

const LABELS = { appId: 'App', partyType: 'Installed by', status: 'Status' }

/** The filters of an address, and what cannot be read of them. */
function filtersOf(fields: FormFields, isOwn: boolean) {
  const reader = filterReader(fields, LABELS)
  const appId = reader.text('appId')
  const isKnown = appId === undefined || isOwn
  return {
    appId: isKnown ? appId : reader.refuse('appId', 'You have no app with this id.'),
    partyType: reader.oneOf('partyType', PARTY_TYPES),
    status: reader.oneOf('status', INSTALLATION_STATUSES),
    problems: reader.problems,
  }
}
