import type { Prisma } from '../../base/database/generated/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { limitOfInstallation } from './budget.ts'
import { dayAt, dayOf, dayText } from './days.ts'
import {
  type InstallationUsage,
  USAGE_KEPT_DAYS,
  USAGE_SHOWN_DAYS,
  type UsageQuery,
} from './usage.ts'

const DAY_MS = 86_400_000

type ReadDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now'>

/**
 * How an installation uses its permissions, uninstalled ones included. What is not written yet is not
 * in it: the counts of up to the last minute.
 *
 * @param where whose installation it must be
 * @throws AppError invalid_request when the days are in the wrong order or too many; not_found
 */
export async function readUsage(
  { db, pool, config, now }: ReadDeps,
  installationId: string,
  where: Prisma.InstallationWhereInput,
  asked: UsageQuery = {},
): Promise<InstallationUsage> {
  const today = dayAt(now())
  const { from, to } = daysOf(asked, today)
  const installation = await db.installation.findFirst({
    where: { AND: [{ id: installationId }, where] },
    select: { id: true, permissions: true, installDate: true, usageCountedFrom: true },
  })
  if (installation === null) throw new AppError('not_found')
  const { id } = installation
  const [days, lastUses, grants] = await Promise.all([
    readDays(pool, id, dayText(from), dayText(to)),
    readLastUses(pool, id),
    readGrants(pool, id),
  ])
  const keptFrom = new Date((today - USAGE_KEPT_DAYS + 1) * DAY_MS)
  const countedFrom = latest(keptFrom, installation.usageCountedFrom)
  return {
    from: dayText(from),
    to: dayText(to),
    limitPerMinute: limitOfInstallation(config),
    days,
    permissions: installation.permissions.map((permission) => {
      const lastUsedAt = lastUses.get(permission) ?? null
      const grantedAt = grants.get(permission) ?? installation.installDate
      return { permission, lastUsedAt, unusedSince: lastUsedAt ?? latest(grantedAt, countedFrom) }
    }),
  }
}

/** @throws AppError invalid_request */
function daysOf({ from, to }: UsageQuery, today: number): { from: number; to: number } {
  const last = to === undefined ? today : dayOf(to)
  const first = from === undefined ? last - USAGE_SHOWN_DAYS + 1 : dayOf(from)
  const problem =
    first > last
      ? `must not be after ${dayText(last)}`
      : last - first >= USAGE_KEPT_DAYS
        ? `must lie at most ${USAGE_KEPT_DAYS - 1} days before ${dayText(last)}`
        : undefined
  if (problem === undefined) return { from: first, to: last }
  throw new AppError('invalid_request', {
    detail: 'The query has problems.',
    errors: [{ pointer: '/from', detail: problem }],
  })
}

function latest(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one
}

async function readDays(
  pool: Deps['pool'],
  installationId: string,
  from: string,
  to: string,
): Promise<InstallationUsage['days']> {
  const { rows } = await pool.query<InstallationUsage['days'][number]>(
    `SELECT day::text, permission, requests::float8, records::float8, refusals
     FROM usage_days WHERE installation_id = $1 AND day BETWEEN $2 AND $3
     ORDER BY usage_days.day, permission`,
    [installationId, from, to],
  )
  return rows
}

/** Permission -> when it was used last. */
async function readLastUses(
  pool: Deps['pool'],
  installationId: string,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await pool.query<{ permission: string; at: Date }>(
    `SELECT permission, max(last_used_at) AS at FROM usage_days
     WHERE installation_id = $1 AND last_used_at IS NOT NULL GROUP BY permission`,
    [installationId],
  )
  return new Map(rows.map(({ permission, at }) => [permission, at]))
}

/** Permission -> the last upgrade that brought it, as the audit trail tells; not those of the install. */
async function readGrants(
  pool: Deps['pool'],
  installationId: string,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await pool.query<{ permission: string; at: Date }>(
    `SELECT g.permission, max(e.at) AS at FROM audit_events e
     CROSS JOIN LATERAL jsonb_array_elements_text(e.after -> 'permissions') AS g (permission)
     WHERE e.subject_id = $1 AND e.subject_kind = 'installation'
       AND e.action = 'installation.upgraded' AND NOT e.before -> 'permissions' ? g.permission
     GROUP BY g.permission`,
    [installationId],
  )
  return new Map(rows.map(({ permission, at }) => [permission, at]))
}
