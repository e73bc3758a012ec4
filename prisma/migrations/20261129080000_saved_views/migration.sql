-- The filters of lists that a user has given a name.
ALTER TABLE "users" ADD COLUMN "saved_views" JSONB NOT NULL DEFAULT '[]';

UPDATE "schema_release" SET "version" = '20261129080000_saved_views';
