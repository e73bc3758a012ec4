import type { RequestShown } from '../../../marketplace/installations/requests/request-shown.ts'
import { settingsFacts } from '../../kit/settings-fields.ts'
import { quoteView } from '../../shared/app-parts/amounts.ts'
import { permissionList } from '../../shared/app-parts/permission-view.ts'
import { userSettingsOf } from '../../shared/forms/settings-form.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { partyBadge } from '../../shared/page/html-page.ts'
import { paragraphs } from '../../shared/page/paragraphs.ts'
import { when } from '../../shared/status/history-view.ts'
import { requestBadge } from '../../shared/status/request-status.ts'

/** Everything that a request asks for, and what has become of it. */
export function requestCards(request: RequestShown): Html {
  const { appId, appName, partyName, partyType, userName, option, profile } = request
  const { note, status, reason, decidedAt, installationId } = request
  const stored = {
    values: new Map(Object.entries(request.userSettings)),
    passwordsSet: new Set(request.passwordsSet),
  }
  return html`${card(
    'request',
    'Request',
    html`<dl class="facts">
${fact('Status', requestBadge(status))}${
  decidedAt !== null &&
  fact(
    'Decided',
    html`${request.decidedBy !== null && html`by <bdi>${request.decidedBy}</bdi>, `}${when(decidedAt)}`,
  )
}${
  reason !== null && fact('Reason', paragraphs(reason))
}${installationId !== null && fact('Installation', html`<a href="/Installed/${installationId}">Manage</a>`)}${fact(
  'App',
  html`${
    request.hasListing
      ? html`<a href="/Apps/${encodeURIComponent(appId)}"><bdi>${appName}</bdi></a>`
      : html`<bdi>${appName}</bdi>`
  }, version <bdi>${request.version}</bdi>`,
)}${fact('For', html`<bdi>${partyName}</bdi> ${partyBadge(partyType)}`)}${fact(
  'Purchase option',
  bdi(option.name),
)}${fact('Requested by', bdi(userName))}${fact('Requested on', when(request.createdAt))}${
  note !== null && fact('Note', paragraphs(note))
}</dl>`,
  )}
${card('price', 'Price today', quoteView(request.quote, option))}
${card('permissions', 'Permissions', permissionList(request.permissions))}
${
  userSettingsOf(profile).length > 0 &&
  card(
    'settings',
    'Settings',
    settingsFacts({
      profile,
      stored,
      isLive: status === 'pending',
      ...(status === 'accepted' && { gone: 'See the installation' }),
    }),
  )
}`
}
