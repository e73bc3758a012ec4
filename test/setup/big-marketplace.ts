import type pg from 'pg'
import type { Deps } from '../../src/deps.ts'
import type { SharedMarketplace } from './app.ts'

/** Ids in a marketplace that has many of everything. */
export type Big = {
  /** The first demo developer has nearly all apps; another one has a single app. */
  bigDeveloper: string
  smallDeveloper: string
  /** One app has nearly all installations, another one has a single one. */
  bigApp: string
  smallApp: string
  /** A Seller that all Buyers are connected with, which has most entries of the trail. */
  bigParty: number
  /** A Buyer with a single installation. */
  smallParty: number
  user: string
  installation: string
}

/** The tables of which no list may read more than its page. */
export const BIG_TABLES = new Set([
  'installations',
  'apps',
  'users',
  'parties',
  'developers',
  'audit_events',
  'connections',
])

/** How many there are of each; of the installations some are uninstalled. */
export type Sizes = Record<
  'parties' | 'users' | 'developers' | 'apps' | 'installed' | 'uninstalled' | 'auditEntries',
  number
>

const SIZES: Sizes = {
  parties: 20_000,
  users: 20_000,
  developers: 12_000,
  apps: 12_000,
  installed: 10_000,
  uninstalled: 10_000,
  auditEntries: 40_000,
}
/** Rows that one statement writes. */
const AT_ONCE = 4_000
const ENTRIES_AT_ONCE = 40_000

/**
 * Fills a marketplace with ten thousands of everything, beside the demo. What is rare comes last or
 * not at all; whoever left, left at the beginning.
 *
 * @param patient a connection without the time limits of a server
 */
export async function seedBigMarketplace(
  patient: Pick<pg.Client, 'query'>,
  { deps: { db }, demo }: Pick<SharedMarketplace, 'demo'> & { deps: Pick<Deps, 'db'> },
  sizes: Sizes = SIZES,
): Promise<Big> {
  const [first, second] = demo.developers
  const idOf = async (clientId = '') =>
    (await db.developerCredential.findUniqueOrThrow({ where: { clientId } })).developerId
  const bigDeveloper = await idOf(first?.clientId)
  const seller = demo.users.find(({ partyType }) => partyType === 'Seller')
  const { id: user } = await db.user.findUniqueOrThrow({ where: { email: seller?.email ?? '' } })
  const bigParty = seller?.partyId ?? 0
  const { rows: others } = await patient.query<{ id: number }>(`
    INSERT INTO parties (name, type, created_at)
    SELECT 'Seeded party ' || n, CASE WHEN n % 400 = 0 THEN 'Seller' ELSE 'Buyer' END::"PartyType",
      now() - n * interval '1 minute'
    FROM generate_series(1, ${sizes.parties}) n RETURNING id`)
  await patient.query(`
    INSERT INTO users (email, name, password_hash, created_at)
    SELECT 'seeded-' || n || '@users.example', 'Seeded user ' || n, '-', now() - n * interval '1 minute'
    FROM generate_series(1, ${sizes.users}) n`)
  await patient.query(`
    WITH sandboxes AS (
      INSERT INTO parties (name, type) SELECT 'Sandbox ' || n, 'None'
      FROM generate_series(1, ${sizes.developers}) n RETURNING id)
    INSERT INTO developers (name, sandbox_party_id, created_at)
    SELECT 'Seeded developer ' || id, id, now() - id * interval '1 minute' FROM sandboxes`)
  await patient.query(
    `WITH made AS (
      INSERT INTO apps (id, developer_id, name, name_key, party_types, listed, description)
      SELECT 'seeded-' || n, $1, 'Seeded app ' || n, 'seededapp' || n, '{Buyer}', true, 'Does work.'
      FROM generate_series(1, ${sizes.apps}) n RETURNING id),
    versions AS (
      INSERT INTO app_versions (app_id, version, sequence, permissions, settings, acknowledgements)
      SELECT id, '1', 1, '[]', '{}', '[]' FROM made RETURNING app_id)
    INSERT INTO purchase_options (app_id, version, id, name, pricing_model, currency, monthly_rate_minor)
    SELECT app_id, '1', 'free', 'Free', 'FlatMonthly', 'USD', 0 FROM versions`,
    [bigDeveloper],
  )
  await patient.query(`UPDATE apps SET version = '1' WHERE version IS NULL`)
  const all = sizes.installed + sizes.uninstalled
  for (let done = 0; done < all; done += AT_ONCE) {
    await patient.query(`
      INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
        installed_version, permissions, status, live, uninstalled_at, install_date, updated_at)
      SELECT 'seeded-1', '${bigDeveloper}', p.id, p.type, 'free', '1', '{}',
        CASE WHEN gone THEN 'uninstalled' ELSE 'active' END::"InstallationStatus",
        CASE WHEN gone THEN NULL ELSE true END, CASE WHEN gone THEN now() - interval '90 days' END,
        now() - (CASE WHEN gone THEN 200 ELSE 100 END) * interval '1 day' + p.id * interval '1 minute',
        now() - interval '60 days' - p.id * interval '1 minute'
      FROM parties p, (VALUES (true), (false)) AS both_kinds (gone)
      WHERE p.type <> 'None' AND p.name LIKE 'Seeded party %'
      ORDER BY gone DESC, p.id LIMIT ${Math.min(AT_ONCE, all - done)} OFFSET ${done}`)
  }
  return { bigDeveloper, user, bigParty, ...(await seedRareThings()) }

  /** A few that differ, a trail, and what the planner knows of all of it. */
  async function seedRareThings() {
    const smallDeveloper = await idOf(second?.clientId)
    const smallParty = others.at(-2)?.id ?? 0
    await patient.query(`UPDATE parties SET name = 'Needle ' || id WHERE id % 5000 = 0`)
    await patient.query(`UPDATE users SET name = 'Needle' WHERE email LIKE 'seeded-7777@%'`)
    await patient.query(`UPDATE apps SET name = 'Needle' WHERE id = 'seeded-7777'`)
    await patient.query(`UPDATE developers SET name = 'Needle' WHERE name LIKE '%7777'`)
    for (const table of ['parties', 'users', 'developers', 'apps']) {
      await patient.query(`UPDATE ${table} SET suspended_at = now() WHERE name LIKE '%99'`)
    }
    const { rows } = await patient.query<{ id: string }>(
      `INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
         installed_version, permissions, status, suspended_at)
       VALUES ('seeded-2', $1, $2, 'Buyer', 'free', '1', '{}', 'suspended', now()) RETURNING id`,
      [bigDeveloper, smallParty],
    )
    await patient.query(
      `INSERT INTO connections (buyer_id, seller_id)
       SELECT id, $1 FROM parties WHERE type = 'Buyer' ON CONFLICT DO NOTHING`,
      [bigParty],
    )
    await patient.query(
      `INSERT INTO memberships (user_id, party_id) SELECT $1, id FROM parties
       WHERE type = 'Seller' ORDER BY id LIMIT 4 ON CONFLICT DO NOTHING`,
      [user],
    )
    for (let done = 0; done < sizes.auditEntries; done += ENTRIES_AT_ONCE) {
      await patient.query(
        `INSERT INTO audit_events (at, actor_kind, actor_id, action, subject_kind, subject_id,
           developer_id, party_id)
         SELECT now() - ($6 - n) * interval '5 minutes', 'user', $1::text,
           'installation.settings_changed', 'installation', 'i' || n % 5000, $2::uuid,
           CASE WHEN n % 4 = 0 THEN $4 + n % 1000 ELSE $3 END::int
         FROM generate_series($5 + 1, least($5 + ${ENTRIES_AT_ONCE}, $6::int)) n`,
        [user, bigDeveloper, bigParty, others[0]?.id, done, sizes.auditEntries],
      )
    }
    const tables = [...BIG_TABLES, 'app_versions', 'purchase_options', 'memberships', 'connections']
    for (const table of tables) await patient.query(`VACUUM ANALYZE ${table}`)
    return {
      ...{ smallDeveloper, smallParty, bigApp: 'seeded-1', smallApp: 'seeded-2' },
      installation: rows[0]?.id ?? '',
    }
  }
}
