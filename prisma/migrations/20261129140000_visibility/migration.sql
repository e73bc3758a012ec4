-- Who finds an app: nobody but its developer's sandbox, some accounts, those who have its address, or
-- everybody.

ALTER TABLE "apps" ADD COLUMN "visibility" TEXT NOT NULL DEFAULT 'draft'
    CONSTRAINT "apps_visibility_check" CHECK ("visibility" IN ('draft', 'private', 'unlisted', 'listed'));
-- Constraints are added before rows are checked: `listed` says the same for the release before.
UPDATE "apps" SET "visibility" = 'listed' WHERE "listed";

-- The release before knows `listed` alone: what it writes there is written here, and the other way
-- round. What it takes out of the catalogue is a draft, which nobody finds, as in that release.
CREATE FUNCTION keep_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."listed" THEN NEW."visibility" := 'listed'; END IF;
  ELSIF NEW."visibility" = OLD."visibility" AND NEW."listed" <> OLD."listed" THEN
    NEW."visibility" := CASE WHEN NEW."listed" THEN 'listed' ELSE 'draft' END;
  END IF;
  NEW."listed" := NEW."visibility" = 'listed';
  RETURN NEW;
END
$$;

CREATE TRIGGER "apps_listed_kept"
  BEFORE INSERT OR UPDATE OF "listed", "visibility" ON "apps"
  FOR EACH ROW EXECUTE FUNCTION keep_listed();

-- Links with which accounts find a private app. Only the hash of the secret is kept.
CREATE TABLE "install_links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "app_id" TEXT NOT NULL,
    "secret_sha256" BYTEA NOT NULL,
    "party_id" INTEGER,
    "uses" INTEGER,
    "used" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "install_links_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "install_links_app_id_fkey"
        FOREIGN KEY ("app_id") REFERENCES "apps" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "install_links_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "install_links_used_check"
        CHECK ("used" >= 0 AND ("uses" IS NULL OR ("uses" > 0 AND "used" <= "uses")))
);
CREATE UNIQUE INDEX "install_links_secret_sha256_key" ON "install_links" ("secret_sha256");
CREATE INDEX "install_links_app_id_created_at_id_idx" ON "install_links" ("app_id", "created_at", "id");
CREATE INDEX "install_links_party_id_idx" ON "install_links" ("party_id");

-- The accounts that may find and install an app while it is private: those that its developer named,
-- and those that used a link. Who used a link loses the app with the link.
CREATE TABLE "app_audience" (
    "app_id" TEXT NOT NULL,
    "party_id" INTEGER NOT NULL,
    "link_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_audience_pkey" PRIMARY KEY ("app_id", "party_id"),
    CONSTRAINT "app_audience_app_id_fkey"
        FOREIGN KEY ("app_id") REFERENCES "apps" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_audience_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "app_audience_link_id_fkey"
        FOREIGN KEY ("link_id") REFERENCES "install_links" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "app_audience_party_id_app_id_idx" ON "app_audience" ("party_id", "app_id");
CREATE INDEX "app_audience_link_id_idx" ON "app_audience" ("link_id");

UPDATE "schema_release" SET "version" = '20261129140000_visibility';
