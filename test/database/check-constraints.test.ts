import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

const ENDPOINT = {
  developer_id: 'developer_id',
  app_id: 'id',
  slot: '1',
  url: "'https://example.com/hook'",
  event_types: "'{}'",
  header_names: "'{}'",
  secret: "'x'",
}
const DELIVERY = {
  endpoint_id: 'id',
  event_id: '(SELECT id FROM events LIMIT 1)',
  position: '1',
  type: "'webhook.test'",
  due_at: 'now()',
}

/** Makes an install request that waits, and changes it. */
function requestWith(change: string): string {
  return `INSERT INTO install_requests
      (party_id, user_id, app_id, version, purchase_option_id, user_settings, password_keys, consent)
      SELECT m.party_id, m.user_id, o.app_id, o.version, o.id, '{}', '{}', '{}'
      FROM memberships m, purchase_options o LIMIT 1;
    UPDATE install_requests SET ${change}`
}

/** Makes a picture of an app: its kind, alt text and width. */
function pictureWith(values: string): string {
  return `INSERT INTO app_pictures (app_id, developer_id, kind, alt, width, height, bytes)
      SELECT id, developer_id, ${values}, 1, 1 FROM apps LIMIT 1`
}

/** Constraint -> statements that it has to refuse, each on the rows of the demo marketplace. */
const REFUSED: Record<string, string[]> = {
  developer_credentials_slot_check: [
    'UPDATE developer_credentials SET slot = 3',
    'UPDATE developer_credentials SET slot = 0',
  ],
  developer_credentials_removed_check: [
    'UPDATE developer_credentials SET removed_at = now()',
    'UPDATE developer_credentials SET slot = NULL',
  ],
  users_email_check: [
    'UPDATE users SET email = upper(email)',
    "UPDATE users SET email = ' ' || email",
    "UPDATE users SET email = '' WHERE id = (SELECT id FROM users LIMIT 1)",
  ],
  users_support_check: ['UPDATE users SET operator = true, support = true'],
  usage_days_counts_check: [
    `INSERT INTO usage_days (installation_id, day, permission, requests, records)
     VALUES (gen_random_uuid(), now(), 'none', 0, 0)`,
    `INSERT INTO usage_days (installation_id, day, permission, requests, records)
     VALUES (gen_random_uuid(), now(), 'none', 1, -1)`,
  ],
  audit_counts_count_check: [
    `INSERT INTO audit_counts (hour, key, at, last_at, count, actor_kind, action, subject_kind,
       subject_id) VALUES (now(), 'x', now(), now(), 0, 'user', 'a', 'b', 'c')`,
  ],
  link_tokens_user_check: [
    `INSERT INTO link_tokens (purpose, email, scope, grants, created_by_kind, expires_at)
      VALUES ('password_reset', 'a@example.com', 'user', '{}', 'system', now())`,
    `INSERT INTO link_tokens
        (purpose, email, scope, grants, created_by_kind, expires_at, user_id)
      SELECT 'invitation', email, 'operator', '{}', 'system', now(), id FROM users LIMIT 1`,
  ],
  install_requests_status_check: [
    requestWith("status = 'open', decided_at = now(), decided_by = user_id"),
  ],
  install_requests_decided_check: [
    requestWith("status = 'withdrawn', decided_at = now()"),
    requestWith("status = 'declined', decided_at = now(), decided_by = user_id"),
    requestWith("status = 'accepted', decided_at = now(), decided_by = user_id"),
    requestWith("reason = 'No.'"),
    requestWith('decided_by = user_id'),
  ],
  install_requests_passwords_check: [
    requestWith("passwords = 'x'"),
    requestWith("password_keys = '{pin}'"),
    requestWith('password_keys = NULL'),
  ],
  parties_closed_check: ['UPDATE parties SET closed_at = now()'],
  developers_closed_check: ['UPDATE developers SET closed_at = now()'],
  users_removed_check: [
    'UPDATE users SET removed_at = now()',
    'UPDATE users SET removed_at = now(), suspended_at = now(), operator = true',
  ],
  kept_forms_owner_check: [
    "INSERT INTO kept_forms (sealed, once, expires_at, user_id, developer_id) SELECT 'x', true, now(), users.id, developers.id FROM users, developers LIMIT 1",
    "INSERT INTO kept_forms (sealed, expires_at) VALUES ('x', now())",
    `INSERT INTO kept_forms (sealed, expires_at, user_id, developer_id)
      SELECT 'x', now(), users.id, developers.id FROM users, developers LIMIT 1`,
  ],
  connections_types_check: [
    "UPDATE connections SET buyer_type = 'Seller'",
    "UPDATE connections SET seller_type = 'None'",
  ],
  apps_id_check: ['A', 'a', '-ab', 'ab-', 'a--b', 'a_b', 'a b', '\u00e4pp', 'x'.repeat(65)].map(
    (id) => `INSERT INTO apps (id, developer_id, name, name_key, party_types)
      SELECT '${id}', id, 'X', 'a name of its own', '{Buyer}' FROM developers LIMIT 1`,
  ),
  apps_party_types_check: [
    "UPDATE apps SET party_types = '{}'",
    "UPDATE apps SET party_types = '{None}'",
    "UPDATE apps SET party_types = '{Buyer,None}'",
  ],
  apps_party_types_null_check: ['UPDATE apps SET party_types = NULL'],
  notifications_to_mail_check: [
    `INSERT INTO notifications (user_id, kind, subject_id, to_mail, read_at)
     SELECT id, 'member_joined', 'x', true, now() FROM users LIMIT 1`,
  ],
  schema_release_one_row: ['UPDATE schema_release SET id = false'],
  apps_token_delivery_check: ["UPDATE apps SET token_delivery = 'fragment'"],
  apps_redirect_errors_check: ["UPDATE apps SET redirect_errors = ''"],
  apps_visibility_check: [
    "UPDATE apps SET visibility = 'public'",
    "UPDATE apps SET visibility = ''",
  ],
  install_links_used_check: ['0, 0', '1, 2', '1, -1'].map(
    (uses) => `INSERT INTO install_links (app_id, secret_sha256, uses, used)
      SELECT id, '\\x00', ${uses} FROM apps LIMIT 1`,
  ),
  installations_permissions_null_check: [
    // The guard of installations speaks first; without it the constraint does.
    'ALTER TABLE installations DISABLE TRIGGER installations_guard; UPDATE installations SET permissions = NULL',
  ],
  apps_name_key_check: [
    'UPDATE apps SET name_key = NULL',
    'UPDATE apps SET deleted_at = now(), listed = false',
  ],
  apps_deleted_check: ['UPDATE apps SET deleted_at = now(), name_key = NULL, listed = true'],
  app_versions_version_check: ['', 'x'.repeat(65)].map(
    (
      version,
    ) => `INSERT INTO app_versions (app_id, version, sequence, permissions, settings, acknowledgements)
      SELECT app_id, '${version}', 99, '[]', '{}', '[]' FROM app_versions LIMIT 1`,
  ),
  app_versions_sequence_check: [
    'UPDATE app_versions SET sequence = 0',
    'UPDATE app_versions SET sequence = -sequence',
  ],
  purchase_options_amounts_check: [
    ...['NULL', '-1'].map(
      (rate) =>
        `UPDATE purchase_options SET monthly_rate_minor = ${rate} WHERE pricing_model <> 'TieredBuckets'`,
    ),
    ...['bucket_size', 'rate_per_bucket_minor', 'base_fee_minor'].flatMap((column) => [
      `UPDATE purchase_options SET ${column} = 1 WHERE pricing_model = 'FlatMonthly'`,
      `UPDATE purchase_options SET ${column} = 1 WHERE pricing_model = 'FlatAnnual'`,
      `UPDATE purchase_options SET ${column} = NULL WHERE pricing_model = 'TieredBuckets'`,
      `UPDATE purchase_options SET ${column} = -1 WHERE pricing_model = 'TieredBuckets'`,
    ]),
    "UPDATE purchase_options SET bucket_size = 0 WHERE pricing_model = 'TieredBuckets'",
    "UPDATE purchase_options SET monthly_rate_minor = 1 WHERE pricing_model = 'TieredBuckets'",
    "UPDATE purchase_options SET pricing_model = 'TieredBuckets' WHERE pricing_model = 'FlatMonthly'",
  ],
  app_pictures_kind_check: [pictureWith("'photo', 'x', 1")],
  app_pictures_alt_check: [pictureWith("'screenshot', '', 1")],
  app_pictures_size_check: [pictureWith("'icon', '', 0")],
  terms_documents_size_check: [
    'UPDATE terms_documents SET size = size + 1',
    `INSERT INTO terms_documents (app_id, sha256, media_type, size, content)
      SELECT app_id, 'x', media_type, 1, '' FROM terms_documents LIMIT 1`,
  ],
  terms_documents_pdf_check: [
    'UPDATE terms_documents SET pdf_size = 1',
    'UPDATE terms_documents SET pdf_sha256 = sha256',
  ],
  installations_live_check: [
    'UPDATE installations SET live = NULL',
    'UPDATE installations SET live = false',
    "UPDATE installations SET status = 'uninstalled', uninstalled_at = now()",
    "UPDATE installations SET status = 'uninstalled', uninstalled_at = now(), live = false",
  ],
  installations_suspended_check: ["UPDATE installations SET status = 'suspended'"],
  installations_uninstalled_check: [
    'UPDATE installations SET uninstalled_at = now()',
    "UPDATE installations SET status = 'uninstalled', live = NULL",
  ],
  installations_suspended_by_check: ["UPDATE installations SET suspended_by = 'nobody'"],
  acceptances_kind_check: [
    `INSERT INTO acceptances (installation_id, kind, sha256, version, actor_kind)
      SELECT id, 'other', repeat('0', 64), '1', 'user' FROM installations LIMIT 1`,
  ],
  setting_values_one_check: [
    'UPDATE setting_values SET value = NULL WHERE secret IS NULL',
    "UPDATE setting_values SET value = '1' WHERE secret IS NOT NULL",
  ],
  products_keys_check: ["UPDATE products SET brand = ''", "UPDATE products SET part_number = ''"],
  products_amounts_check: [
    'UPDATE products SET in_stock = -1',
    'UPDATE products SET msrp = -0.01',
    'UPDATE products SET map_price = -0.01',
  ],
  product_imports_status_check: [
    "INSERT INTO product_imports (party_id, status) SELECT id, 'lost' FROM parties LIMIT 1",
  ],
  product_imports_live_check: [
    "INSERT INTO product_imports (party_id, status, live) SELECT id, 'failed', true FROM parties LIMIT 1",
    'INSERT INTO product_imports (party_id, live) SELECT id, false FROM parties LIMIT 1',
  ],
  event_logs_positions_check: [
    ['-1', '-1'],
    ['1', '2'],
  ].map(
    ([position, forgotten]) =>
      `INSERT INTO event_logs (developer_id, position, forgotten)
      SELECT id, ${position}, ${forgotten} FROM developers LIMIT 1
      ON CONFLICT (developer_id) DO UPDATE SET position = ${position}, forgotten = ${forgotten}`,
  ),
  events_installation_check: [
    'UPDATE events SET party_id = NULL WHERE sequence IS NOT NULL',
    'UPDATE events SET sequence = NULL WHERE sequence IS NOT NULL',
    'UPDATE events SET sequence = 1 WHERE installation_id IS NULL',
  ],
  events_position_check: ['UPDATE events SET position = 0'],
  events_sequence_check: ['UPDATE events SET sequence = 0 WHERE sequence = 1'],
  event_consumers_position_check: [
    "INSERT INTO event_consumers (developer_id, name, position) SELECT id, 'x', -1 FROM developers",
  ],
  webhook_endpoints_slot_check: ['slot => 0', 'slot => 17'].map(endpointWith),
  webhook_endpoints_lists_check: [
    'event_types => NULL',
    'header_names => NULL',
    "header_names => '{x}'",
    "headers => 'x'",
  ].map(endpointWith),
  webhook_endpoints_disabled_check: [
    'disabled_at => now()',
    "disabled_reason => 'gone'",
    "disabled_at => now(), disabled_reason => 'bored'",
  ].map(endpointWith),
  webhook_endpoints_previous_secret_check: [
    "previous_secret => 'x'",
    'previous_secret_until => now()',
  ].map(endpointWith),
  webhook_endpoints_window_check: ['window_id => gen_random_uuid()', 'window_until => now()'].map(
    endpointWith,
  ),
  webhook_deliveries_status_check: ["status => 'lost', due_at => NULL, finished_at => now()"].map(
    deliveryWith,
  ),
  webhook_deliveries_due_check: ['due_at => NULL', "status => 'failed', finished_at => now()"].map(
    deliveryWith,
  ),
  webhook_deliveries_lease_check: ['lease => gen_random_uuid()', 'lease_until => now()'].map(
    deliveryWith,
  ),
  webhook_deliveries_finished_check: [
    'finished_at => now()',
    "status => 'failed', due_at => NULL",
  ].map(deliveryWith),
}

/** An endpoint that is right but for some columns, in the form `column => value, ...`. */
function endpointWith(wrong: string): string {
  const columns = { ...ENDPOINT, ...columnsOf(wrong) }
  return `INSERT INTO webhook_endpoints (${Object.keys(columns)})
    SELECT ${Object.values(columns)} FROM apps LIMIT 1`
}

/** A delivery that is right but for some columns, likewise. */
function deliveryWith(wrong: string): string {
  const columns = { ...DELIVERY, ...columnsOf(wrong) }
  return `WITH endpoint AS (${endpointWith('slot => 1')} RETURNING id)
    INSERT INTO webhook_deliveries (${Object.keys(columns)})
    SELECT ${Object.values(columns)} FROM endpoint`
}

function columnsOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split(', ').map((one) => one.split(' => ') as [string, string]))
}

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Runs a statement that must fail; nothing of it stays. */
async function refusal(sql: string): Promise<{ code?: string; constraint?: string }> {
  const client = await market.deps.pool.connect()
  try {
    await client.query('BEGIN')
    const { rowCount } = await client.query(sql)
    return { code: `${rowCount} rows were changed` }
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    return { ...(code && { code }), ...(constraint && { constraint }) }
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test('every CHECK constraint of the database is among the cases', async () => {
  const { rows } = await market.deps.pool.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype = 'c'`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(REFUSED).sort())
})

test.each(Object.entries(REFUSED).flatMap(([name, all]) => all.map((sql) => [name, sql] as const)))(
  '%s refuses: %s',
  async (constraint, sql) => {
    expect(await refusal(sql)).toEqual({ code: '23514', constraint })
  },
)
