import type { OperatorAuditRecord } from '../../../audit/audit-record.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { detailOf, when } from '../../shared/status/history-view.ts'
import { pathTo } from '../console-frame.ts'
import type { Names, Trail } from './audit-trail.ts'

/** Action -> what somebody did, to be followed by what it was done to. */
const ACTIONS: Readonly<Record<string, string>> = {
  'app.created': 'created the app',
  'app.changed': 'changed the app',
  'app.published': 'published a version of the app',
  'app.listed': 'listed the app',
  'app.unlisted': 'unlisted the app',
  'app.deleted': 'deleted the app',
  'app.terms_changed': 'changed the terms of the app',
  'app.terms_removed': 'removed the terms of the app',
  'app.suspended': 'suspended the app',
  'app.resumed': 'resumed the app',
  'connection.created': 'connected',
  'connection.removed': 'disconnected',
  'credential.created': 'created the credential',
  'credential.removed': 'removed the credential',
  'developer.created': 'created the developer',
  'developer.changed': 'changed the developer',
  'developer.suspended': 'suspended the developer',
  'developer.resumed': 'resumed the developer',
  'developer_member.changed': 'changed the role of',
  'developer_member.created': 'added',
  'event_consumer.created': 'created the event consumer',
  'event_consumer.moved_back': 'moved back the event consumer',
  'event_consumer.removed': 'removed the event consumer',
  'factor.enabled': 'turned on the second factor of',
  'factor.recovery_code_used': 'used a recovery code of',
  'factor.recovery_codes_renewed': 'renewed the recovery codes of',
  'factor.removed': 'removed the second factor of',
  'installation.created': 'installed',
  'installation.option_changed': 'changed the purchase option of',
  'installation.resumed': 'resumed the installation',
  'installation.settings_changed': 'changed the settings of',
  'installation.suspended': 'suspended the installation',
  'installation.tokens_revoked': 'revoked all tokens of',
  'installation.test_token_made': 'made a test token for',
  'installation.uninstalled': 'uninstalled',
  'installation.upgraded': 'upgraded',
  'invitation.accepted': 'accepted the invitation',
  'invitation.created': 'invited',
  'invitation.revoked': 'revoked the invitation',
  'keys.rotated': 'created the signing key',
  'link.reported': 'ended the reported link',
  'membership.changed': 'changed the role of',
  'membership.created': 'added',
  'membership.removed': 'removed',
  'party.created': 'created the party',
  'party.changed': 'changed the party',
  'party.suspended': 'suspended the party',
  'party.resumed': 'resumed the party',
  'products.batch_written': 'wrote products of the party',
  'products.imported': 'imported products:',
  'secret.reported': 'ended a reported secret of',
  'secrets.rekeyed': 're-encrypted the secrets of',
  'token.revoked': 'revoked a token of',
  'user.created': 'created the user',
  'user.changed': 'changed the user',
  'user.email_change_requested': 'asked for a change of the email of',
  'user.password_changed': 'changed the password of',
  'user.sessions_ended': 'ended sessions of',
  'user.password_reset_requested': 'made a link for a new password of',
  'user.signed_out_everywhere': 'ended all sessions of',
  'user.suspended': 'suspended the user',
  'user.resumed': 'resumed the user',
  'webhook.changed': 'changed the webhook endpoint',
  'webhook.created': 'created the webhook endpoint',
  'webhook.deleted': 'deleted the webhook endpoint',
  'webhook.delivery_replayed': 'replayed a delivery of the webhook endpoint',
  'webhook.disabled': 'disabled the webhook endpoint',
  'webhook.enabled': 'enabled the webhook endpoint',
  'webhook.recovered': 'recovered the webhook endpoint',
  'webhook.secret_rotated': 'rotated the secret of the webhook endpoint',
}

/** Every action that the trail can hold. */
export const AUDIT_ACTIONS = Object.keys(ACTIONS)

/** Kinds of things that something is done to. */
export const SUBJECT_KINDS = [
  ...['app', 'connection', 'credential', 'developer', 'developer_member', 'event_consumer'],
  ...[
    'installation',
    'invitation',
    'membership',
    'party',
    'product_import',
    'signing_key',
    'user',
    'webhook',
  ],
] as const

/** Who did what, as sentences, newest first. */
export function trailList({ entries, names }: Trail, empty: Html): Html {
  if (entries.length === 0) return html`<div class="empty">${empty}</div>`
  return html`<ol class="history trail">${entries.map((entry) => item(entry, names))}</ol>`
}

function item(entry: OperatorAuditRecord, names: Names): Html {
  const { id, at, action, address } = entry
  const reason = entry.after?.reason
  const detail =
    typeof reason === 'string' ? reason : detailOf(entry, names.definitions.get(entry.subject.id))
  const did = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : html`<code>${action}</code>`
  const said = html`${actor(entry, names)} ${did} ${subject(entry, names)}`
  return html`<li><span>${said}${detail !== '' && html`: <bdi>${detail}</bdi>`}</span><span class="fine">${when(at)} ·
<code>${action}</code> · entry ${id}${address !== null && html` · from <bdi>${address}</bdi>`}</span></li>
`
}

function actor({ actor: { kind, id } }: OperatorAuditRecord, names: Names): Html {
  switch (kind) {
    case 'user':
    case 'operator':
      return html`${userName(id ?? '', names)}${kind === 'operator' && html` <span class="badge">Operator</span>`}`
    case 'developer':
      return html`<strong><bdi>${id}</bdi></strong> <span class="badge">Developer</span>`
    case 'installation':
      return html`<strong><bdi>${names.installations.get(id ?? '') ?? id}</bdi></strong> <span class="badge">App</span>`
    case 'system':
      return html`<strong>The command line</strong>`
  }
}

function subject({ action, subject: { kind, id } }: OperatorAuditRecord, names: Names): Html {
  const [first = '', second = ''] = id.split('/')
  switch (kind) {
    case 'user':
      return userName(id, names)
    case 'party':
      return partyName(id, names)
    case 'developer':
      return link(pathTo('Developers', id), names.developers.get(id) ?? id)
    case 'app':
      return link(pathTo('Apps', id), names.apps.get(id) ?? id)
    case 'installation':
      return link(pathTo('Installations', id), names.installations.get(id) ?? id)
    case 'credential':
      return html`<bdi><code>${names.credentials.get(id) ?? id}</code></bdi>`
    case 'membership':
      return html`${userName(first, names)} ${action === 'membership.removed' ? 'from' : 'to'} ${partyName(second, names)}`
    case 'developer_member':
      return html`${userName(first, names)} in
${link(pathTo('Developers', second), names.developers.get(second) ?? second)}`
    case 'connection':
      return html`the Buyer ${partyName(first, names)} ${action === 'connection.removed' ? 'from' : 'with'} the
Seller ${partyName(second, names)}`
    default:
      return html`<bdi><code>${id}</code></bdi>`
  }
}

function userName(id: string, { users }: Names): Html {
  return link(pathTo('Users', id), users.get(id) ?? id)
}

function partyName(id: string, { parties }: Names): Html {
  return link(pathTo('Parties', id), parties.get(Number(id))?.name ?? `party ${id}`)
}

function link(href: string, name: string): Html {
  return html`<a href="${href}"><bdi>${name}</bdi></a>`
}
