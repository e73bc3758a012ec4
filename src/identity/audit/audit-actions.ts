/** Action -> what somebody did, to be followed by what it was done to. */
const ACTION_WORDS = {
  'app.changed': 'changed the app',
  'app.created': 'created the app',
  'app.deleted': 'deleted the app',
  'app.icon_changed': 'changed the icon of the app',
  'app.icon_removed': 'removed the icon of the app',
  'app.listed': 'listed the app',
  'app.listing_changed': 'changed the listing of the app',
  'app.published': 'published a version of the app',
  'app.resumed': 'resumed the app',
  'app.screenshot_added': 'added a screenshot of the app',
  'app.screenshot_changed': 'changed a screenshot of the app',
  'app.screenshot_removed': 'removed a screenshot of the app',
  'app.screenshots_ordered': 'reordered the screenshots of the app',
  'app.suspended': 'suspended the app',
  'app.terms_changed': 'changed the terms of the app',
  'app.terms_removed': 'removed the terms of the app',
  'app.unlisted': 'unlisted the app',
  'app.visibility_changed': 'changed who finds the app',
  'connection.created': 'connected',
  'connection.removed': 'disconnected',
  'credential.created': 'created the credential',
  'credential.removed': 'removed the credential',
  'developer.changed': 'changed the developer',
  'developer.closed': 'closed the developer',
  'developer.created': 'created the developer',
  'developer.resumed': 'resumed the developer',
  'developer.sign_in_failed': 'failed to sign in with',
  'developer.signed_in': 'signed in with',
  'developer.suspended': 'suspended the developer',
  'developer_member.changed': 'changed the role of',
  'developer_member.created': 'added',
  'developer_member.removed': 'removed',
  'event_consumer.created': 'created the event consumer',
  'event_consumer.moved_back': 'moved back the event consumer',
  'event_consumer.removed': 'removed the event consumer',
  'factor.enabled': 'turned on the second factor of',
  'factor.recovery_code_used': 'used a recovery code of',
  'factor.recovery_codes_renewed': 'renewed the recovery codes of',
  'factor.removed': 'removed the second factor of',
  'install_link.created': 'made an install link of the app',
  'install_link.deleted': 'deleted an install link of the app',
  'install_link.used': 'used an install link of the app',
  'install_request.accepted': 'accepted the install request',
  'install_request.created': 'asked to install',
  'install_request.declined': 'declined the install request',
  'install_request.withdrawn': 'withdrew the install request',
  'installation.created': 'installed',
  'installation.opened': 'opened',
  'installation.option_changed': 'changed the purchase option of',
  'installation.resumed': 'resumed the installation',
  'installation.settings_changed': 'changed the settings of',
  'installation.suspended': 'suspended the installation',
  'installation.test_token_made': 'made a test token for',
  'installation.tokens_minted': 'made tokens for',
  'installation.tokens_revoked': 'revoked all tokens of',
  'installation.uninstalled': 'uninstalled',
  'installation.upgraded': 'upgraded',
  'invitation.accepted': 'accepted the invitation',
  'invitation.created': 'invited',
  'invitation.declined': 'declined the invitation',
  'invitation.revoked': 'revoked the invitation',
  'keys.rotated': 'created the signing key',
  'link.reported': 'ended the reported link',
  'membership.changed': 'changed the role of',
  'membership.created': 'added',
  'membership.removed': 'removed',
  'party.changed': 'changed the account',
  'party.closed': 'closed the account',
  'party.created': 'created the account',
  'party.resumed': 'resumed the account',
  'party.suspended': 'suspended the account',
  'products.added': 'added products of the account',
  'products.batch_written': 'wrote products of the account',
  'products.changed': 'changed products of the account',
  'products.deleted': 'deleted products of the account',
  'products.imported': 'imported products of the account',
  'secret.reported': 'ended a reported secret of',
  'secrets.rekeyed': 're-encrypted the secrets of',
  'token.revoked': 'revoked a token of',
  'user.changed': 'changed the user',
  'user.created': 'created the user',
  'user.identity_linked': 'linked single sign-on to',
  'user.identity_unlinked': 'ended the single sign-on of',
  'user.email_change_requested': 'asked for a change of the email of',
  'user.password_changed': 'changed the password of',
  'user.password_reset_requested': 'made a link for a new password of',
  'user.removed': 'removed the user',
  'user.resumed': 'resumed the user',
  'user.sessions_ended': 'ended sessions of',
  'user.sign_in_failed': 'failed to sign in as',
  'user.sign_in_link_made': 'made a link that signs in',
  'user.signed_in': 'signed in',
  'user.signed_out_everywhere': 'ended all sessions of',
  'user.suspended': 'suspended the user',
  'user.token_made': 'made an account token for',
  'webhook.changed': 'changed the webhook endpoint',
  'webhook.created': 'created the webhook endpoint',
  'webhook.deleted': 'deleted the webhook endpoint',
  'webhook.delivery_replayed': 'replayed a delivery of the webhook endpoint',
  'webhook.disabled': 'disabled the webhook endpoint',
  'webhook.enabled': 'enabled the webhook endpoint',
  'webhook.recovered': 'recovered the webhook endpoint',
  'webhook.secret_rotated': 'rotated the secret of the webhook endpoint',
} as const satisfies Readonly<Record<string, string>>

/** What is written to the trail: subject and past participle, such as `app.published`. */
export type AuditAction = keyof typeof ACTION_WORDS

/** Every action that is written to the trail. */
export const AUDIT_ACTIONS = Object.keys(ACTION_WORDS)

/** What somebody did; undefined for an action that only entries of another release have. */
export function actionWords(action: string): string | undefined {
  return Object.hasOwn(ACTION_WORDS, action) ? ACTION_WORDS[action as AuditAction] : undefined
}

const FOUND_MAX = 20

/** The actions that a text means: those with all its words in their name or their words. */
export function actionsMeaning(text: string): string[] {
  const wanted = text
    .toLowerCase()
    .split(/[\s._]+/)
    .filter(Boolean)
  return Object.entries(ACTION_WORDS)
    .filter(([action, words]) => {
      const said = ` ${action} ${words}`.toLowerCase().split(/[\s._]+/)
      return wanted.every((word) => said.some((one) => one.startsWith(word)))
    })
    .map(([action]) => action)
    .slice(0, FOUND_MAX)
}
