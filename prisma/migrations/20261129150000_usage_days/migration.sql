-- How each installation uses its permissions, day by day.

-- There is no foreign key to the installation: the counts of hundreds of installations are written in
-- one transaction, which would hold all their rows. Counts of an installation that is gone are deleted
-- once they are old.
CREATE TABLE "usage_days" (
    "installation_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "permission" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "records" BIGINT NOT NULL,
    "refusals" JSONB NOT NULL DEFAULT '{}',
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("installation_id", "day", "permission"),
    CONSTRAINT "usage_days_counts_check" CHECK ("requests" > 0 AND "records" >= 0)
);
CREATE INDEX "usage_days_day_idx" ON "usage_days" ("day");

-- Installations that are there already get the time of this migration, new ones nothing. The default
-- is worked out once, and no row is written.
ALTER TABLE "installations"
    ADD COLUMN "usage_counted_from" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "budget_near_on" DATE;
ALTER TABLE "installations" ALTER COLUMN "usage_counted_from" DROP DEFAULT;

UPDATE "schema_release" SET "version" = '20261129150000_usage_days';
