import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../src/base/database/migrate.ts'
import { readMigrations } from '../../src/base/database/migration-files.ts'
import { createTestDatabase } from '../setup/database.ts'

const MIGRATION = '20261129160000_accepted_texts'
/** What JSON escapes, and what only some encoders do. */
const TRICKY = 'a "b" \\ /\b\f\n\r\t\u0001\u001f\u007f\u2028\u{1f600}<é>'

const database = await createTestDatabase({ empty: true })
afterAll(() => database.drop())

test('the words that versions still have are found by the hashes that were accepted', async () => {
  const all = await readMigrations()
  const place = all.findIndex(({ name }) => name === MIGRATION)
  await migrate(database.url, undefined, Promise.resolve(all.slice(0, place)))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const installationId = await seed(client)
  const words = [
    ['Plain', 'Kept.'],
    ['Tricky', TRICKY],
    ['Gone', 'No version has it.'],
  ] as const
  const hashOf = (one: readonly string[]) =>
    createHash('sha256').update(JSON.stringify(one)).digest('hex')
  for (const [index, one] of words.entries()) {
    await client.query(
      `INSERT INTO acceptances (installation_id, kind, subject_id, sha256, version, actor_kind)
       VALUES ($1, 'acknowledgement', $2, $3, '1', 'user')`,
      [installationId, String(index), hashOf(one)],
    )
  }
  const asked = [...words.slice(0, 2), ['Unaccepted', 'Nobody did.']]
  await client.query(`UPDATE app_versions SET acknowledgements = $1`, [
    JSON.stringify(asked.map(([title, text], index) => ({ id: String(index), title, text }))),
  ])
  await migrate(database.url)
  const { rows } = await client.query('SELECT sha256, title, text FROM accepted_texts ORDER BY 2')
  await client.end()
  expect(rows).toEqual(
    words.slice(0, 2).map(([title, text]) => ({ sha256: hashOf([title, text]), title, text })),
  )
})

/** An installation of an app with one version. @returns its id */
async function seed(client: pg.Client): Promise<string> {
  const [developer, installation] = [randomUUID(), randomUUID()]
  await client.query(`
    INSERT INTO parties (id, name, type) VALUES (1, 'Sandbox', 'None'), (2, 'Seller', 'Seller');
    INSERT INTO developers (id, name, sandbox_party_id) VALUES ('${developer}', 'D', 1);
    INSERT INTO apps (id, developer_id, name, name_key, party_types)
      VALUES ('app', '${developer}', 'App', 'app', '{Seller}');
    INSERT INTO app_versions (app_id, version, sequence, permissions, settings, acknowledgements)
      VALUES ('app', '1', 1, '[]', '{}', '[]');
    INSERT INTO purchase_options (app_id, version, id, name, pricing_model, currency, monthly_rate_minor)
      VALUES ('app', '1', 'free', 'Free', 'FlatMonthly', 'USD', 0);
    INSERT INTO installations (id, app_id, developer_id, party_id, party_type, purchase_option_id,
        installed_version, permissions)
      VALUES ('${installation}', 'app', '${developer}', 2, 'Seller', 'free', '1', '{}')`)
  return installation
}
