import type { Deps } from '../../deps.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** How often an app was installed on each of the last days (UTC), the oldest first. */
export async function readInstallsByDay(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  developerId: string,
  appId: string,
): Promise<readonly { day: Date; installs: number }[]> {
  const today = Math.floor(now().getTime() / DAY_MS)
  const days = Array.from({ length: DAYS }, (_, index) => today - DAYS + 1 + index)
  const first = new Date((today - DAYS + 1) * DAY_MS)
  const rows = await db.$queryRaw<{ day: number; installs: number }[]>`
    SELECT floor(extract(epoch FROM install_date) / 86400)::int AS day, count(*)::int AS installs
    FROM installations
    WHERE developer_id = ${developerId}::uuid AND app_id = ${appId} AND install_date >= ${first}
    GROUP BY 1`
  const counted = new Map(rows.map(({ day, installs }) => [day, installs]))
  return days.map((day) => ({ day: new Date(day * DAY_MS), installs: counted.get(day) ?? 0 }))
}
