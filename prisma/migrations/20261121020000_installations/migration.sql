-- AlterTable
ALTER TABLE "users" ADD COLUMN     "token_generation" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "installations" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "suspended_by" TEXT;

-- CreateTable
CREATE TABLE "acceptances" (
    "id" BIGSERIAL NOT NULL,
    "installation_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT,
    "sha256" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "address" TEXT,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acceptances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "acceptances_installation_id_idx" ON "acceptances"("installation_id");

-- AddForeignKey
ALTER TABLE "acceptances" ADD CONSTRAINT "acceptances_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules that schema.prisma cannot express
ALTER TABLE "acceptances"
  ADD CONSTRAINT "acceptances_kind_check" CHECK ("kind" IN ('acknowledgement', 'terms'));

ALTER TABLE "installations"
  ADD CONSTRAINT "installations_suspended_by_check" CHECK ("suspended_by" IN ('developer', 'operator'));

CREATE TRIGGER "acceptances_append_only"
  BEFORE UPDATE OR DELETE ON "acceptances"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "acceptances_no_truncate"
  BEFORE TRUNCATE ON "acceptances"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An installation keeps what it was installed with. Version and permissions are those of a
-- published version and change only in an upgrade, which says so for its transaction with
-- set_config('app_marketplace.upgrading', <installation id>, true). Uninstalled is final.
CREATE FUNCTION guard_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW."id", NEW."app_id", NEW."developer_id", NEW."party_id", NEW."party_type", NEW."install_date")
      IS DISTINCT FROM (OLD."id", OLD."app_id", OLD."developer_id", OLD."party_id", OLD."party_type", OLD."install_date")
    THEN
      RAISE EXCEPTION 'the identity of an installation never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD."status" = 'uninstalled' THEN
      RAISE EXCEPTION 'an uninstalled installation never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW."installed_version", NEW."permissions") IS NOT DISTINCT FROM (OLD."installed_version", OLD."permissions") THEN
      RETURN NEW;
    END IF;
    IF current_setting('app_marketplace.upgrading', true) IS DISTINCT FROM NEW."id"::text THEN
      RAISE EXCEPTION 'version and permissions of an installation change only in an upgrade' USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM "app_versions" v
    WHERE v."app_id" = NEW."app_id" AND v."version" = NEW."installed_version"
      AND NEW."permissions" = ARRAY(
        SELECT p.value ->> 'id' FROM jsonb_array_elements(v."permissions") WITH ORDINALITY AS p (value, position)
        ORDER BY p.position
      )
  ) THEN
    RAISE EXCEPTION 'the permissions are not those of the version' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "installations_guard"
  BEFORE INSERT OR UPDATE ON "installations"
  FOR EACH ROW EXECUTE FUNCTION guard_installation();
