-- What is new in a version, in the words of its developer.
ALTER TABLE "app_versions" ADD COLUMN "release_notes" TEXT NOT NULL DEFAULT '';

UPDATE "schema_release" SET "version" = '20261129170100_release_notes';
