import type { Deps } from '../../deps.ts'

const DAYS = 30
const DAY_MS = 86_400_000

type DayOfApp = { day: Date; installs: number; uninstalls: number }

/** How often an app was installed and uninstalled on each of the last days (UTC), the oldest first. */
export async function readInstallsByDay(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  developerId: string,
  appId: string,
): Promise<readonly DayOfApp[]> {
  const today = Math.floor(now().getTime() / DAY_MS)
  const days = Array.from({ length: DAYS }, (_, index) => today - DAYS + 1 + index)
  const first = new Date((today - DAYS + 1) * DAY_MS)
  const rows = await db.$queryRaw<{ day: number; installs: number; uninstalls: number }[]>`
    SELECT floor(extract(epoch FROM at) / 86400)::int AS day,
      count(*) FILTER (WHERE installed)::int AS installs,
      count(*) FILTER (WHERE NOT installed)::int AS uninstalls
    FROM (
      SELECT install_date AS at, true AS installed FROM installations
      WHERE developer_id = ${developerId}::uuid AND app_id = ${appId} AND install_date >= ${first}
      UNION ALL
      SELECT uninstalled_at, false FROM installations
      WHERE developer_id = ${developerId}::uuid AND app_id = ${appId} AND uninstalled_at >= ${first}
    ) AS changes
    GROUP BY 1`
  const counted = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => {
    const { installs = 0, uninstalls = 0 } = counted.get(day) ?? {}
    return { day: new Date(day * DAY_MS), installs, uninstalls }
  })
}
