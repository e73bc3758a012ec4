-- Counts and lists leave out who was removed and what was closed, and see that in the index. Writes
-- to a table wait while its indexes are made; who cannot have that makes them beforehand, each with
-- CREATE INDEX CONCURRENTLY under the same name: IF NOT EXISTS passes over them here.
CREATE INDEX IF NOT EXISTS "developers_suspended_closed_idx" ON "developers"("created_at", "id", "closed_at") WHERE (suspended_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS "parties_suspended_closed_idx" ON "parties"("id", "closed_at") WHERE (suspended_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS "users_created_at_id_removed_at_idx" ON "users"("created_at", "id", "removed_at");
CREATE INDEX IF NOT EXISTS "users_suspended_removed_idx" ON "users"("created_at", "id", "removed_at") WHERE (suspended_at IS NOT NULL);

-- Each begins as one of those above, which the release before this one uses as well.
DROP INDEX IF EXISTS "developers_suspended_idx";
DROP INDEX IF EXISTS "parties_suspended_idx";
DROP INDEX IF EXISTS "users_created_at_id_idx";
DROP INDEX IF EXISTS "users_suspended_idx";
