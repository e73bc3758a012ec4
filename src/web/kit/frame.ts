import {
  type FormAttempt,
  type FormProblem,
  inPageOrder,
  problemSummary,
} from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  type HtmlPage,
  type PageShell,
  page,
  type SiteSection,
  type UserShell,
} from '../shared/page/html-page.ts'
import { type Message, messageView } from '../shared/page/message-view.ts'

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
  Versions: (id: string) => `/Developer/Apps/${id}/Versions`,
  Webhooks: (id: string) => `/Developer/Apps/${id}/Webhooks`,
  Installations: (id: string) => `/Developer/Installations?appId=${id}`,
  Events: (id: string) => `/Developer/Events?appId=${id}`,
} as const
type AppTab = keyof typeof APP_TABS

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
  /** The page that this one belongs to. */
  back?: { href: string; label: string } | undefined
  /** Whether a control of the content takes the focus, in the place of its problems. */
  takesFocus?: boolean
  /** Whether the content says itself what is wrong, beside its text. */
  tellsProblems?: boolean
  /** `form` for pages with one form, `wide` for the others. */
  layout?: 'form' | 'wide'
  /** What search engines and links elsewhere say of the page. */
  sharing?: Html | false | undefined
  content: Html
  /** Of a page with a form: its controls, where no list of fields says them all. */
  controls?: (attempt: FormAttempt) => Html
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
  const { user, csrfToken, assetVersion, developer, message } = visit
  const { title, about, back, takesFocus = false } = shown
  const isAsked = place.console !== 'operator' || !place.asks || mayChange(visit)
  const problems = isAsked ? inPageOrder(shown.content, visit.problems ?? []) : []
  const body = html`${back && html`<p><a href="${back.href}">← <bdi>${back.label}</bdi></a></p>`}
${shown.head ?? headOf(shown)}
${messageView(message)}
${place.console === 'operator' && !mayChange(visit) && ONLY_LOOKS}
${!shown.tellsProblems && problemSummary(problems, { takesFocus: !takesFocus })}
${isAsked && shown.content}`
  return page({
    user,
    csrfToken,
    assetVersion,
    developer,
    area: place.console === 'developer' ? 'developers' : 'marketplace',
    title: titleOf(place, about === undefined ? title : `${title}: ${about}`),
    hasProblems: problems.length > 0,
    section: sectionOf(place),
    layout: shown.layout ?? (place.console === 'account' ? 'form' : 'wide'),
    nav: navOf(place, back !== undefined),
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

function navOf(place: Place, isBelow: boolean): Html | undefined {
  if (place.console === 'operator') {
    const tabs = Object.entries(OPERATOR_TABS)
    const labelled = tabs.map(([tab, href]) => [tab, href, tabLabel(tab as OperatorTab)] as const)
    return tabsView('Operator console', labelled, place.tab, isBelow)
  }
  if (place.console !== 'developer' || place.app === undefined) return undefined
  const { id, tab } = place.app
  const tabs = Object.entries(APP_TABS).map(
    ([one, addressOf]) => [one, addressOf(encodeURIComponent(id)), one] as const,
  )
  return tabsView('App', tabs, tab, false)
}

type Tab = readonly [name: string, href: string, label: string]

function tabsView(label: string, tabs: readonly Tab[], current: string, isBelow: boolean): Html {
  const links = tabs.map(
    ([name, href, text]) =>
      html`<a class="tab" href="${href}"${
        name === current && html` aria-current="${isBelow ? 'true' : 'page'}"`
      }>${text}</a>`,
  )
  return html`<nav class="tabs" aria-label="${label}"><div class="bar">${links}</div></nav>`
}
