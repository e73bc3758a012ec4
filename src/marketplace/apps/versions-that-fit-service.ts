import { Prisma } from '../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../base/database/page-bytes.ts'
import type { Db } from '../../base/database/transaction.ts'

/**
 * How many of these versions, from the first on, fit into one page of a list (`PAGE_BYTES_MAX`): at
 * least one if there is any.
 */
export function countVersionsThatFit(
  db: Db,
  versions: readonly { appId: string; version: string }[],
): Promise<number> {
  const appIds = versions.map(({ appId }) => appId)
  const names = versions.map(({ version }) => version)
  return countThatFit(
    db,
    Prisma.sql`
      SELECT octet_length(a.description) + octet_length(v.release_notes)
        + octet_length(v.settings::text)
        + octet_length(v.permissions::text) + octet_length(v.acknowledgements::text)
        + (
          SELECT coalesce(sum(octet_length(o.name) + octet_length(o.description)), 0)
          FROM purchase_options o WHERE o.app_id = v.app_id AND o.version = v.version
        ) AS bytes
      FROM app_versions v JOIN apps a ON a.id = v.app_id
      WHERE v.app_id = (${appIds}::text[])[${PLACE}] AND v.version = (${names}::text[])[${PLACE}]`,
  )
}
