import { checklistCard } from '../kit/checklist.ts'
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

/** What a new marketplace needs, as it stands now. */
type SetUp = { sendsMail: boolean; hasFactor: boolean; hasAccount: boolean }

/** The marketplace at a glance: how much there is, what is suspended, what happened last. */
export function operatorOverviewPage(
  input: UserShell & {
    counts: Counts
    trail: Trail
    range: ChartRange
    /** Of the range, and of the same time before it. */
    figures: readonly ChartStep[]
    /** What a new marketplace needs; undefined for those who only look. */
    setUp: SetUp | undefined
  },
): HtmlPage {
  const { counts, figures, setUp } = input
  const { parties, users, developers, apps, installations } = counts
  return framePage({ console: 'operator', tab: 'Overview' }, input, {
    title: 'Operator',
    lead: 'Members, suspensions and recent activity',
    content: html`${setUp && setUpCard(setUp)}<ul class="card counts">
${count('Accounts', 'Parties', parties)}
${count('Users', 'Users', users)}
${count('Developers', 'Developers', developers)}
${count('Apps', 'Apps', apps)}
${count('Live installations', 'Installations', installations, 'status=suspended')}</ul>
${chartsCard(input.range, figures.slice(figures.length / 2), figures.slice(0, figures.length / 2))}
${rowsCard(
  'latest',
  'Recent activity',
  trailList(input.trail),
  html`<a class="button small" href="/Operator/Audit">View audit trail</a>`,
)}`,
  })
}

function setUpCard({ sendsMail, hasFactor, hasAccount }: SetUp): Html | false {
  return checklistCard('Set up the marketplace', [
    { label: 'Send mail', href: '/docs/add-people', isDone: sendsMail },
    {
      label: 'Turn on two-step sign-in for yourself',
      href: '/Account/Security',
      isDone: hasFactor,
    },
    { label: 'Create the first account', href: '/Operator/Parties/New', isDone: hasAccount },
  ])
}

function count(label: string, area: string, { all, suspended }: Count, filter = 'suspended=true') {
  return html`<li class="count">
<a class="count-what" href="/Operator/${area}"><strong>${countText(all)}</strong> ${label}</a>${
    suspended > 0 &&
    html`<a class="badge badge-off" href="/Operator/${area}?${filter}">${countText(suspended)} suspended</a>`
  }</li>
`
}
