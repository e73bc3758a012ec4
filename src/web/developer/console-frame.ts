import { type FormProblem, problemSummary } from '../shared/form-problems.ts'
import { type Html, html } from '../shared/html.ts'
import { csrfField, page, type SiteSection, type UserShell } from '../shared/html-page.ts'
import { type Message, messageView } from '../shared/message-view.ts'

/** A page of the developer console: who is signed in, what went wrong, what has been done. */
export type ConsoleInput = UserShell & {
  problems?: readonly FormProblem[]
  /** What has just happened. */
  message?: Message | undefined
}

type Frame = {
  title: string
  section: SiteSection
  /** `form` for pages with one form, `wide` for the others. */
  layout?: 'form' | 'wide'
  /** The page that this one belongs to. */
  back?: { href: string; label: string }
  head: Html
  content: Html
}

/** The frame of every page of the developer console. */
export function developerPage(input: ConsoleInput, frame: Frame): string {
  const { user, csrfToken, assetVersion, problems = [], message } = input
  const { title, section, layout = 'wide', back, head, content } = frame
  const body = html`${back && html`<p><a href="${back.href}">← Back to <bdi>${back.label}</bdi></a></p>`}
${head}
${messageView(message)}
${problemSummary(problems)}
${content}`
  return page({
    user,
    csrfToken,
    assetVersion,
    area: 'developers',
    title: `${problems.length > 0 ? 'Error: ' : ''}${title}`,
    section,
    layout,
    body,
  })
}

/** The end of a form: what it does, and the way out. */
export function formActions(label: string, cancelHref: string, kind: 'primary' | 'danger'): Html {
  return html`<p class="actions"><button class="button ${kind} large" type="submit">${label}</button> <a class="button large" href="${cancelHref}">Cancel</a></p>`
}

type Confirmation = {
  title: string
  section: SiteSection
  back: { href: string; label: string }
  /** Where the form goes, and what its button says. */
  action: string
  label: string
  /** What happens then, a sentence each. */
  consequences: readonly Html[]
  /** Further fields of the form. */
  fields?: Html
}

/** Says what something does before it is done, and asks for a last word. */
export function confirmationPage(input: ConsoleInput, confirmation: Confirmation): string {
  const { title, section, back, action, label, consequences, fields } = confirmation
  return developerPage(input, {
    title,
    section,
    layout: 'form',
    back,
    head: html`<h1>${title}</h1>`,
    content: html`<form class="card" method="post" action="${action}">
${csrfField(input.csrfToken)}
<h2>What happens</h2>
<ul class="bullets">${consequences.map((one) => html`<li>${one}</li>`)}</ul>
${fields}
${formActions(label, back.href, 'danger')}
</form>`,
  })
}

/** What is said of what has just been done. */
export const CONSOLE_DONE = {
  created: 'The app is created. It is not listed yet: try it in your sandbox, then list it.',
  saved: 'The definition is saved.',
  listed: 'The app is listed: everybody can find and install it.',
  unlisted: 'The app is unlisted. Who has installed it keeps it.',
  deleted: 'The app is deleted.',
  terms: 'The terms document is saved.',
  noTerms: 'The terms document is taken away.',
  sandbox: 'The app is installed in your sandbox.',
  settings: 'The admin settings are saved.',
  suspended: 'The installation is suspended. Its tokens are refused from now on.',
  resumed: 'The installation is resumed.',
  uninstalled: 'The installation is uninstalled.',
  tokens: 'All tokens of the installation are revoked. Ask for a new one when you need it.',
  removed: 'The credential is removed. Its tokens and sessions have ended.',
} as const

/** The address of a developer's own app in the console. */
export function ownAppPath(appId: string): string {
  return `/Developer/Apps/${encodeURIComponent(appId)}`
}

/** The address of an installation in the console. */
export function ownInstallationPath(installationId: string): string {
  return `/Developer/Installations/${installationId}`
}

/** What needs attention of an app, at a glance. */
export function appBadges({ listed, suspended }: { listed: boolean; suspended: boolean }): Html {
  // Nobody finds a suspended app, whether it is listed or not.
  if (suspended) return html`<span class="badge badge-suspended">Suspended by the operator</span>`
  return html`<span class="badge ${listed ? 'badge-on' : ''}">${listed ? 'Listed' : 'Not listed'}</span>`
}
