import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import { appFace } from '../kit/avatar.ts'
import type { FormAgain } from '../shared/forms/change-problems.ts'
import type { ConsentQuestions, FormProblem } from '../shared/forms/form-problems.ts'
import { type StoredSettings, userSettingsOf } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { partyBadge } from '../shared/page/html-page.ts'
import { suspensionNotices } from '../shared/status/suspension-notices.ts'
import type { InstalledView, Reinstall } from './installation-shown.ts'

/** What came of a form: nothing yet, or problems and what was typed. */
export type ChangeAttempt = FormAgain & {
  problems: readonly FormProblem[]
  /** What somebody else has done since the form was opened. */
  meanwhile?: Html | undefined
}

/** The head of a page that changes an installation: what it changes, whose it is, the way back. */
export function changeHead({ installation, iconId }: InstalledView, title: string) {
  const { id, appId, appName, partyName, partyType } = installation
  return {
    title: `${title}: ${appName}`,
    back: { href: `/Installed/${id}`, label: appName },
    head: html`<div class="listing-head">${appFace(appId, iconId)}
<div class="listing-title">
<h1>${title}</h1>
<p class="row-note"><bdi>${appName}</bdi> for <bdi>${partyName}</bdi> ${partyBadge(partyType)}</p></div></div>`,
  }
}

/** Instead of a form that could only be refused: a sentence, or what is suspended, by whom, and why. */
export function changeBarred({ installation, suspensions }: InstalledView, why?: Html): Html {
  const back = html`<p class="actions"><a class="button" href="/Installed/${installation.id}">Back</a></p>`
  return why === undefined
    ? html`${suspensionNotices(suspensions)}${back}`
    : html`<div class="card"><p>${why}</p>${back}</div>`
}

/**
 * What a form that changes an installation was made of. A form that comes back is still the one that
 * was made then.
 */
export function changeHidden(installed: InstalledView, { typed }: FormAgain) {
  return {
    revision: typed?.get('revision') ?? String(installed.revision),
    seen: typed?.get('seen') ?? String(installed.newestEventId),
  }
}

/** What an uninstall does, a sentence each. */
export function uninstallConsequences({ installation, reinstall }: InstalledView) {
  return [
    html`<bdi>${installation.appName}</bdi> loses access to the data of <bdi>${installation.partyName}</bdi> immediately.`,
    'Passwords in its settings are erased.',
    'Data the app has already copied is not deleted. Contact its developer.',
    whatThen(reinstall),
  ]
}

function whatThen({ isPossible, bar }: Reinstall): string {
  if (bar !== null) {
    return 'You cannot undo this. You can install the app again only when the operator allows it.'
  }
  return isPossible
    ? 'You cannot undo this. You can install the app again, with its latest version and at its current price.'
    : 'You cannot undo this, and at the moment you cannot install the app again.'
}

/** The stored settings that stay. */
export function keptSettings(stored: StoredSettings, kept: readonly string[]): StoredSettings {
  return {
    values: new Map([...stored.values].filter(([key]) => kept.includes(key))),
    passwordsSet: new Set([...stored.passwordsSet].filter((key) => kept.includes(key))),
  }
}

/** Which settings would be lost, and which have to be given. */
export function transitionNotices(
  { dropped, needed }: { dropped: readonly string[]; needed: readonly string[] },
  { profile }: InstalledView,
  target: SettingsProfile,
): Html {
  const lost = namesOf(profile, dropped)
  const missing = namesOf(target, needed)
  return html`${
    lost.length > 0 &&
    html`<div class="notice warning"><p>These settings will be lost: ${lost}.
</p></div>`
  }
${missing.length > 0 && html`<div class="notice"><p>Please fill in: ${missing}</p></div>`}`
}

/** Names of settings; those that users do not set are the developer's business. */
function namesOf(profile: SettingsProfile, keys: readonly string[]): Html[] {
  return userSettingsOf(profile)
    .filter(([key]) => keys.includes(key))
    .map(([, { name }], index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)
}

/** Whether there is something to agree to. */
export function asksConsent({ acknowledgements, termsDocument }: ConsentQuestions): boolean {
  return acknowledgements.length > 0 || termsDocument !== null
}
