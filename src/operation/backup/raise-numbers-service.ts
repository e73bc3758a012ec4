import type { ClientBase } from 'pg'

/**
 * SQL that raises the numbers that a restored database would give out a second time, above all that
 * the lost one can have given out. docs/backup-and-upgrade.md has it, too, for those who use pg_restore.
 *
 * - Revisions of products become the time in milliseconds: a party makes fewer than one in each.
 *   Cursors of the change feed are then too old, and pages have other ETags.
 * - Other revisions rise by a million: one record changes less often between two backups.
 * - Generations of tokens do, too: all tokens of installations and users end, also those that were
 *   revoked in the lost state.
 * - Sessions have no number, so they are deleted: one that ended in the lost state stays ended, and
 *   everybody signs in again.
 * - Ids and the like go on after the time in microseconds, because an import takes many at once, or,
 *   where the column is an integer, a million further on.
 */
export const RAISE_NUMBERS = `\
UPDATE parties SET catalogue_revision =
  greatest(catalogue_revision + 1, trunc(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
UPDATE parties SET feed_from_revision = catalogue_revision;
UPDATE apps SET revision = revision + 1000000;
UPDATE installations SET revision = revision + 1000000,
  token_generation = token_generation + 1000000 WHERE status <> 'uninstalled';
UPDATE users SET token_generation = token_generation + 1000000;
DELETE FROM sessions;
DELETE FROM developer_sessions;
UPDATE webhook_endpoints SET revision = revision + 1000000;
SELECT setval(format('%I.%I', schemaname, sequencename),
  CASE WHEN data_type = 'integer'::regtype THEN coalesce(last_value, 0) + 1000000
  ELSE greatest(coalesce(last_value, 0) + 1,
    trunc(extract(epoch FROM clock_timestamp()) * 1000000)::bigint) END)
FROM pg_sequences WHERE schemaname = 'public';
`

/**
 * Sees to it that nothing which was given out before a restore (cursors, ETags, ids) means something
 * else afterwards, and that no token of an installation or user and no session is accepted. In the
 * transaction of the restore.
 */
export async function raiseNumbers(client: ClientBase): Promise<void> {
  await client.query(RAISE_NUMBERS)
}
