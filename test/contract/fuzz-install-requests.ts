import type { TestMarketplace } from '../setup/app.ts'

const ASKED = { id: 'asking.parties', requestId: 'asking.requests' }

/** Requests of members that are to succeed. */
export const INSTALL_REQUEST_AIMS = {
  createInstallRequest: { path: { id: 'free.parties' }, body: 'free.bodies' },
  listInstallRequests: { path: { id: 'asking.parties' } },
  acceptInstallRequest: { path: ASKED },
  declineInstallRequest: { path: ASKED, body: 'request.refusals' },
  deleteInstallRequest: { path: ASKED },
}

const WAITING = 6

/** Requests of the user that wait, and what the user can ask for. */
export async function installRequestPools(
  { deps: { pool } }: TestMarketplace,
  userId: string,
): Promise<Map<string, unknown[]>> {
  await pool.query('DELETE FROM install_requests')
  const { rows: free } = await pool.query<{ app: string; version: string; party: number }>(
    `SELECT a.id AS app, a.version, p.id AS party FROM apps a CROSS JOIN parties p
     WHERE a.deleted_at IS NULL AND a.listed AND a.id LIKE 'app-%' AND p.type <> 'None'
       AND p.closed_at IS NULL AND p.name NOT LIKE 'Members %'
       AND EXISTS (SELECT 1 FROM purchase_options o
                   WHERE o.app_id = a.id AND o.version = a.version AND o.id = 'free')
       AND NOT EXISTS (SELECT 1 FROM app_versions v
                       WHERE v.app_id = a.id AND v.version = a.version
                         AND (v.terms_sha256 IS NOT NULL OR v.acknowledgements <> '[]'))
       AND NOT EXISTS (SELECT 1 FROM installations i
                       WHERE i.app_id = a.id AND i.party_id = p.id
                         AND (i.live OR i.suspended_by = 'operator'))
     ORDER BY a.id, p.id LIMIT ${2 * WAITING}`,
  )
  const asked = free.slice(0, WAITING)
  const { rows } = await pool.query<{ id: string; party_id: number }>(
    `INSERT INTO install_requests (party_id, user_id, app_id, version, purchase_option_id,
       user_settings, password_keys, consent)
     SELECT party, $1, app, version, 'free', '{}', '{}',
       '{"acknowledgements":[],"termsDocument":null}'
     FROM unnest($2::int[], $3::text[], $4::text[]) AS asked (party, app, version)
     RETURNING id, party_id`,
    [
      ...[userId, asked.map(({ party }) => party)],
      ...[asked.map(({ app }) => app), asked.map(({ version }) => version)],
    ],
  )
  const others = free.slice(WAITING)
  return new Map<string, unknown[]>([
    ['asking.parties', rows.map((row) => row.party_id)],
    ['asking.requests', rows.map(({ id }) => id)],
    ['request.refusals', [{ reason: 'Not now.' }]],
    ['free.parties', others.map(({ party }) => party)],
    ['free.bodies', others.map(({ app }) => ({ appId: app, purchaseOptionId: 'free' }))],
  ])
}
