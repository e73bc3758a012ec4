import { Prisma } from '../../../base/database/generated/client.ts'
import { nextTick } from '../../../base/fair-share/next-tick.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { ignoring } from '../../../errors.ts'
import { isBreaking } from '../../apps/versions/compare-definitions.ts'
import { ofUser } from '../stored-installation-service.ts'
import { previewUpgrade } from '../upgrade-service.ts'
import type { WaitingUpgrade } from './waiting-upgrade.ts'

/** Comparing two large definitions takes 20 ms: a page has no more entries. */
export const UPGRADES_PAGE_MAX = 20

/** More are counted as so many. */
const COUNTED_MAX = 99

/** Whose upgrades: of the user's accounts, or of one of them. */
type Of = { userId: string; partyId: number | undefined }

type Waiting = Pick<WaitingUpgrade, 'appName' | 'partyName' | 'publishedAt' | 'partyId'> & {
  id: string
  appId: string
}

/**
 * The later versions that wait for a user's accounts, in the order of the installations' ids.
 *
 * @returns at most `UPGRADES_PAGE_MAX` of them
 */
export async function listWaitingUpgrades(
  { db }: Pick<Deps, 'db'>,
  of: Of,
  { after, limit }: PageRequest,
): Promise<Page<WaitingUpgrade>> {
  const most = Math.min(limit, UPGRADES_PAGE_MAX)
  const from = after === undefined ? Prisma.empty : Prisma.sql`AND i.id > ${after[0]}::uuid`
  const rows = await db.$queryRaw<Waiting[]>`
    SELECT i.id, i.app_id AS "appId", a.name AS "appName", p.id AS "partyId",
      p.name AS "partyName", v.created_at AS "publishedAt"
    FROM ${waitingFor(of)} ${from}
    ORDER BY i.id LIMIT ${most + 1}`
  const shown = rows.slice(0, most)
  const entries: WaitingUpgrade[] = []
  for (const { id, ...row } of shown) {
    await nextTick()
    const where = ofUser(of.userId)
    // One that was uninstalled since is left out.
    const upgrade = await ignoring('not_found', previewUpgrade({ db }, id, where))
    if (upgrade === undefined || upgrade.upToDate) continue
    entries.push({
      ...row,
      installationId: id,
      from: upgrade.from,
      to: upgrade.to,
      breaking: isBreaking(upgrade.changes),
      permissionsAdded: upgrade.permissions.added.map((permission) => permission.id),
      price: upgrade.price,
    })
  }
  const last = shown.at(-1)
  return { entries, next: rows.length > most && last !== undefined ? [last.id] : undefined }
}

/** How many later versions wait for a user who can agree to them, up to 99. */
export async function countWaitingUpgrades({ db }: Pick<Deps, 'db'>, of: Of): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM ${waitingFor(of)} AND m.role = 'admin' LIMIT ${COUNTED_MAX}
    ) AS waiting`
  return row.count
}

/** Live installations of the accounts whose app has a later version that is offered to them. */
function waitingFor({ userId, partyId }: Of): Prisma.Sql {
  return Prisma.sql`memberships m
    JOIN parties p ON p.id = m.party_id
    JOIN installations i ON i.party_id = m.party_id AND i.live
    JOIN apps a ON a.id = i.app_id AND a.version <> i.installed_version
    JOIN app_versions v ON v.app_id = a.id AND v.version = a.version
    JOIN developers d ON d.id = a.developer_id
    WHERE m.user_id = ${userId}::uuid
      ${partyId === undefined ? Prisma.empty : Prisma.sql`AND m.party_id = ${partyId}`}
      AND CASE WHEN p.type = 'None' THEN d.sandbox_party_id = p.id ELSE p.type = ANY(a.party_types) END`
}
