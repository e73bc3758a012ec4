import type { FormAgain } from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { settingsFields } from '../shared/forms/settings-view.ts'
import { html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import { type ChangePageInput, changeActions, changeFields, changePage } from './change-page.ts'

/** The settings of an installation, to be edited. */
export function settingsPage(input: ChangePageInput & FormAgain): HtmlPage {
  const { installed, problems } = input
  const { profile, stored, installation } = installed
  if (userSettingsOf(profile).length === 0) {
    const nothing = html`<div class="card"><p>This purchase option has no settings.</p></div>`
    return changePage(input, 'Settings', nothing)
  }
  const { typed, notice } = settingsAgain(profile, stored, input)
  return changePage(
    input,
    'Settings',
    html`${notice}<form class="card" method="post" action="/Installed/${installation.id}/Settings">
${changeFields(input)}
<div class="stack">${settingsFields({ profile, stored, typed, problems })}</div>
${changeActions(input, 'Save settings')}</form>`,
  )
}
