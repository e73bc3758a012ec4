import { type FormProblem, inPageOrder, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  type HtmlPage,
  type PageShell,
  page,
  type SiteSection,
  type UserShell,
} from '../shared/page/html-page.ts'
import { type Message, messageTitle, messageView } from '../shared/page/message-view.ts'

/** The parts of the operator console, by the name in their address. */
export const OPERATOR_TABS = {
  Overview: '/Operator',
  Parties: '/Operator/Parties',
  Users: '/Operator/Users',
  Developers: '/Operator/Developers',
  Apps: '/Operator/Apps',
  Installations: '/Operator/Installations',
  'Audit trail': '/Operator/Audit',
} as const
export type OperatorTab = keyof typeof OPERATOR_TABS

/** The parts of an app in the developer console, with their addresses. */
const APP_TABS = {
  Overview: (id: string) => `/Developer/Apps/${id}`,
  Definition: (id: string) => `/Developer/Apps/${id}/Definition`,
  Listing: (id: string) => `/Developer/Apps/${id}/Listing`,
  Versions: (id: string) => `/Developer/Apps/${id}/Versions`,
  Webhooks: (id: string) => `/Developer/Apps/${id}/Webhooks`,
  Installations: (id: string) => `/Developer/Installations?appId=${id}`,
  Events: (id: string) => `/Developer/Events?appId=${id}`,
} as const
type AppTab = keyof typeof APP_TABS
/** The parts of the developer console; credentials are the owners'. */
const DEVELOPER_TABS = [
  { section: 'own-apps', href: '/Developer', label: 'Apps' },
  { section: 'installations', href: '/Developer/Installations', label: 'Installations' },
  { section: 'events', href: '/Developer/Events', label: 'Events' },
  { section: 'people', href: '/Developer/Members', label: 'Members' },
  { section: 'credentials', href: '/Developer/Credentials', label: 'Credentials' },
  { section: 'docs', href: '/docs', label: 'Docs' },
] as const

/** A page above another one. */
type Crumb = { href: string; label: string }

/** A page of a console, but for who is signed in. */
export type Shown = {
  title: string
  /** Whose page it is, for the browser's title, where `title` does not name it. */
  about?: string
  /** The heading, where it is more than the title's text. */
  heading?: Html
  /** Beside the heading, such as badges and buttons. */
  beside?: Html | false | undefined
  /** Under the heading. */
  lead?: Html | string | false | undefined
  /** Beside the whole page: the way to others of its kind. */
  aside?: Html
  /** In place of heading and lead, such as the head of a record. */
  head?: Html
  /** The page that this one belongs to; where more lie between it and the part of the console, all of them. */
  back?: Crumb | readonly Crumb[] | undefined
  /** Whether a control of the content takes the focus, in the place of its problems. */
  takesFocus?: boolean
  /** Whether the content says itself what is wrong, beside its text. */
  tellsProblems?: boolean
  /** `form` for pages with one form, `wide` for the others. */
  layout?: 'form' | 'wide'
  /** What search engines and links elsewhere say of the page. */
  sharing?: Html | false | undefined
  content: Html
}

/** What went wrong, and what has just happened. */
type Told = { problems?: readonly FormProblem[] | undefined; message?: Message | undefined }

/** Who is signed in, what went wrong, and what has just happened. */
export type Visit = UserShell & Told

/** Where a page stands: its console, and what is current in its navigation. */
export type Place =
  | { console: 'account' | 'marketplace'; section?: SiteSection }
  | { console: 'developer'; section: SiteSection; app?: { id: string; tab: AppTab } }
  | { console: 'operator'; tab: OperatorTab; asks?: boolean }

/** The frame of every page of a console: navigation, title, way back, what has happened, what is wrong. */
export function framePage(place: Place, visit: PageShell & Told, shown: Shown): HtmlPage {
  const { user, csrfToken, assetVersion, message } = visit
  const { title, about, back, takesFocus = false } = shown
  const isAsked = place.console !== 'operator' || !place.asks || mayChange(visit)
  const problems = isAsked ? inPageOrder(shown.content, visit.problems ?? []) : []
  const body = html`${breadcrumb(place, back)}
${shown.head ?? headOf(shown)}
${messageView(message, { takesFocus: problems.length === 0 && !takesFocus })}
${place.console === 'operator' && !mayChange(visit) && ONLY_LOOKS}
${!shown.tellsProblems && problemSummary(problems, { takesFocus: !takesFocus })}
${isAsked && shown.content}`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: titleOf(place, about === undefined ? title : `${title}: ${about}`),
    hasProblems: problems.length > 0,
    told: messageTitle(message),
    section: sectionOf(place),
    layout: shown.layout ?? (place.console === 'account' ? 'form' : 'wide'),
    nav: tabsOf(place, visit, back !== undefined),
    sharing: shown.sharing,
    body: shown.aside
      ? html`<div class="with-aside">${shown.aside}<div class="stack">${body}</div></div>`
      : body,
  })
}

const ONLY_LOOKS = html`<div class="notice"><p>You have the role support: you can look, and change nothing.</p></div>`

/** Whether forms and buttons of the operator console are shown: support only looks. */
export function mayChange({ user }: Pick<PageShell, 'user'>): boolean {
  return user?.operator === true
}

/** What a part of the operator console is called: the parties of the API are accounts to people. */
export function tabLabel(tab: OperatorTab): string {
  return tab === 'Parties' ? 'Accounts' : tab
}

function sectionOf(place: Place): SiteSection | undefined {
  if (place.console === 'operator') return 'operator'
  return place.console === 'account' ? (place.section ?? 'account') : place.section
}

function headOf({ title, heading, beside, lead }: Shown): Html {
  const text = heading ?? html`<bdi>${title}</bdi>`
  return html`<div class="page-head">${
    beside ? html`<div class="card-title"><h1>${text}</h1>${beside}</div>` : html`<h1>${text}</h1>`
  }${lead && html`<p class="lead">${lead}</p>`}</div>`
}

const CONSOLES = {
  account: undefined,
  marketplace: undefined,
  developer: 'Developer',
  operator: 'Operator',
} as const satisfies Record<Place['console'], string | undefined>

/** The title of the browser's tab names the console, unless it is the account's. */
function titleOf({ console }: Place, title: string): string {
  const name = CONSOLES[console]
  return name === undefined || name === title ? title : `${title} · ${name}`
}

/** The way from the part of the console down to the page; nothing on the first page of a part. */
function breadcrumb(place: Place, back: Crumb | readonly Crumb[] = []): Html | false {
  const own = Array.isArray(back) ? back : [back]
  if (own.length === 0) return false
  const root = rootOf(place)
  const crumbs =
    root === undefined || own.some(({ href }) => href === root.href) ? own : [root, ...own]
  return html`<nav class="breadcrumb" aria-label="Breadcrumb">
<ol>${crumbs.map(({ href, label }) => html`<li><a href="${href}"><bdi>${label}</bdi></a></li>`)}</ol>
</nav>`
}

/** The page right above: where a form leads that is not sent. */
export function nearest(back: Crumb | readonly Crumb[] | undefined): Crumb | undefined {
  return [back ?? []].flat().at(-1)
}

/** The first page of the part of the console that a page is in. */
function rootOf(place: Place): Crumb | undefined {
  if (place.console === 'operator') {
    return { href: OPERATOR_TABS[place.tab], label: tabLabel(place.tab) }
  }
  if (place.console === 'developer') {
    return DEVELOPER_TABS.find(({ section }) => section === place.section)
  }
  const section = sectionOf(place)
  return section === undefined ? undefined : OWN_PARTS[section]
}

/** The parts that are no console: the directory, and what belongs to the visitor. */
const OWN_PARTS: Partial<Record<SiteSection, Crumb>> = {
  apps: { href: '/Apps', label: 'Apps' },
  installed: { href: '/Installed', label: 'Installed' },
  account: { href: '/Account', label: 'Account' },
}

/** The navigation of a console, on a phone a row that scrolls. */
function tabsOf(place: Place, { user }: PageShell, isBelow: boolean): Html | undefined {
  if (place.console === 'operator') {
    const tabs = Object.entries(OPERATOR_TABS).map(([tab, href]) => ({
      href,
      label: tabLabel(tab as OperatorTab),
      isCurrent: tab === place.tab,
    }))
    return tabsView('Operator console', tabs, isBelow)
  }
  if (place.console !== 'developer') return undefined
  const shown = DEVELOPER_TABS.filter(({ section }) => section !== 'credentials' || user?.owns)
  const tabs = shown.map((tab) => ({ ...tab, isCurrent: tab.section === place.section }))
  return html`${tabsView('Developer console', tabs, isBelow || place.app !== undefined)}${appTabs(place.app)}`
}

function appTabs(app: { id: string; tab: AppTab } | undefined): Html | false {
  if (app === undefined) return false
  const tabs = Object.entries(APP_TABS).map(([label, addressOf]) => ({
    href: addressOf(encodeURIComponent(app.id)),
    label,
    isCurrent: label === app.tab,
  }))
  return tabsView('App', tabs, false)
}

type Tab = { href: string; label: string; isCurrent: boolean }

function tabsView(name: string, tabs: readonly Tab[], isBelow: boolean): Html {
  return html`<nav class="tabs" aria-label="${name}">
<div class="bar">${tabs.map(
    ({ href, label, isCurrent }) =>
      html`<a class="tab" href="${href}"${
        isCurrent && html` aria-current="${isBelow ? 'true' : 'page'}"`
      }>${label}</a>`,
  )}</div>
</nav>`
}
