-- Every list reads its page from an index that has the list's order. Writes to a table wait while
-- its indexes are made; who cannot have that makes them beforehand, each with CREATE INDEX
-- CONCURRENTLY under the same name: IF NOT EXISTS passes over them here.
CREATE INDEX IF NOT EXISTS "developers_created_at_id_idx" ON "developers"("created_at", "id");
CREATE INDEX IF NOT EXISTS "developers_suspended_idx" ON "developers"("created_at", "id") WHERE (suspended_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS "parties_type_id_idx" ON "parties"("type", "id");
CREATE INDEX IF NOT EXISTS "parties_suspended_idx" ON "parties"("id") WHERE (suspended_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS "users_created_at_id_idx" ON "users"("created_at", "id");
CREATE INDEX IF NOT EXISTS "users_suspended_idx" ON "users"("created_at", "id") WHERE (suspended_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS "connections_seller_id_buyer_id_idx" ON "connections"("seller_id", "buyer_id");
CREATE INDEX IF NOT EXISTS "apps_kept_idx" ON "apps"("id") WHERE (deleted_at IS NULL);
CREATE INDEX IF NOT EXISTS "apps_listed_idx" ON "apps"("id") WHERE (listed AND (suspended_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX IF NOT EXISTS "apps_suspended_idx" ON "apps"("id") WHERE ((suspended_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX IF NOT EXISTS "apps_developer_kept_idx" ON "apps"("developer_id", "id") WHERE (deleted_at IS NULL);
CREATE INDEX IF NOT EXISTS "apps_party_types_idx" ON "apps" USING GIN ("party_types");
CREATE INDEX IF NOT EXISTS "installations_live_idx" ON "installations"("install_date", "id") WHERE (live);
CREATE INDEX IF NOT EXISTS "installations_developer_live_idx" ON "installations"("developer_id", "install_date", "id") WHERE (live);
CREATE INDEX IF NOT EXISTS "installations_developer_type_live_idx" ON "installations"("developer_id", "party_type", "install_date", "id") WHERE (live);
CREATE INDEX IF NOT EXISTS "installations_app_live_idx" ON "installations"("app_id", "install_date", "id") WHERE (live);
CREATE INDEX IF NOT EXISTS "installations_status_install_date_id_idx" ON "installations"("status", "install_date", "id");
CREATE INDEX IF NOT EXISTS "installations_developer_id_status_install_date_id_idx" ON "installations"("developer_id", "status", "install_date", "id");
CREATE INDEX IF NOT EXISTS "installations_app_id_status_install_date_id_idx" ON "installations"("app_id", "status", "install_date", "id");
CREATE INDEX IF NOT EXISTS "installations_developer_id_updated_at_idx" ON "installations"("developer_id", "updated_at");
CREATE INDEX IF NOT EXISTS "installations_version_live_idx" ON "installations"("app_id", "installed_version") WHERE (live);

-- Each begins as one of those above, which the release before this one uses as well.
DROP INDEX IF EXISTS "connections_seller_id_idx";
DROP INDEX IF EXISTS "apps_developer_id_idx";
DROP INDEX IF EXISTS "installations_app_id_install_date_id_idx";
