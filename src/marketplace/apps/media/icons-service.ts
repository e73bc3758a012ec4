import type { Deps } from '../../../deps.ts'

/** Adds to each entry of a list the id of the icon of its app, or null for none. */
export async function withIcons<Entry extends { appId: string }>(
  { db }: Pick<Deps, 'db'>,
  entries: readonly Entry[],
): Promise<(Entry & { iconId: string | null })[]> {
  const rows = await db.app.findMany({
    where: { id: { in: [...new Set(entries.map(({ appId }) => appId))] }, iconId: { not: null } },
    select: { id: true, iconId: true },
  })
  const icons = new Map(rows.map(({ id, iconId }) => [id, iconId]))
  return entries.map((entry) => ({ ...entry, iconId: icons.get(entry.appId) ?? null }))
}
