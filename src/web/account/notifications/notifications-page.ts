import { plainSentence } from '../../../identity/notifications/kinds.ts'
import {
  NOTIFICATIONS_KEPT_DAYS,
  type OwnNotificationShown,
} from '../../../identity/notifications/notification.ts'
import { pager } from '../../kit/action-list.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { framePage } from '../../kit/frame.ts'
import { bdi } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { when } from '../../shared/status/history-view.ts'

export const NOTIFICATIONS_PATH = '/Account/Notifications'

type NotificationsPageInput = UserShell & {
  notifications: readonly OwnNotificationShown[]
  /** Whether there are newer ones than these. */
  isContinued: boolean
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** What has just happened, in words. */
  message: string | undefined
}

/** What the visitor was told of, newest first. */
export function notificationsPage(input: NotificationsPageInput): HtmlPage {
  const { notifications, isContinued, cursor, csrfToken, user } = input
  const [newest] = notifications
  const hasUnread = !isContinued && newest !== undefined && (user.unread ?? 0) > 0
  return framePage({ console: 'account' }, input, {
    title: 'Notifications',
    lead: `Kept for ${NOTIFICATIONS_KEPT_DAYS} days.`,
    beside: html`<a class="button" href="${NOTIFICATIONS_PATH}/Mail">Choose mails</a>`,
    back: { href: '/Account', label: 'Account' },
    content: html`<section class="card flush" aria-labelledby="latest">
<div class="section-head">
<h2 id="latest">${isContinued ? 'Older' : 'Latest'}</h2>
${hasUnread && readForm(csrfToken, newest.id)}
</div>
${
  newest === undefined
    ? emptyState(
        'notifications',
        'No notifications. We tell you here when something of yours needs you.',
      )
    : html`<ul class="rows">
${notifications.map((one) => row(one, csrfToken))}</ul>`
}</section>
${pager({ next: cursor !== undefined && { href: withQuery(NOTIFICATIONS_PATH, { cursor }), label: 'Next' } })}`,
  })
}

function readForm(csrfToken: string, upTo: number): Html {
  return html`<form method="post" action="${NOTIFICATIONS_PATH}/Read">
${csrfField(csrfToken)}
<input type="hidden" name="upTo" value="${upTo}">
<button class="button small" type="submit">Mark all as read</button>
</form>`
}

function row({ id, sentence, path, createdAt, readAt }: OwnNotificationShown, csrfToken: string) {
  const isUnread = readAt === null
  const words = sentence.map((part) => (typeof part === 'string' ? part : bdi(part.name)))
  const label = path === undefined ? 'Mark as read' : 'Open'
  return html`<li class="row notification${isUnread && ' unread'}">
<div class="row-text">
<p class="row-name">${isUnread && html`<span class="visually-hidden">Unread: </span>`}${words}</p>
<p class="row-note">${when(createdAt)}</p>
</div>
${
  (isUnread || path !== undefined) &&
  html`<form method="post" action="${NOTIFICATIONS_PATH}/${id}/Open">
${csrfField(csrfToken)}
<button class="button small" type="submit">${label}<span class="visually-hidden">: ${plainSentence(sentence)}</span></button>
</form>`
}</li>
`
}
