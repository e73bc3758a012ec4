import { COMMAND_LINE_ID } from '../../../base/values/actor.ts'
import { actionWords } from '../../../identity/audit/audit-actions.ts'
import {
  type OperatorAuditRecord,
  timesInHour,
  UNKNOWN,
} from '../../../identity/audit/audit-record.ts'
import { roleBadge } from '../../kit/badge.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { detailOf, when } from '../../shared/status/history-view.ts'
import { pathTo } from '../addresses.ts'
import { type Named, type Names, otherIdsOf, type Trail } from './audit-trail.ts'

/** Kinds of things that something is done to. */
export const SUBJECT_KINDS = [
  ...['app', 'connection', 'credential', 'developer', 'developer_member', 'event_consumer'],
  ...[
    'install_request',
    'installation',
    'invitation',
    'membership',
    'party',
    'product_import',
    'secrets',
    'signing_key',
    'user',
    'webhook',
  ],
] as const

/** Who did what, as sentences, newest first. */
export function trailList({ entries, names }: Trail): Html {
  if (entries.length === 0) return NO_ACTIVITY
  return html`<ol class="history trail">${entries.map((entry) => item(entry, names))}</ol>`
}

const NO_ACTIVITY = emptyState('events', 'No activity yet. Actions appear here.')

/** The files of what the list shows. */
export const TRAIL_EXPORTS = {
  CSV: '/Operator/Audit/Export?format=csv',
  NDJSON: '/Operator/Audit/Export?format=ndjson',
}

function item(entry: OperatorAuditRecord, names: Names): Html {
  const { id, at, action, address } = entry
  const reason = entry.after?.reason
  const inHour = timesInHour(entry)
  const detail =
    inHour !== undefined
      ? ''
      : typeof reason === 'string'
        ? reason
        : detailOf(entry, names.definitions.get(entry.subject.id))
  const did = actionWords(action) ?? html`<code>${action}</code>`
  const often =
    inHour !== undefined && inHour > 1 && ` (${inHour.toLocaleString('en')} times this hour)`
  const said =
    ownWords(entry, names) ?? html`${actor(entry, names)} ${did} ${subject(entry, names)}`
  return html`<li><span>${said}${often}${detail !== '' && html`: <bdi>${detail}</bdi>`}</span><span class="fine">${when(at)} ·
<code>${action}</code> · entry ${id}${address !== null && html` · from <bdi>${address}</bdi>`}</span></li>
`
}

/**
 * A sentence for what people do about themselves, and for a sign-in as nobody.
 *
 * @returns undefined when subject, verb and object say it
 */
function ownWords(entry: OperatorAuditRecord, names: Names): Html | undefined {
  const { action, subject } = entry
  if (subject.id === UNKNOWN) {
    const typed = subject.kind === 'user' ? 'email' : 'client ID'
    return html`Failed sign-in with an unknown ${typed}`
  }
  const [person = '', joined = ''] = subject.id.split('/')
  const { kind, id } = entry.actor
  if ((kind !== 'user' && kind !== 'operator') || id !== person) return undefined
  const who = actor(entry, names)
  switch (action) {
    case 'user.signed_in':
      return html`${who} signed in`
    case 'user.created':
      return html`${who} signed up`
    case 'membership.created':
      return html`${who} joined ${partyName(joined, names)}`
    case 'developer_member.created':
      return html`${who} joined ${developerName(joined, names)}`
    default:
      return undefined
  }
}

function actor({ actor: { kind, id } }: OperatorAuditRecord, names: Names): Html {
  switch (kind) {
    case 'user':
    case 'operator':
      if (id === null) return html`<strong>Somebody</strong>`
      return html`${userName(id, names)}${kind === 'operator' && html` ${roleBadge('Operator')}`}`
    case 'developer':
      return html`${client(id, names)} ${roleBadge('Developer')}`
    case 'installation':
      return html`<strong><bdi>${names.installations.get(id ?? '') ?? id}</bdi></strong> ${roleBadge('App')}`
    case 'system':
      return html`<strong>${id === COMMAND_LINE_ID ? 'The command line' : 'The marketplace'}</strong>`
  }
}

/** A program of a developer, which may have several. */
function client(id: string | null, { clients }: Names): Html {
  if (id === null) return html`<strong>Somebody</strong>`
  const name = clients.get(id)
  if (name === undefined) return html`<strong><bdi>${id}</bdi></strong>`
  return html`<strong><bdi>${name}</bdi></strong> <code>${id}</code>`
}

function subject(entry: OperatorAuditRecord, names: Names): Html {
  const {
    action,
    before,
    subject: { kind, id },
    developerId,
    partyId,
  } = entry
  const [first = '', second = ''] = id.split('/')
  switch (kind) {
    case 'user':
      return id === UNKNOWN ? html`an unknown user` : userName(id, names)
    case 'party':
      return partyName(id, names)
    case 'developer':
      if (id === UNKNOWN) return html`an unknown client ID`
      return developerName(id, names)
    case 'app':
      return appName(id, names)
    case 'installation':
      return link(pathTo('Installations', id), names.installations.get(id) ?? id)
    case 'install_request': {
      const { appId, requesterId } = otherIdsOf(entry)
      if (appId === undefined) return html`<bdi><code>${id}</code></bdi>`
      if (action === 'install_request.created') return appName(appId, names)
      return html`${requesterId !== undefined && html`of ${userName(requesterId, names)} `}for ${appName(appId, names)}`
    }
    case 'webhook': {
      const { appId } = otherIdsOf(entry)
      const origin = names.endpoints.get(id) ?? before?.origin
      const name = typeof origin === 'string' ? origin : id
      return html`<bdi><code>${name}</code></bdi>${appId !== undefined && html` of ${appName(appId, names)}`}`
    }
    case 'product_import':
      return partyId === null
        ? html`<bdi><code>${id}</code></bdi>`
        : partyName(String(partyId), names)
    case 'event_consumer':
      return html`<bdi><code>${id}</code></bdi>${
        developerId !== null && html` of ${developerName(developerId, names)}`
      }`
    case 'credential':
      return html`<bdi><code>${names.credentials.get(id) ?? id}</code></bdi>`
    case 'invitation':
      return html`${action !== 'invitation.created' && 'to '}<bdi>${names.invitations.get(id) ?? id}</bdi>`
    case 'membership':
      return html`${userName(first, names)} ${memberWord(action)} ${partyName(second, names)}`
    case 'developer_member':
      return html`${userName(first, names)} ${memberWord(action)} ${developerName(second, names)}`
    case 'connection':
      return html`the Buyer ${partyName(first, names)} ${action === 'connection.removed' ? 'from' : 'with'} the
Seller ${partyName(second, names)}`
    default:
      return html`<bdi><code>${id}</code></bdi>`
  }
}

function userName(id: string, { users }: Names): Html {
  return linkUnlessGone(pathTo('Users', id), id, users.get(id))
}

function partyName(id: string, { parties }: Names): Html {
  return link(pathTo('Parties', id), parties.get(Number(id))?.name ?? `account ${id}`)
}

function developerName(id: string, { developers }: Names): Html {
  return link(pathTo('Developers', id), developers.get(id) ?? id)
}

function appName(id: string, { apps }: Names): Html {
  return linkUnlessGone(pathTo('Apps', id), id, apps.get(id))
}

/** What stands between a person and the account or developer in a sentence. */
function memberWord(action: string): string {
  if (action.endsWith('.created')) return 'to'
  return action.endsWith('.removed') ? 'from' : 'in'
}

/** What is gone has no page. All removed users have one name, so the ID tells them apart. */
function linkUnlessGone(href: string, id: string, named: Named | undefined): Html {
  const name = named?.name ?? id
  return named?.isGone ? html`<bdi>${name}</bdi> <code>${id}</code>` : link(href, name)
}

function link(href: string, name: string): Html {
  return html`<a href="${href}"><bdi>${name}</bdi></a>`
}
