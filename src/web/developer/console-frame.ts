import { type FormProblem, inPageOrder, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  page,
  type SiteSection,
  type UserShell,
} from '../shared/page/html-page.ts'
import { type Message, messageView } from '../shared/page/message-view.ts'

/** A page of the developer console: who is signed in, what went wrong, what has been done. */
export type ConsoleInput = UserShell & {
  problems?: readonly FormProblem[]
  /** What has just happened. */
  message?: Message | undefined
}

type Frame = {
  title: string
  /** Whose page it is, for the browser's title, where `title` does not name it. */
  about?: string
  section: SiteSection
  /** `form` for pages with one form, `wide` for the others. */
  layout?: 'form' | 'wide'
  /** The page that this one belongs to. */
  back?: { href: string; label: string }
  head: Html
  content: Html
  /** Files under `assets/` to be loaded after `style.css`. */
  stylesheets?: readonly string[]
  /** A file under `assets/` that adds comfort; the page works without it. */
  script?: string
}

/** The frame of every page of the developer console. */
export function developerPage(input: ConsoleInput, frame: Frame): HtmlPage {
  const { user, csrfToken, assetVersion, message } = input
  const { title, about, section, layout = 'wide', back, head, content } = frame
  const problems = inPageOrder(content, input.problems ?? [])
  const { stylesheets = [], script } = frame
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
    title: `${about === undefined ? title : `${title}: ${about}`} · Developer`,
    hasProblems: problems.length > 0,
    section,
    layout,
    stylesheets,
    script,
    body,
  })
}

/** The end of a form: what it does, and the way out. */
export function formActions(label: string, cancelHref: string, kind: 'primary' | 'danger'): Html {
  return html`<p class="actions">
<button class="button ${kind} large" type="submit">${label}</button> <a class="button large" href="${cancelHref}">Cancel</a>
</p>`
}

type Confirmation = Pick<Frame, 'title' | 'about' | 'section'> & {
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
export function confirmationPage(input: ConsoleInput, confirmation: Confirmation): HtmlPage {
  const { back, action, label, consequences, fields } = confirmation
  return developerPage(input, {
    ...confirmation,
    layout: 'form',
    head: html`<h1>${confirmation.title}</h1>`,
    content: html`<form class="card" method="post" action="${action}">
${csrfField(input.csrfToken)}
<h2>What happens</h2>
<ul class="bullets">${consequences.map((one) => html`<li>${one}</li>`)}</ul>
${fields}
${formActions(label, back.href, 'danger')}</form>`,
  })
}

/** What a page says after a change of an app, by its name. */
export const APP_NOTICES = {
  created: (app: string) =>
    `${app} was created. It is not listed yet: try it in your sandbox, then list it.`,
  saved: (app: string) => `The definition of ${app} was saved.`,
  published: (version: string, before: string, staying: number) => {
    const text = `Version ${version} is published.`
    if (staying === 0) return text
    const whose = staying === 1 ? '1 installation stays' : `${staying} installations stay`
    return `${text} ${whose} on ${before} until ${staying === 1 ? 'its account upgrades' : 'their accounts upgrade'}.`
  },
  listed: (app: string) => `${app} was listed: every account can find and install it.`,
  unlisted: (app: string) => `${app} was unlisted. Accounts that have installed it keep it.`,
  deleted: (app: string) => `${app} was deleted.`,
  deletedMeanwhile: (id: string) =>
    `The app ${id} was deleted, and its ID can never be reused. Your text is kept: change its ID to create a new app.`,
  terms: (app: string) => `The terms document of ${app} was saved.`,
  noTerms: (app: string) => `The terms document of ${app} was removed.`,
  sandbox: (app: string) => `${app} was installed in your sandbox.`,
} as const

/** What a page says after a change of an installation, by the names of its app and its account. */
export const OWN_INSTALLATION_NOTICES = {
  settings: (name: string) => `The admin settings of ${name} were saved.`,
  suspended: (name: string) => `${name} is suspended, effective immediately.`,
  resumed: (name: string) => `${name} was resumed, effective immediately.`,
  uninstalled: (name: string) => `${name} was uninstalled.`,
  tokens: (name: string) =>
    `All tokens of ${name} were revoked. Request a new one when you need it.`,
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
