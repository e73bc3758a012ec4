import type { FastifyRequest } from 'fastify'
import { AppPath } from '../../../base/values/app-path.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { type AppRecord, definedSettings } from '../../../marketplace/apps/app-record.ts'
import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import { profileOf } from '../../../marketplace/apps/settings/definitions.ts'
import { listInstallations } from '../../../marketplace/installations/developer-installations-service.ts'
import { installInSandbox } from '../../../marketplace/installations/sandbox-service.ts'
import { refusedControls } from '../../kit/fields.ts'
import { settingsFields } from '../../kit/settings-fields.ts'
import { formPage } from '../../requests/form-page.ts'
import { rateText } from '../../shared/app-parts/amounts.ts'
import { settingProblems } from '../../shared/forms/form-problems.ts'
import { optionRadio } from '../../shared/forms/option-radio.ts'
import { type FormFields, settingsInput, userSettingsOf } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { APP_NOTICES, ownAppPath, ownInstallationPath } from '../console-frame.ts'

/** What was typed into a form with passwords is kept sealed when it is refused. */
const SECRET_FORM = { formKind: 'secret' } as const

/** A developer installs an app in the own sandbox: chooses an option, and fills in its settings. */
export async function sandboxRoutes(app: App) {
  const { deps } = app
  const read = async (request: FastifyRequest, appId: string) =>
    (await readOwnApp(deps, developerOf(request).developerId, appId)).app

  formPage(app, {
    path: '/Developer/Apps/:appId/Sandbox',
    params: AppPath,
    place: { console: 'developer', section: 'own-apps' },
    config: SECRET_FORM,
    bodyLimit: BODY_LIMIT_BYTES,
    refused: ['unprocessable'],
    async page(request, typed, _reply, { appId }) {
      const own = await read(request, appId)
      const path = ownAppPath(own.id)
      const { entries } = await listInstallations(
        deps,
        developerOf(request).developerId,
        { appId: own.id, partyType: 'None' },
        { after: undefined, limit: 1 },
      )
      const shown = {
        title: `Install ${own.name} in the sandbox`,
        heading: html`Install <bdi>${own.name}</bdi> in the sandbox`,
        lead: html`Installs version <bdi>${own.version}</bdi> in your sandbox account, which has sample products. Nobody else sees it.`,
        back: { href: path, label: own.name },
      }
      const replaced = entries[0] && replacement(ownInstallationPath(entries[0].id))
      const option = chosen(own, typed)
      if (option === undefined) return { ...shown, above: html`${replaced}${optionForm(own)}` }
      const profile = profileOf(definedSettings(own), option.id)
      return {
        ...shown,
        above: replaced ?? false,
        hidden: { purchaseOptionId: option.id },
        intro: html`<h2>Settings of <bdi>${option.name}</bdi></h2>
<p class="muted">${
          userSettingsOf(profile).length === 0
            ? 'This purchase option has no settings.'
            : 'Required fields left blank get sample values.'
        }</p>
`,
        controls: (
          attempt,
        ) => html`<div class="stack">${settingsFields({ profile, ...attempt })}</div>
`,
        button: 'Install in the sandbox',
      }
    },
    async submit(request, typed, { appId }) {
      const own = await read(request, appId)
      const option = chosen(own, typed)
      if (option === undefined) {
        throw new AppError('unprocessable', { detail: 'Choose a purchase option.' })
      }
      const profile = profileOf(definedSettings(own), option.id)
      const given = Object.entries(settingsInput(profile, typed))
      const input = {
        purchaseOptionId: option.id,
        // What is left out gets a sample value.
        userSettings: Object.fromEntries(given.filter(([, value]) => value !== '')),
      }
      try {
        const id = await installInSandbox(deps, developerActor(request), own.id, input)
        return { path: ownInstallationPath(id), text: APP_NOTICES.sandbox(own.name) }
      } catch (error) {
        const errors = (error instanceof AppError && error.options.errors) || []
        const problems = settingProblems(profile, errors, '/userSettings')
        throw problems.length > 0 ? refusedControls(problems) : error
      }
    },
  })
}

function replacement(path: string): Html {
  return html`<div class="notice warning"><p>This app is already in your sandbox. A new installation replaces
<a href="${path}">the current one</a>, whose tokens then stop working.</p></div>
`
}

function optionForm({ id, purchaseOptions }: AppRecord): Html {
  const path = ownAppPath(id)
  const options = purchaseOptions.map((option, index) => {
    const shown = { ...option, description: option.description ?? '' }
    return optionRadio(shown, rateText(option as PurchaseOption), index === 0)
  })
  return html`<form class="card" method="get" action="${path}/Sandbox">
<fieldset class="stack"><legend>Purchase option</legend>
<ul class="choices">${options}</ul></fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button>
<a class="button" href="${path}">Cancel</a></p></form>
`
}

/** The option that an address or a form names; the only one goes without saying. */
function chosen({ purchaseOptions }: AppRecord, fields: FormFields) {
  const wanted = fields.get('purchaseOptionId')
  if (wanted === undefined && purchaseOptions.length === 1) return purchaseOptions[0]
  return purchaseOptions.find(({ id }) => id === wanted)
}
