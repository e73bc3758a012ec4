import type { WaitingUpgrade } from '../../../marketplace/installations/upgrades/waiting-upgrade.ts'
import { pager } from '../../kit/action-list.ts'
import { appFace } from '../../kit/avatar.ts'
import { stateBadge } from '../../kit/badge.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { amountText } from '../../shared/app-parts/amounts.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { when } from '../../shared/status/history-view.ts'
import { UPGRADES_PATH } from '../../shared/status/upgrades-notice.ts'

/** The later versions that wait for the visitor's accounts, and what each changes. */
export function upgradesPage(
  visit: Visit,
  entries: readonly WaitingUpgrade[],
  cursor: string | undefined,
): HtmlPage {
  return framePage({ console: 'account', section: 'installed' }, visit, {
    title: 'Upgrades',
    back: { href: '/Installed', label: 'Installed' },
    lead: 'Later versions of your apps. Each stays as it is until an admin of the account upgrades.',
    content: html`<section class="card flush" aria-label="Upgrades">${
      entries.length === 0
        ? emptyState('apps', 'All your apps have their latest version.')
        : html`<ul class="rows">
${entries.map(row)}</ul>`
    }</section>
${pager({ next: cursor !== undefined && { href: withQuery(UPGRADES_PATH, { cursor }), label: 'Next' } })}`,
  })
}

function row(one: WaitingUpgrade): Html {
  const path = `/Installed/${one.installationId}`
  return html`<li class="row console-row">${appFace(one.appId)}<span class="row-text"><a class="row-name"
href="${path}/Upgrade"><bdi>${one.appName}</bdi></a>
<span class="row-note"><bdi>${one.partyName}</bdi> · version <bdi>${one.from}</bdi> →
<strong><bdi>${one.to}</bdi></strong>, published ${when(one.publishedAt)}</span>
<span class="row-note">${priceEffect(one)}</span>
<span class="badges">${
    one.breaking
      ? stateBadge('warn', 'Changes what you agreed to')
      : stateBadge('on', 'Changes nothing you agreed to')
  }${one.permissionsAdded.length > 0 && stateBadge('warn', newPermissions(one))}</span></span>
<a class="button small" href="${path}/Upgrade">See what changes<span class="visually-hidden"> in ${one.appName}</span></a></li>
`
}

function newPermissions({ permissionsAdded }: WaitingUpgrade): string {
  const count = permissionsAdded.length
  return count === 1 ? '1 new permission' : `${count} new permissions`
}

function priceEffect({ price: { before, after } }: WaitingUpgrade): Html | string {
  if (after === null) return 'Your purchase option is gone: choose another one.'
  const [now, then] = [amountText(before), amountText(after)]
  return now === then ? `${now}, as before` : html`<strong>${then}</strong>, instead of ${now}`
}
