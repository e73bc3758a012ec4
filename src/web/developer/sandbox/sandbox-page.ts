import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../../marketplace/apps/settings/definitions.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { rateText } from '../../shared/app-parts/amounts.ts'
import { optionRadio } from '../../shared/forms/option-radio.ts'
import { type FormFields, userSettingsOf } from '../../shared/forms/settings-form.ts'
import { settingsFields } from '../../shared/forms/settings-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { formActions, ownAppPath, ownInstallationPath } from '../console-frame.ts'

type SandboxInput = Visit & {
  app: AppRecord
  /** The installation that is there already. */
  installationId: string | undefined
}

/** First step: which purchase option. */
export function sandboxChoicePage(input: SandboxInput): HtmlPage {
  const path = ownAppPath(input.app.id)
  return sandboxPage(
    input,
    html`<form class="card" method="get" action="${path}/Sandbox">
<fieldset class="stack"><legend>Purchase option</legend><ul class="choices">
${input.app.purchaseOptions.map(choice)}
</ul></fieldset>
${formActions('Continue', path, 'primary')}</form>`,
  )
}

function choice(option: AppRecord['purchaseOptions'][number], index: number): Html {
  const shown = { ...option, description: option.description ?? '' }
  return optionRadio(shown, rateText(option as PurchaseOption), index === 0)
}

type SandboxFormInput = SandboxInput & {
  option: { id: string; name: string }
  profile: SettingsProfile
  typed?: FormFields | undefined
}

/** Second step: the settings of the option, as a user would fill them in. */
export function sandboxFormPage(input: SandboxFormInput): HtmlPage {
  const { app, option, profile, typed, problems = [], csrfToken } = input
  const path = ownAppPath(app.id)
  return sandboxPage(
    input,
    html`<form class="card" method="post" action="${path}/Sandbox">
${csrfField(csrfToken)}
<input type="hidden" name="purchaseOptionId" value="${option.id}">
<h2>Settings of <bdi>${option.name}</bdi></h2>
${
  userSettingsOf(profile).length === 0
    ? html`<p class="muted">This purchase option has no settings.</p>
`
    : html`<p class="muted">Required fields left blank get sample values.</p><div class="stack">
${settingsFields({ profile, typed, problems })}</div>`
}
${formActions('Install in the sandbox', path, 'primary')}</form>`,
  )
}

function sandboxPage(input: SandboxInput, content: Html): HtmlPage {
  const { app, installationId } = input
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Install ${app.name} in the sandbox`,
    layout: 'form',
    back: { href: ownAppPath(app.id), label: app.name },
    heading: html`Install <bdi>${app.name}</bdi> in the sandbox`,
    lead: html`Installs version <bdi>${app.version}</bdi> in your sandbox account, which has sample products. Nobody else sees it.`,
    content: html`${
      installationId !== undefined &&
      html`<div class="notice warning"><p>This app is already in your sandbox. A new installation replaces
<a href="${ownInstallationPath(installationId)}">the current one</a>, whose tokens then stop working.
</p></div>`
    }
${content}`,
  })
}
