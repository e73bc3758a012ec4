import { COMMAND_LINE_ID } from '../../../base/values/actor.ts'
import { shownEmail } from '../../../base/values/email.ts'
import type { AuditRecord } from '../../../identity/audit/audit-record.ts'
import { pager } from '../../kit/action-list.ts'
import type { DefinitionNames } from '../app-parts/definition-names.ts'
import { type Html, html } from '../page/html.ts'
import { withQuery } from '../page/with-query.ts'

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['installation.created', 'Installed'],
  ['installation.settings_changed', 'Settings changed'],
  ['installation.option_changed', 'Purchase option changed'],
  ['installation.upgraded', 'Upgraded'],
  ['installation.suspended', 'Suspended'],
  ['installation.resumed', 'Resumed'],
  ['installation.uninstalled', 'Uninstalled'],
  ['installation.tokens_revoked', 'Tokens revoked'],
  ['installation.test_token_made', 'Test token made'],
  ['app.created', 'Created'],
  ['app.changed', 'Definition changed'],
  ['app.published', 'New version published'],
  ['app.listed', 'Listed'],
  ['app.unlisted', 'Unlisted'],
  ['app.visibility_changed', 'Visibility changed'],
  ['install_link.created', 'Install link made'],
  ['install_link.deleted', 'Install link deleted'],
  ['install_link.used', 'Install link used'],
  ['app.terms_changed', 'Terms document changed'],
  ['app.terms_removed', 'Terms document removed'],
  ['app.listing_changed', 'Listing changed'],
  ['app.icon_changed', 'Icon changed'],
  ['app.icon_removed', 'Icon removed'],
  ['app.screenshot_added', 'Screenshot added'],
  ['app.screenshot_changed', 'Screenshot described'],
  ['app.screenshot_removed', 'Screenshot removed'],
  ['app.screenshots_ordered', 'Screenshots reordered'],
  ['app.suspended', 'Suspended'],
  ['app.resumed', 'Resumed'],
  ['app.deleted', 'Deleted'],
  ['secret.reported', 'Secret reported and ended'],
  ['token.revoked', 'Token revoked'],
  ['webhook.created', 'Added'],
  ['webhook.changed', 'Changed'],
  ['webhook.secret_rotated', 'Secret rotated'],
  ['webhook.enabled', 'Enabled'],
  ['webhook.disabled', 'Disabled'],
  ['webhook.deleted', 'Deleted'],
  ['webhook.recovered', 'Recovered'],
  ['webhook.delivery_replayed', 'Delivery sent again'],
])

/** What one side calls those who did something, and the options and settings that they changed. */
type HistoryNames = DefinitionNames & {
  actor: (actor: AuditRecord['actor']) => string | Html
  /** The member whose request an install was, if it was one. */
  askedBy?: string | null
}

/** What happened to an installation or an app, newest first. */
function historyList(history: readonly AuditRecord[], names: HistoryNames): Html {
  if (history.length === 0) return html`<p class="muted">No activity yet.</p>`
  return html`<ol class="history">${history.map((entry) => historyItem(entry, names))}</ol>`
}

/** One page of a history, newest first; the cursor leads to what is older. */
export type HistoryPage = {
  entries: readonly AuditRecord[]
  isContinued: boolean
  cursor: string | undefined
}

/**
 * One page of a history with the links to the others.
 *
 * @param path of the page that shows it, in a section with the id `history`
 */
export function historyPage(
  { entries, isContinued, cursor }: HistoryPage,
  names: HistoryNames,
  path: string,
): Html {
  return html`${historyList(entries, names)}
${pager({
  small: true,
  first: isContinued && { href: `${path}#history`, label: 'Newest' },
  next: cursor !== undefined && {
    href: `${withQuery(path, { cursor })}#history`,
    label: 'Older',
  },
})}`
}

/** What somebody else has done while the visitor filled in a form. */
export function meanwhileNotice(
  history: readonly AuditRecord[],
  names: HistoryNames,
): Html | undefined {
  if (history.length === 0) return undefined
  return html`<div class="notice warning"><p><strong>Changed since you opened the form:</strong></p>
${historyList(history, names)}</div>
`
}

function historyItem(entry: AuditRecord, names: HistoryNames): Html {
  const what = ACTIONS.get(entry.action) ?? entry.action
  const detail = detailOf(entry, names)
  // "Installed version 1.4.0 (Premium)" is one phrase.
  const mark = entry.action === 'installation.created' ? '' : ':'
  return html`<li><span class="history-what">${what}${detail !== '' && html`${mark} <bdi>${detail}</bdi>`}</span><span
class="fine">by ${names.actor(entry.actor)}, ${
    entry.action === 'installation.created' &&
    names.askedBy &&
    html`asked for by <bdi>${names.askedBy}</bdi>, `
  }${when(entry.at)}</span></li>
`
}

/** A time in UTC, to the minute, for people and for programs. */
export function when(at: Date): Html {
  return timeTo('minute', at)
}

/** A time to the second, for what happens in quick succession. */
export function whenExactly(at: Date): Html {
  return timeTo('second', at)
}

const CLOCK_ENDS = { minute: 16, second: 19 }

function timeTo(unit: keyof typeof CLOCK_ENDS, at: Date): Html {
  const iso = at.toISOString()
  const clock = iso.slice(11, CLOCK_ENDS[unit])
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${clock} UTC</time>`
}

const OPERATOR = 'the marketplace’s operator'

/** Those whom both sides call the same. */
function others(id: string | null) {
  return {
    installation: 'the app',
    operator: OPERATOR,
    system: id === COMMAND_LINE_ID ? OPERATOR : 'the marketplace',
  }
}

/** As a user of the account reads it. */
export function namesForUser(
  userId: string,
  definition: DefinitionNames,
  askedBy: string | null = null,
): HistoryNames {
  const user = (id: string | null) => (id === userId ? 'you' : 'a member of your account')
  const developer = 'the app’s developer'
  return {
    actor: ({ kind, id }) => ({ ...others(id), developer, user: user(id) })[kind],
    ...definition,
    askedBy,
  }
}

/** As operators read it, who look things up by their ids. */
const IDS: DefinitionNames = { option: (id) => id, setting: (key) => key }

/**
 * As the app's developer reads it, who knows its own credentials and people apart.
 *
 * @param people the names of its people by id
 */
export function namesForDeveloper(
  people: ReadonlyMap<string, string>,
  definition: DefinitionNames = IDS,
): HistoryNames {
  const user = (id: string | null) =>
    id === null ? 'the account' : html`<bdi>${people.get(id) ?? id}</bdi>`
  return {
    actor: ({ kind, id }) => ({ ...others(id), developer: `you (${id})`, user: user(id) })[kind],
    ...definition,
  }
}

/** What an entry says beside what was done, such as the reason of a suspension; may be empty. */
export function detailOf(
  { action, before, after }: AuditRecord,
  { option, setting }: DefinitionNames = IDS,
): string {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const optionChange = () =>
    `${option(text(before?.purchaseOptionId))} → ${option(text(after?.purchaseOptionId))}`
  switch (action) {
    case 'installation.created':
      return installed(text(after?.version), option(text(after?.purchaseOptionId)))
    case 'installation.upgraded':
      return before?.purchaseOptionId === after?.purchaseOptionId
        ? `${text(before?.version)} → ${text(after?.version)}`
        : `${text(before?.version)} → ${text(after?.version)}, ${optionChange()}`
    case 'installation.option_changed':
      return optionChange()
    case 'app.created':
    case 'app.published':
      return text(after?.version)
    case 'app.suspended':
    case 'installation.suspended':
      return text(after?.reason)
    case 'developer.changed':
    case 'party.changed':
    case 'user.changed':
      return [
        text(after?.email) &&
          `${shownEmail(text(before?.email))} → ${shownEmail(text(after?.email))}`,
        text(after?.name) && `${text(before?.name)} → ${text(after?.name)}`,
        typeof after?.operator === 'boolean' && (after.operator ? 'operator' : 'not an operator'),
      ]
        .filter(Boolean)
        .join(', ')
    case 'user.sessions_ended':
      return numberOf(after?.count, 'session')
    case 'secrets.rekeyed':
      return numberOf(after?.count, 'secret')
    case 'installation.settings_changed':
      return Array.isArray(after?.keys)
        ? after.keys.map((key) => setting(text(key))).join(', ')
        : 'admin settings'
    default:
      return ''
  }
}

/** What was installed, as far as the entry says it. */
function installed(version: string, option: string): string {
  if (version === '') return option
  return option === '' ? `version ${version}` : `version ${version} (${option})`
}

function numberOf(count: unknown, thing: string): string {
  return typeof count === 'number'
    ? `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
    : ''
}
