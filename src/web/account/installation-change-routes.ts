import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, ERROR_CODES } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendPage } from '../../http/send-page.ts'
import { timesInHour } from '../../identity/audit/audit-record.ts'
import { profileOf, type SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import { InstallationPath } from '../../marketplace/installations/installation.ts'
import { changeOption, previewOption } from '../../marketplace/installations/option-service.ts'
import { patchSettings } from '../../marketplace/installations/settings/settings-service.ts'
import { ofAdmin } from '../../marketplace/installations/stored-installation-service.ts'
import {
  previewUpgrade,
  upgradeInstallation,
} from '../../marketplace/installations/upgrade-service.ts'
import { nextStep, readAttempt, redirectDone, refuse } from '../requests/kept-forms.ts'
import { visitorActor, visitorOf, visitorShell } from '../requests/visitor.ts'
import { readDefinitionNames } from '../shared/app-parts/definition-names-service.ts'
import {
  changedSettings,
  changeRefusal,
  type FormAgain,
  formAgain,
  isConflict,
  revisionOf,
  seenEventId,
} from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import {
  consentFormProblems,
  consentOfForm,
  type FormProblem,
} from '../shared/forms/form-problems.ts'
import { Fields, type FormFields, settingsInput } from '../shared/forms/settings-form.ts'
import type { Html } from '../shared/page/html.ts'
import { meanwhileNotice, namesForUser } from '../shared/status/history-view.ts'
import { INSTALLATION_NOTICES } from '../shared/status/installation-notices.ts'
import { settingsPage } from './change-page.ts'
import { readHistory, readInstalled, readLatest } from './installation-pages-service.ts'
import type { InstalledView } from './installation-shown.ts'
import { keptSettings, optionChoicePage, optionPage, optionSuspendedPage } from './option-page.ts'
import { upgradePage } from './upgrade-page.ts'

const PATH = '/Installed/:installationId'

const getSchema = { hide: true, params: InstallationPath, querystring: Fields }
const postOptions = {
  config: { actsOnce: true, formKind: 'secret' },
  bodyLimit: BODY_LIMIT_BYTES,
  schema: { hide: true, params: InstallationPath, body: Fields },
} as const

type OnInstallation = FastifyRequest<{ Params: { installationId: string } }>

/** What came of a form: nothing yet, or problems and what was typed. */
type ChangeAttempt = FormAgain & { problems: readonly FormProblem[]; meanwhile?: Html | undefined }
/** The part of the history that the message about a conflict looks at. */
const NEWEST_EVENTS = { after: undefined, limit: 20 }

/** Tells whoever comes too late that the app is uninstalled, and leads to what is left of it. */
function goneMeanwhile({ installation: { id, appName } }: InstalledView, request: FastifyRequest) {
  const isSent = request.method === 'POST'
  return new AppError('not_found', {
    detail: isSent ? 'Nothing was saved.' : 'It has no settings, option or version to change.',
    page: {
      title: `${appName} was uninstalled`,
      ways: [{ href: `/Installed/${id}`, label: 'View its history' }],
      isFault: false,
    },
  })
}

/** Changes of an installation: its settings, its purchase option, its version. */
export async function installationChangePageRoutes(app: App) {
  const { deps } = app
  const read = async (request: FastifyRequest, id: string) => {
    const { id: userId } = visitorOf(request)
    const where = await ofAdmin(deps.db, userId, id)
    const installed = await readInstalled(deps, userId, id)
    if (installed.installation.status === 'uninstalled') throw goneMeanwhile(installed, request)
    return { installed, where }
  }

  /** Answers a change that was made with the page of its installation, which says so. */
  const done = (
    request: OnInstallation,
    reply: FastifyReply,
    { installation: { id, appName } }: InstalledView,
    what: keyof typeof INSTALLATION_NOTICES,
  ) => {
    const text = INSTALLATION_NOTICES[what](appName)
    return redirectDone(request, reply, `/Installed/${id}`, text)
  }

  app.get(`${PATH}/Settings`, { schema: getSchema }, async (request, reply) => {
    const { installed } = await read(request, request.params.installationId)
    const attempt = await attemptOf(request, reply, installed.profile)
    return sendPage(reply, settingsPage({ ...visitorShell(request, reply), installed, ...attempt }))
  })

  app.post(`${PATH}/Settings`, postOptions, async (request, reply) => {
    const { installationId } = request.params
    const { actor } = visitorActor(request)
    const { installed, where } = await read(request, installationId)
    const { profile, stored } = installed
    try {
      await patchSettings(deps, {
        installationId,
        where,
        scope: 'user',
        patch: settingsInput(profile, request.body, { stored, isEdit: true }),
        expectedRevisions: [revisionOf(request.body)],
        actor,
      })
    } catch (error) {
      return refuse(request, reply, changeRefusal(error, profile, ''))
    }
    return done(request, reply, installed, 'settings')
  })

  app.get(`${PATH}/Option`, { schema: getSchema }, async (request, reply) => {
    const { installationId: id } = request.params
    const { installed, where } = await read(request, id)
    const shell = visitorShell(request, reply)
    const attempt = await attemptOf(request, reply, installed.profile)
    if (installed.suspensions.length > 0) {
      return sendPage(reply, optionSuspendedPage({ ...shell, installed, problems: [] }))
    }
    const wanted = (request.kept?.typed ?? request.query).get('purchaseOptionId')
    const target = installed.options.find(({ option }) => option.id === wanted)
    if (target === undefined || target.option.id === installed.option.id) {
      return sendPage(reply, optionChoicePage({ ...shell, installed, ...attempt }))
    }
    const change = await previewOption(deps, id, where, target.option.id)
    return sendPage(reply, optionPage({ ...shell, installed, change, target, ...attempt }))
  })

  app.post(`${PATH}/Option`, postOptions, async (request, reply) => {
    const { installationId } = request.params
    const { actor } = visitorActor(request)
    const { installed, where } = await read(request, installationId)
    const { stored, options } = installed
    const purchaseOptionId = request.body.get('purchaseOptionId') ?? ''
    const target = options.find(({ option }) => option.id === purchaseOptionId)
    if (target === undefined) {
      const text = 'Choose one of the purchase options below.'
      return refuse(request, reply, { problems: [{ field: undefined, text }] })
    }
    const { settings } = await previewOption(deps, installationId, where, purchaseOptionId)
    try {
      await changeOption(deps, {
        installationId,
        where,
        purchaseOptionId,
        userSettings: settingsInput(target.profile, request.body, {
          stored: keptSettings(stored, settings.kept),
        }),
        expectedRevisions: [revisionOf(request.body)],
        actor,
      })
    } catch (error) {
      return refuse(request, reply, changeRefusal(error, target.profile, '/userSettings'))
    }
    return done(request, reply, installed, 'option')
  })

  app.get(`${PATH}/Upgrade`, { schema: getSchema }, async (request, reply) => {
    const { installationId: id } = request.params
    const { installed, where } = await read(request, id)
    const fields = request.kept?.typed ?? request.query
    const upgrade = await previewUpgrade(deps, id, where, fields.get('purchaseOptionId'))
    const again = await attemptOf(request, reply, installed.profile)
    const hasForm = installed.suspensions.length === 0 && !upgrade.upToDate
    const attempt = hasForm ? again : { problems: [], meanwhile: again.meanwhile }
    const { options, settings } = await readLatest(deps, installed.installation.appId)
    const profile = profileOf(settings, upgrade.purchaseOptionId)
    const shell = visitorShell(request, reply)
    return sendPage(
      reply,
      upgradePage({ ...shell, installed, upgrade, options, profile, ...attempt }),
    )
  })

  app.post(`${PATH}/Upgrade`, postOptions, async (request, reply) => {
    const { installationId } = request.params
    const { body } = request
    const { actor } = visitorActor(request)
    const { installed, where } = await read(request, installationId)
    const { installation, stored } = installed
    const wanted = body.get('purchaseOptionId')
    const upgrade = await previewUpgrade(deps, installationId, where, wanted)
    if (upgrade.upToDate) return upgradedAlready(request, reply, installed)
    const { settings } = await readLatest(deps, installation.appId)
    const profile = profileOf(settings, upgrade.purchaseOptionId)
    try {
      await upgradeInstallation(deps, {
        installationId,
        where,
        version: body.get('version') ?? '',
        purchaseOptionId: wanted,
        userSettings: settingsInput(profile, body, {
          stored: keptSettings(stored, upgrade.settings.kept),
        }),
        consent: consentOfForm(upgrade, body),
        expectedRevisions: [revisionOf(body)],
        actor,
      })
    } catch (error) {
      const { status, problems } = changeRefusal(error, profile, '/userSettings')
      if (isConflict(status)) {
        const { installed: now } = await read(request, installationId)
        const { upToDate } = await previewUpgrade(deps, installationId, where, wanted)
        if (upToDate) return upgradedAlready(request, reply, now)
      }
      const all = [...problems, ...consentFormProblems(upgrade, body)]
      return refuse(request, reply, { problems: all, status })
    }
    return done(request, reply, installed, 'upgraded')
  })

  /** Answers an upgrade that was made in another tab: settings that were typed are still to be saved. */
  function upgradedAlready(
    request: FastifyRequest<{ Body: FormFields }>,
    reply: FastifyReply,
    { installation: { id, appName }, profile, stored }: InstalledView,
  ) {
    const { body: entered } = request
    if (settingsAgain(profile, stored, { entered }).notice === false) {
      return redirectDone(request, reply, `/Installed/${id}`, `${appName} was upgraded already.`)
    }
    const text = `${appName} was upgraded meanwhile. Your settings are not saved yet: check them, then save.`
    return nextStep(request, reply, {
      path: `/Installed/${id}/Settings`,
      fields: entered,
      problems: [{ field: undefined, text }],
      status: ERROR_CODES.precondition_failed.status,
    })
  }

  /** What a page shows again; after a conflict, with what has changed meanwhile. */
  async function attemptOf(
    request: OnInstallation,
    reply: FastifyReply,
    profile: SettingsProfile,
  ): Promise<ChangeAttempt> {
    const again = readAttempt(request, reply)
    if (again === undefined) return { problems: [] }
    const { typed, problems, status } = again
    const attempt = { problems, ...formAgain(again) }
    if (!isConflict(status)) return attempt
    const { id } = visitorOf(request)
    const { installationId } = request.params
    const { entries } = await readHistory(deps, id, installationId, NEWEST_EVENTS)
    const newer = entries.filter((entry) => entry.id > seenEventId(typed))
    const since = newer.filter((entry) => timesInHour(entry) === undefined)
    const names = await readDefinitionNames(deps, installationId, profile, since)
    return {
      ...attempt,
      changed: newer.length < NEWEST_EVENTS.limit ? changedSettings(since) : undefined,
      meanwhile: meanwhileNotice(since, namesForUser(id, names)),
    }
  }
}
