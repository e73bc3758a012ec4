import { type FormProblem, inPageOrder, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { page, type UserShell } from '../shared/page/html-page.ts'
import { type Message, messageView } from '../shared/page/message-view.ts'

/** The parts of the operator console, by the name in their address. */
const TABS = {
  Overview: '/Operator',
  Parties: '/Operator/Parties',
  Users: '/Operator/Users',
  Developers: '/Operator/Developers',
  Apps: '/Operator/Apps',
  Installations: '/Operator/Installations',
  'Audit trail': '/Operator/Audit',
} as const
export type ConsoleTab = keyof typeof TABS

/** The parts whose things have pages of their own. */
export type RecordTab = 'Parties' | 'Users' | 'Developers' | 'Apps' | 'Installations'

type ConsolePage = {
  tab: ConsoleTab
  title: string
  /** Beside the title, such as badges and buttons. */
  beside?: Html | false | undefined
  /** Under the title. */
  lead?: Html | false
  /** Where the page belongs to, when it is not its tab's own. */
  back?: { href: string; label: string }
  message?: Message | undefined
  problems?: readonly FormProblem[]
  layout?: 'wide' | 'form'
  /** Whether the page only asks for a change: support reads that it cannot be made, and no form. */
  asks?: boolean
  stylesheets?: readonly string[]
  body: Html
}

/** What a part is called on the pages: the parties of the API are accounts to people. */
export function tabLabel(tab: ConsoleTab): string {
  return tab === 'Parties' ? 'Accounts' : tab
}

/** The frame of every page of the operator console. */
export function operatorPage({ user, csrfToken, assetVersion }: UserShell, input: ConsolePage) {
  const { tab, title, beside, lead, back, message, asks = false } = input
  const isShown = !asks || mayChange({ user })
  const problems = isShown ? inPageOrder(input.body, input.problems ?? []) : []
  const body = html`${back && html`<p><a href="${back.href}">← <bdi>${back.label}</bdi></a></p>`}
<div class="page-head"><div class="card-title"><h1><bdi>${title}</bdi></h1>${beside}</div>${lead}</div>
${messageView(message)}
${!mayChange({ user }) && html`<div class="notice"><p>You have the role support: you can look, and change nothing.</p></div>`}
${problemSummary(problems)}
${isShown && input.body}`
  const tabs = Object.entries(TABS).map(
    ([label, href]) =>
      html`<a class="tab" href="${href}"${
        label === tab && html` aria-current="${back ? 'true' : 'page'}"`
      }>${tabLabel(label as ConsoleTab)}</a>`,
  )
  return page({
    user,
    csrfToken,
    assetVersion,
    title: `${title}${title === 'Operator' ? '' : ' · Operator'}`,
    hasProblems: problems.length > 0,
    section: 'operator',
    layout: asks ? 'form' : (input.layout ?? 'wide'),
    stylesheets: input.stylesheets ?? [],
    nav: html`<nav class="tabs" aria-label="Operator console"><div class="bar">${tabs}</div></nav>`,
    body,
  })
}

/** Whether forms and buttons are shown: support only looks. */
export function mayChange({ user }: Pick<UserShell, 'user'>): boolean {
  return user.operator === true
}

/** The address of one thing of the console. */
export function pathTo(tab: RecordTab, id: string | number): string {
  return `${TABS[tab]}/${encodeURIComponent(id)}`
}

/** A path with a query; what is empty is left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') given.set(name, String(value))
  }
  return given.size === 0 ? path : `${path}?${given}`
}
