import type { FormAgain } from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { type FormProblem, problemSummary, problemsOn } from '../shared/forms/form-problems.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { settingsFields } from '../shared/forms/settings-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  page,
  partyBadge,
  tile,
  type UserShell,
} from '../shared/page/html-page.ts'
import { suspensionNotices } from '../shared/status/suspension-notices.ts'
import type { InstalledView, Reinstall } from './installation-shown.ts'

export type ChangePageInput = UserShell & {
  installed: InstalledView
  problems: readonly FormProblem[]
  /** What somebody else has done since the form was opened. */
  meanwhile?: Html | undefined
}

/** The frame of a page that changes an installation: whose it is, the problems, the way back. */
export function changePage(input: ChangePageInput, title: string, content: Html): HtmlPage {
  const { user, csrfToken, assetVersion, installed, meanwhile } = input
  const problems = problemsOn(content, input.problems)
  const { installation } = installed
  const body = html`<p>
<a href="/Installed/${installation.id}">← <bdi>${installation.appName}</bdi></a></p>
<div class="listing-head">${tile(installation.appName)}<div class="listing-title"><h1>${title}</h1>
<p class="row-note"><bdi>${installation.appName}</bdi> for <bdi>${installation.partyName}</bdi> ${partyBadge(installation.partyType)}
</p></div></div>
${problemSummary(problems)}${meanwhile}
${content}`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: `${title}: ${installation.appName}`,
    hasProblems: problems.length > 0,
    section: 'installed',
    layout: 'form',
    body,
  })
}

/** Instead of a form that could only be refused: what is suspended, by whom, and why. */
export function suspendedChange({ installed }: ChangePageInput): Html {
  return html`${suspensionNotices(installed.suspensions)}<p class="actions">
<a class="button" href="/Installed/${installed.installation.id}">Back</a></p>`
}

/**
 * The beginning of a form that changes an installation; it names what it was made of. A form that
 * comes back is still the one that was made then.
 */
export function changeFields({
  csrfToken,
  installed,
  typed,
}: ChangePageInput & Pick<FormAgain, 'typed'>): Html {
  return html`${csrfField(csrfToken)}
<input type="hidden" name="revision" value="${typed?.get('revision') ?? installed.revision}">
<input type="hidden" name="seen" value="${typed?.get('seen') ?? installed.newestEventId}">`
}

/** The end of such a form. */
export function changeActions(
  { installed }: ChangePageInput,
  label: string,
  kind: 'primary' | 'danger' = 'primary',
): Html {
  return html`<p class="actions"><button class="button ${kind} large" type="submit">${label}</button>
<a class="button large" href="/Installed/${installed.installation.id}">Cancel</a></p>`
}

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

/** Says what an uninstall does, and asks for a last word. */
export function uninstallPage(input: ChangePageInput): HtmlPage {
  const { installation, reinstall } = input.installed
  return changePage(
    input,
    'Uninstall',
    html`<form class="card" method="post" action="/Installed/${installation.id}/Uninstall">
${changeFields(input)}
<h2>What happens</h2>
<ul class="bullets">
<li><bdi>${installation.appName}</bdi> loses access to the data of <bdi>${installation.partyName}</bdi> immediately.
</li>
<li>Passwords in its settings are erased.</li>
<li>Data the app has already copied is not deleted. Contact its developer.</li>
<li>${whatThen(reinstall)}</li></ul>
${changeActions(input, 'Uninstall', 'danger')}</form>`,
  )
}

function whatThen({ isPossible, bar }: Reinstall): string {
  if (bar !== null) {
    return 'You cannot undo this. You can install the app again only when the operator allows it.'
  }
  return isPossible
    ? 'You cannot undo this. You can install the app again, with its latest version and at its current price.'
    : 'You cannot undo this, and at the moment you cannot install the app again.'
}
