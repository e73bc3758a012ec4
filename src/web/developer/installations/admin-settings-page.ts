import type { FormAgain } from '../../shared/forms/change-problems.ts'
import { settingsAgain } from '../../shared/forms/entered-settings.ts'
import { settingsSetBy } from '../../shared/forms/settings-form.ts'
import { settingsFields } from '../../shared/forms/settings-view.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { developerPage, formActions } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** The admin settings of an installation, to be edited. */
export function adminSettingsPage(input: OwnInstallationInput & FormAgain): HtmlPage {
  const { own, problems = [], csrfToken } = input
  const { profile, stored, revision } = own
  const back = backTo(own)
  const { typed, notice } = settingsAgain(profile, stored.admin, input, 'admin')
  return developerPage(input, {
    title: 'Admin settings',
    about: back.label,
    section: 'installations',
    layout: 'form',
    back,
    head: html`<div class="page-head"><h1>Admin settings</h1><p class="lead">
The account cannot see or change these settings.</p></div>`,
    content:
      settingsSetBy('admin', profile).length === 0
        ? html`<div class="card"><p>This purchase option has no admin settings.</p></div>`
        : html`${notice}<form class="card" method="post" action="${back.href}/Settings">
${csrfField(csrfToken)}
<input type="hidden" name="revision" value="${input.typed?.get('revision') ?? revision}">
<div class="stack">${settingsFields({ profile, stored: stored.admin, typed, problems, side: 'admin' })}</div>
${formActions('Save admin settings', back.href, 'primary')}</form>`,
  })
}
