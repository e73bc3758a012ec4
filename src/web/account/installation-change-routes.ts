import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, ERROR_CODES, ignoring } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { timesInHour } from '../../identity/audit/audit-record.ts'
import { profileOf, type SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import { InstallationPath } from '../../marketplace/installations/installation.ts'
import { uninstall } from '../../marketplace/installations/lifecycle-service.ts'
import { changeOption, previewOption } from '../../marketplace/installations/option-service.ts'
import { patchSettings } from '../../marketplace/installations/settings/settings-service.ts'
import { ofAdmin } from '../../marketplace/installations/stored-installation-service.ts'
import {
  previewUpgrade,
  upgradeInstallation,
} from '../../marketplace/installations/upgrade-service.ts'
import { settingsFields } from '../kit/settings-fields.ts'
import { nextStep } from '../requests/answers.ts'
import { formPage, type RefusedForm } from '../requests/form-page.ts'
import { visitorActor, visitorOf } from '../requests/visitor.ts'
import { readDefinitionNames } from '../shared/app-parts/definition-names-service.ts'
import { readTermsText } from '../shared/app-parts/terms-text-service.ts'
import {
  changedSettings,
  changeRefusal,
  formAgain,
  isConflict,
  revisionOf,
  seenEventId,
} from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { consentFormProblems, consentOfForm } from '../shared/forms/form-problems.ts'
import { type FormFields, settingsInput, userSettingsOf } from '../shared/forms/settings-form.ts'
import { html } from '../shared/page/html.ts'
import { meanwhileNotice, namesForUser } from '../shared/status/history-view.ts'
import { INSTALLATION_NOTICES } from '../shared/status/installation-notices.ts'
import {
  type ChangeAttempt,
  changeBarred,
  changeHead,
  changeHidden,
  keptSettings,
  uninstallConsequences,
} from './change-page.ts'
import { readHistory, readInstalled, readLatest } from './installation-pages-service.ts'
import type { InstalledView } from './installation-shown.ts'
import { optionChoice, optionForm } from './option-page.ts'
import { upgradeForm, upgradeStep } from './upgrade-page.ts'

const PATH = '/Installed/:installationId'

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

  const common = {
    params: InstallationPath,
    place: { console: 'account', section: 'installed' },
    bodyLimit: BODY_LIMIT_BYTES,
    refused: [],
  } as const
  /** No page shows the passwords among the settings again. */
  const settings = { ...common, config: { formKind: 'secret' } } as const

  /** The page of an installation says of a change that it was made. */
  const done = (
    { installation: { id, appName } }: InstalledView,
    what: keyof typeof INSTALLATION_NOTICES,
  ) => ({ path: `/Installed/${id}`, text: INSTALLATION_NOTICES[what](appName) })

  formPage(app, {
    ...settings,
    path: `${PATH}/Settings`,
    async page(request, _typed, _reply, { installationId }, again) {
      const { installed } = await read(request, installationId)
      const { profile, stored } = installed
      const head = changeHead(installed, 'Settings')
      if (userSettingsOf(profile).length === 0) {
        return {
          ...head,
          above: changeBarred(installed, html`This purchase option has no settings.`),
        }
      }
      const attempt = await attemptOf(request, installationId, profile, again)
      const { typed, notice } = settingsAgain(profile, stored, attempt)
      const { problems, meanwhile } = attempt
      return {
        ...head,
        above: html`${meanwhile}${notice}`,
        hidden: changeHidden(installed, attempt),
        controls: () => settingsFields({ profile, stored, typed, problems }),
        button: 'Save settings',
      }
    },
    async submit(request, typed, { installationId }) {
      const { actor } = visitorActor(request)
      const { installed, where } = await read(request, installationId)
      const { profile, stored } = installed
      return patchSettings(deps, {
        installationId,
        where,
        scope: 'user',
        patch: settingsInput(profile, typed, { stored, isEdit: true }),
        expectedRevisions: [revisionOf(typed)],
        actor,
      }).then(
        () => done(installed, 'settings'),
        (error: unknown) => changeRefusal(error, profile, ''),
      )
    },
  })

  formPage(app, {
    ...settings,
    path: `${PATH}/Option`,
    async page(request, typed, _reply, { installationId }, again) {
      const { installed, where } = await read(request, installationId)
      const head = changeHead(installed, 'Purchase option')
      if (installed.suspensions.length > 0) {
        return { ...head, isPast: true, above: changeBarred(installed) }
      }
      const attempt = await attemptOf(request, installationId, installed.profile, again)
      const wanted = typed.get('purchaseOptionId')
      const target = installed.options.find(({ option }) => option.id === wanted)
      if (target === undefined || target.option.id === installed.option.id) {
        return { ...head, above: html`${attempt.meanwhile}${optionChoice(installed)}` }
      }
      const change = await previewOption(deps, installationId, where, target.option.id)
      const form = optionForm(installed, target, change, attempt)
      return {
        ...head,
        above: html`${attempt.meanwhile}${form.above}`,
        hidden: { ...changeHidden(installed, attempt), purchaseOptionId: target.option.id },
        controls: () => form.inside,
        holdsCards: true,
        button: 'Change purchase option',
      }
    },
    async submit(request, typed, { installationId }) {
      const { actor } = visitorActor(request)
      const { installed, where } = await read(request, installationId)
      const purchaseOptionId = typed.get('purchaseOptionId') ?? ''
      const target = installed.options.find(({ option }) => option.id === purchaseOptionId)
      if (target === undefined) {
        const text = 'Choose one of the purchase options below.'
        return { problems: [{ field: undefined, text }], status: 422 }
      }
      const { settings } = await previewOption(deps, installationId, where, purchaseOptionId)
      const stored = keptSettings(installed.stored, settings.kept)
      return changeOption(deps, {
        installationId,
        where,
        purchaseOptionId,
        userSettings: settingsInput(target.profile, typed, { stored }),
        expectedRevisions: [revisionOf(typed)],
        actor,
      }).then(
        () => done(installed, 'option'),
        (error: unknown) => changeRefusal(error, target.profile, '/userSettings'),
      )
    },
  })

  formPage(app, {
    ...settings,
    path: `${PATH}/Upgrade`,
    async page(request, typed, _reply, { installationId }, again) {
      const { installed, where } = await read(request, installationId)
      const wanted = typed.get('purchaseOptionId')
      const upgrade = await previewUpgrade(deps, installationId, where, wanted)
      const attempt = await attemptOf(request, installationId, installed.profile, again)
      const { appId } = installed.installation
      const { options, settings } = await readLatest(deps, appId)
      const profile = profileOf(settings, upgrade.purchaseOptionId)
      const isPast = installed.suspensions.length > 0 || upgrade.upToDate
      const termsText = await readTermsText(deps, appId, upgrade.termsDocument)
      const shown = { installed, upgrade, options, profile, termsText }
      const { to, upToDate, offered, purchaseOptionId } = upgrade
      const head = changeHead(installed, upToDate || !offered ? 'Upgrade' : `Upgrade to ${to}`)
      const step = upgradeStep(shown)
      if (step !== undefined) return { ...head, isPast, above: html`${attempt.meanwhile}${step}` }
      const form = upgradeForm(shown, attempt)
      return {
        ...head,
        above: html`${attempt.meanwhile}${form.above}`,
        hidden: { ...changeHidden(installed, attempt), version: to, purchaseOptionId },
        controls: () => form.inside,
        holdsCards: true,
        button: 'Accept and upgrade',
      }
    },
    async submit(request, typed, { installationId }, reply) {
      const { actor } = visitorActor(request)
      const { installed, where } = await read(request, installationId)
      const wanted = typed.get('purchaseOptionId')
      const upgrade = await previewUpgrade(deps, installationId, where, wanted)
      if (upgrade.upToDate) return upgradedAlready(request, reply, installed)
      const { settings } = await readLatest(deps, installed.installation.appId)
      const profile = profileOf(settings, upgrade.purchaseOptionId)
      const stored = keptSettings(installed.stored, upgrade.settings.kept)
      try {
        await upgradeInstallation(deps, {
          installationId,
          where,
          version: typed.get('version') ?? '',
          purchaseOptionId: wanted,
          userSettings: settingsInput(profile, typed, { stored }),
          consent: consentOfForm(upgrade, typed),
          expectedRevisions: [revisionOf(typed)],
          actor,
        })
      } catch (error) {
        const { status, problems } = changeRefusal(error, profile, '/userSettings')
        if (isConflict(status)) {
          const { installed: now } = await read(request, installationId)
          const { upToDate } = await previewUpgrade(deps, installationId, where, wanted)
          if (upToDate) return upgradedAlready(request, reply, now)
        }
        return { problems: [...problems, ...consentFormProblems(upgrade, typed)], status }
      }
      return done(installed, 'upgraded')
    },
  })

  /** Answers an upgrade that was made in another tab: settings that were typed are still to be saved. */
  async function upgradedAlready(
    request: FastifyRequest<{ Body: FormFields }>,
    reply: FastifyReply,
    { installation: { id, appName }, profile, stored }: InstalledView,
  ) {
    const { body: entered } = request
    if (settingsAgain(profile, stored, { entered }).notice === false) {
      return { path: `/Installed/${id}`, text: `${appName} was upgraded already.` }
    }
    const text = `${appName} was upgraded meanwhile. Your settings are not saved yet: check them, then save.`
    await nextStep(request, reply, {
      path: `/Installed/${id}/Settings`,
      fields: entered,
      problems: [{ field: undefined, text }],
      status: ERROR_CODES.precondition_failed.status,
    })
    return undefined
  }

  formPage(app, {
    ...common,
    path: `${PATH}/Uninstall`,
    async page(request, _typed, reply, { installationId }) {
      const { id: userId } = visitorOf(request)
      await ofAdmin(deps.db, userId, installationId)
      const installed = await readInstalled(deps, userId, installationId)
      if (installed.installation.status === 'uninstalled') {
        reply.redirect(`/Installed/${installationId}`, 303)
        return undefined
      }
      return {
        ...changeHead(installed, 'Uninstall'),
        consequences: uninstallConsequences(installed),
        button: 'Uninstall',
        kind: 'danger',
      }
    },
    async submit(request, _typed, { installationId }) {
      const { userId, actor } = visitorActor(request)
      const where = await ofAdmin(deps.db, userId, installationId)
      const { installation } = await readInstalled(deps, userId, installationId)
      // A second click finds it done, also when both come at once.
      await ignoring('conflict', uninstall(deps, { installationId, where, actor }))
      const text = INSTALLATION_NOTICES.uninstalled(installation.appName)
      return { path: '/Installed', text }
    },
  })

  /** What a page shows again; after a conflict, with what has changed meanwhile. */
  async function attemptOf(
    request: FastifyRequest,
    installationId: string,
    profile: SettingsProfile,
    again: RefusedForm | undefined,
  ): Promise<ChangeAttempt> {
    if (again === undefined) return { problems: [] }
    const { typed, problems, status } = again
    const attempt = { problems, ...formAgain(again) }
    if (!isConflict(status)) return attempt
    const { id } = visitorOf(request)
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
