import { detailPage } from '../kit/detail-page.ts'
import { emptyState } from '../kit/empty-state.ts'
import { mayChange } from '../kit/frame.ts'
import { contactsCard, disclosureCard } from '../shared/app-parts/disclosure-view.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { screenshotsView } from '../shared/app-parts/screenshots-view.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { countText } from '../shared/page/counts.ts'
import { html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { outsideLink } from '../shared/page/outside-link.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { publicMarkdown } from '../shared/page/public-markdown.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo } from './addresses.ts'
import type { AppDetail } from './record-details.ts'
import { appRow, installationRow, rows, rowsCard } from './record-view.ts'
import { suspensionDanger, suspensionNotice } from './suspension/suspension-view.ts'
import { webhooksCard } from './webhooks-card.ts'

type AppPageInput = UserShell & {
  detail: AppDetail
  effect: string
  message: Message | undefined
}

/** One app: what its latest version says of itself, whose it is, and where it is installed. */
export function appPage(input: AppPageInput): HtmlPage {
  const { csrfToken, detail, effect } = input
  const isOperator = mayChange(input)
  const { app, definition, words, screenshots, installations, webhooks } = detail
  const path = pathTo('Apps', app.id)
  const settings = Object.values(definition.settings).flatMap((profile) => Object.keys(profile))
  return detailPage({ console: 'operator', tab: 'Apps' }, input, {
    title: app.name,
    back: { href: '/Operator/Apps', label: 'Apps' },
    badges: appRow(app).badges ?? false,
    lead: html`${app.tagline !== '' && html`<bdi>${app.tagline}</bdi> · `}by
<a href="${pathTo('Developers', app.developerId)}"><bdi>${app.developerName}</bdi></a>`,
    notices: html`${suspensionNotice(app, path, isOperator && csrfToken)}${
      app.nameWarning !== null &&
      html`<div class="notice warning">
<p><strong>This name resembles another name.</strong> It <bdi>${app.nameWarning}</bdi>.</p></div>`
    }`,
    ...((app.visibility === 'listed' || app.visibility === 'unlisted') &&
      !app.suspended && {
        usual: [{ label: 'View listing', href: `/Apps/${encodeURIComponent(app.id)}` }],
      }),
    ...(isOperator && { dangers: suspensionDanger(app, path, effect) }),
    facts: html`${fact('App ID', copied(app.id))}${fact('Version', bdi(app.version ?? 'None'))}
${fact('Offered to', html`${app.partyTypes.map((type) => `${type}s`).join(' and ')}`)}
${fact('Installations', countText(app.installations))}${fact('Settings', new Set(settings).size)}
${fact('Return address', bdi(definition.authReturnUrl ?? 'None: runs in the background'))}${outsideLink(
  definition.websiteUrl ?? null,
  'Website',
)}${outsideLink(definition.supportUrl ?? null, 'Support')}
${fact('Created', when(app.createdAt))}${fact('Changed', when(app.updatedAt))}`,
    below: html`<p><a href="${withQuery('/Operator/Audit', { subjectKind: 'app', subjectId: app.id })}">Audit trail</a></p>`,
    aside: html`${webhooksCard(webhooks)}
${card(
  'prices',
  'Purchase options',
  html`${definition.purchaseOptions.map(
    (option) => html`<div><h3><bdi>${option.name}</bdi></h3>${rates(option)}</div>`,
  )}`,
)}
${
  definition.acknowledgements.length > 0 &&
  html`${card(
    'asked',
    'Acknowledgements',
    html`<ul class="bullets">
${definition.acknowledgements.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}</ul>`,
  )}`
}`,
    cards: html`${card(
      'about',
      'Description',
      html`${
        definition.description.trim() === ''
          ? html`<p class="muted">No description yet.</p>`
          : paragraphs(definition.description)
      }${words.longDescription.trim() !== '' && publicMarkdown(words.longDescription)}`,
    )}
${screenshotsView({ screenshots })}
${disclosureCard(words)}
${contactsCard(words)}
${card('permissions', 'Permissions', permissionList(definition.permissions))}
${rowsCard(
  'installations',
  'Installations',
  rows(
    installations.entries,
    (one) => ({
      ...installationRow(one),
      name: one.partyName,
      note: html`version <bdi>${one.installedVersion}</bdi>`,
    }),
    emptyState('apps', 'No account has installed this app.'),
  ),
  installations.next !== undefined &&
    html`<a class="button small"
href="${withQuery('/Operator/Installations', { appId: app.id })}">Show all ${countText(app.installations)}</a>`,
)}`,
  })
}
