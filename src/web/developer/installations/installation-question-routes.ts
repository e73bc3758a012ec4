import type { FastifyRequest } from 'fastify'
import { parseInput } from '../../../base/values/field-errors.ts'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { revokeInstallationTokens } from '../../../identity/tokens/revoke-service.ts'
import {
  InstallationPath,
  InstallationSuspension,
} from '../../../marketplace/installations/installation.ts'
import {
  suspendInstallation,
  uninstall,
} from '../../../marketplace/installations/lifecycle-service.ts'
import { patchSettings } from '../../../marketplace/installations/settings/settings-service.ts'
import { type FormSpec, refusedControls } from '../../kit/fields.ts'
import { settingsFields } from '../../kit/settings-fields.ts'
import { formPage } from '../../requests/form-page.ts'
import { changeRefusal, revisionOf } from '../../shared/forms/change-problems.ts'
import { settingsAgain } from '../../shared/forms/entered-settings.ts'
import {
  type FormFields,
  multilineText,
  settingsInput,
  settingsSetBy,
} from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { OWN_INSTALLATION_NOTICES } from '../console-frame.ts'
import { backTo, OWN_REASON } from './installation-frame.ts'
import { readInstallationPage } from './installation-page-service.ts'
import type { OwnInstallation } from './installation-shown.ts'

const PATH = '/Developer/Installations/:installationId'
const PLACE = { console: 'developer', section: 'installations' } as const
const SECRET_FORM = { formKind: 'secret' } as const

type Question = {
  title: string
  button: string
  notice: 'suspended' | 'tokens' | 'uninstalled'
  fields?: FormSpec
  recentFactor?: boolean
  consequences: (own: OwnInstallation) => readonly (Html | string)[]
  act(
    subject: ReturnType<typeof subjectOf>,
    typed: FormFields,
    request: FastifyRequest,
  ): Promise<unknown>
}

const subjectOf = (request: FastifyRequest, installationId: string) => {
  const { developerId, actor } = developerActor(request)
  return { installationId, where: { developerId }, actor }
}

/** What a developer does with an installation after a last word, and its admin settings. */
export async function installationQuestionRoutes(app: App) {
  const { deps } = app
  const read = (request: FastifyRequest, id: string) =>
    readInstallationPage(deps, developerOf(request).developerId, id)
  /** Reads an installation that can be changed. */
  const readLive = async (request: FastifyRequest, id: string) => {
    const own = await read(request, id)
    if (own.installation.status === 'uninstalled') throw new AppError('not_found')
    return own
  }
  const done = (own: OwnInstallation, what: keyof typeof OWN_INSTALLATION_NOTICES) => {
    const { href, label } = backTo(own)
    return { path: href, text: OWN_INSTALLATION_NOTICES[what](label) }
  }

  const question = (name: string, asked: Question) => {
    const { title, button, notice, fields = {}, recentFactor = false, consequences, act } = asked
    formPage(app, {
      path: `${PATH}/${name}`,
      params: InstallationPath,
      place: PLACE,
      fields,
      config: { recentFactor },
      refused: ['conflict', 'unprocessable'],
      async page(request, _, _reply, { installationId }) {
        const own = await readLive(request, installationId)
        const back = backTo(own)
        const shown = { title, about: back.label, back, button, kind: 'danger' } as const
        return { ...shown, consequences: consequences(own) }
      },
      async submit(request, typed, { installationId }) {
        // A second click on Uninstall finds it done.
        const own = await (name === 'Uninstall' ? read : readLive)(request, installationId)
        await act(subjectOf(request, installationId), typed, request)
        return done(own, notice)
      },
    })
  }

  question('Suspend', {
    title: 'Suspend the installation',
    button: 'Suspend',
    notice: 'suspended',
    recentFactor: true,
    consequences: ({ installation }) => [
      'Its tokens are refused immediately, and no new ones are issued.',
      html`Users of <bdi>${installation.partyName}</bdi> cannot open the app. They see the reason.`,
      'No data is lost. You can resume it at any time.',
    ],
    fields: {
      reason: OWN_REASON,
    },
    act(subject, typed) {
      const given = { reason: multilineText(typed, 'reason') }
      return suspendInstallation(deps, subject, parseInput(InstallationSuspension, given).reason)
    },
  })

  question('Tokens', {
    title: 'Revoke all tokens',
    button: 'Revoke all tokens',
    notice: 'tokens',
    consequences: () => [
      'All tokens of this installation are refused immediately.',
      'Your program has to request a new token, and users have to open the app again.',
    ],
    act: ({ installationId }, _, request) =>
      revokeInstallationTokens(deps, developerActor(request), installationId),
  })

  question('Uninstall', {
    title: 'Uninstall',
    button: 'Uninstall',
    notice: 'uninstalled',
    consequences({ installation: { appName, partyName }, suspensions }) {
      const isBarred = suspensions.some(
        ({ what, by }) => what === 'installation' && by === 'operator',
      )
      const again = isBarred ? 'only when the operator allows it' : 'as a new installation'
      return [
        html`<bdi>${appName}</bdi> loses access to the data of <bdi>${partyName}</bdi> immediately.`,
        'The passwords in its settings are erased.',
        `You cannot undo this. The account can install the app again ${again}.`,
      ]
    },
    act: (subject) => ignoring('conflict', uninstall(deps, subject)),
  })

  formPage(app, {
    path: `${PATH}/Settings`,
    params: InstallationPath,
    place: PLACE,
    config: SECRET_FORM,
    bodyLimit: BODY_LIMIT_BYTES,
    refused: ['unprocessable', 'precondition_failed', 'conflict', 'installation_suspended'],
    async page(request, typed, _reply, { installationId }) {
      const own = await readLive(request, installationId)
      const { profile, stored, revision } = own
      const back = backTo(own)
      const shown = { title: 'Admin settings', about: back.label, back }
      const lead = 'The account cannot see or change these settings.'
      if (settingsSetBy('admin', profile).length === 0) {
        const above = html`<div class="card"><p>This purchase option has no admin settings.</p></div>`
        return { ...shown, lead, above }
      }
      // What somebody else has changed is shown, and what was typed beside it.
      const isSent = typed.has('revision')
      const isOutdated = isSent && revisionOf(typed) !== revision
      const kept = isOutdated ? { entered: typed } : isSent ? { typed } : {}
      const again = settingsAgain(profile, stored.admin, kept, 'admin')
      return {
        ...shown,
        lead,
        above: again.notice,
        hidden: { revision: String(revision) },
        controls: ({ problems }) => html`<div class="stack">
${settingsFields({ profile, stored: stored.admin, typed: again.typed, problems, side: 'admin' })}</div>
`,
        button: 'Save admin settings',
      }
    },
    async submit(request, typed, { installationId }) {
      const own = await readLive(request, installationId)
      const { profile, stored } = own
      const options = { stored: stored.admin, side: 'admin', isEdit: true } as const
      try {
        await patchSettings(deps, {
          ...subjectOf(request, installationId),
          scope: 'admin',
          patch: settingsInput(profile, typed, options),
          expectedRevisions: [revisionOf(typed)],
        })
      } catch (error) {
        const { problems } = changeRefusal(error, profile, '')
        throw refusedControls(problems, (error as AppError).code)
      }
      return done(own, 'settings')
    },
  })
}
