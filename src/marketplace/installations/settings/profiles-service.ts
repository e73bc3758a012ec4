import type { Db } from '../../../base/database/transaction.ts'
import type { SettingsProfile } from '../../apps/settings/definitions.ts'

/** An option of a version of an app, as an installation names it. */
type ChosenOption = { appId: string; installedVersion: string; purchaseOptionId: string }

const keyOf = (one: ChosenOption) =>
  JSON.stringify([one.appId, one.installedVersion, one.purchaseOptionId])

/**
 * Reads the settings of purchase options. Postgres takes them out of their versions, each version
 * once: all settings of one have up to 1 MiB, which would occupy the process.
 *
 * @returns tells the profile of each of them; empty when it has none
 */
export async function readProfiles(
  db: Db,
  chosen: readonly ChosenOption[],
): Promise<(one: ChosenOption) => SettingsProfile> {
  const options = [...new Map(chosen.map((one) => [keyOf(one), one])).values()]
  const rows = await db.$queryRaw<(ChosenOption & { profile: SettingsProfile })[]>`
    SELECT v.app_id AS "appId", v.version AS "installedVersion", p.key AS "purchaseOptionId",
      p.value AS profile
    FROM (
      SELECT app_id, version, array_agg(option_id) AS option_ids
      FROM unnest(
        ${options.map(({ appId }) => appId)}::text[],
        ${options.map(({ installedVersion }) => installedVersion)}::text[],
        ${options.map(({ purchaseOptionId }) => purchaseOptionId)}::text[]
      ) AS wanted (app_id, version, option_id)
      GROUP BY app_id, version
    ) AS wanted
    JOIN app_versions v USING (app_id, version)
    CROSS JOIN LATERAL json_each(v.settings) AS p
    WHERE p.key = ANY (wanted.option_ids)`
  const profiles = new Map(rows.map((row) => [keyOf(row), row.profile]))
  return (one) => profiles.get(keyOf(one)) ?? {}
}
