import { framePage } from '../kit/frame.ts'
import { countText } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import { type ChartRange, type ChartStep, chartsCard } from './charts-view.ts'
import { rowsCard } from './record-view.ts'
import type { Trail } from './trail/audit-trail.ts'
import { trailList } from './trail/audit-trail-view.ts'

type Count = { all: number; suspended: number }
export type Counts = Record<'parties' | 'users' | 'developers' | 'apps' | 'installations', Count>

/** The marketplace at a glance: how much there is, what is suspended, what happened last. */
export function operatorOverviewPage(
  input: UserShell & {
    counts: Counts
    trail: Trail
    range: ChartRange
    figures: readonly ChartStep[]
  },
): HtmlPage {
  const { parties, users, developers, apps, installations } = input.counts
  return framePage({ console: 'operator', tab: 'Overview' }, input, {
    title: 'Operator',
    lead: 'Members, suspensions and recent activity',
    content: html`<ul class="counts">
${count('Accounts', 'Parties', parties)}
${count('Users', 'Users', users)}
${count('Developers', 'Developers', developers)}
${count('Apps', 'Apps', apps)}
${count('Live installations', 'Installations', installations, 'status=suspended')}</ul>
${chartsCard(input.range, input.figures)}
${rowsCard(
  'latest',
  'Recent activity',
  trailList(
    input.trail,
    html`<p class="empty-title">No activity yet</p>
`,
  ),
  html`<a class="button small" href="/Operator/Audit">View audit trail</a>`,
)}`,
  })
}

function count(label: string, area: string, { all, suspended }: Count, filter = 'suspended=true') {
  const stopped: Html =
    suspended === 0
      ? html`<span class="fine">None suspended</span>`
      : html`<a class="badge badge-suspended" href="/Operator/${area}?${filter}">${countText(suspended)} suspended</a>`
  return html`<li class="card count">
<a class="count-what" href="/Operator/${area}"><strong>${countText(all)}</strong> ${label}</a>${stopped}</li>`
}
