-- The schema that the database has, and the oldest release that can work with it. A release is named
-- by the last migration that it brings. A migration that takes something away which the release
-- before still uses raises compatible_from, in the same file.
CREATE TABLE "schema_release" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "version" TEXT NOT NULL,
    "compatible_from" TEXT NOT NULL,

    CONSTRAINT "schema_release_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schema_release_one_row" CHECK ("id")
);

INSERT INTO "schema_release" ("version", "compatible_from")
VALUES ('20261122130000_schema_release', '20261122130000_schema_release');
