import type { AuditRecord } from '../audit/audit-record.ts'
import { type Html, html } from './html.ts'

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['installation.created', 'Installed'],
  ['installation.settings_changed', 'Settings changed'],
  ['installation.option_changed', 'Purchase option changed'],
  ['installation.upgraded', 'Upgraded'],
  ['installation.suspended', 'Suspended'],
  ['installation.resumed', 'Resumed'],
  ['installation.uninstalled', 'Uninstalled'],
  ['installation.tokens_revoked', 'Tokens revoked'],
])

/** What happened to an installation, newest first. */
export function historyList(history: readonly AuditRecord[], userId: string): Html {
  if (history.length === 0) return html`<p class="muted">Nothing has happened yet.</p>`
  return html`<ol class="history">${history.map((entry) => historyItem(entry, userId))}</ol>`
}

function historyItem(entry: AuditRecord, userId: string): Html {
  const what = ACTIONS.get(entry.action) ?? entry.action
  const detail = detailOf(entry)
  return html`<li><span class="history-what">${what}${detail !== '' && html`: <bdi>${detail}</bdi>`}</span><span class="fine">by ${actorName(entry, userId)}, ${when(entry.at)}</span></li>
`
}

/** A time in UTC, for people and for programs. */
export function when(at: Date): Html {
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

function actorName({ actor }: AuditRecord, userId: string): string {
  switch (actor.kind) {
    case 'user':
      return actor.id === userId ? 'you' : 'a member of your account'
    case 'developer':
      return 'the app’s developer'
    case 'installation':
      return 'the app itself'
    case 'operator':
    case 'system':
      return 'the marketplace’s operator'
  }
}

/** What an entry says beside what was done, such as the reason of a suspension; may be empty. */
export function detailOf({ action, before, after }: AuditRecord): string {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  switch (action) {
    case 'installation.created':
      return [text(after?.version), text(after?.purchaseOptionId)].filter(Boolean).join(', ')
    case 'installation.upgraded':
      return `${text(before?.version)} → ${text(after?.version)}`
    case 'installation.option_changed':
      return `${text(before?.purchaseOptionId)} → ${text(after?.purchaseOptionId)}`
    case 'installation.suspended':
      return text(after?.reason)
    case 'installation.settings_changed':
      return Array.isArray(after?.keys) ? after.keys.map(text).join(', ') : 'by the developer'
    default:
      return ''
  }
}
