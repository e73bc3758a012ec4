-- Counts of what was uninstalled lately read this alone.
CREATE INDEX IF NOT EXISTS "installations_uninstalled_idx" ON "installations" ("app_id", "uninstalled_at")
    WHERE (uninstalled_at IS NOT NULL);

UPDATE "schema_release" SET "version" = '20261129120000_uninstalls_by_day';
