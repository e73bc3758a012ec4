-- The JSON of an installation as lists answer it, from the type of its party on: what stands before
-- are its id, its app and the app's name, which are added in reading. It is kept by triggers,
-- whoever writes: also the release before this one, which knows nothing of it. Passwords are not in
-- it; has_passwords says that there are some to be added.
ALTER TABLE "installations"
  ADD COLUMN "body" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "has_passwords" BOOLEAN NOT NULL DEFAULT false;

-- Moments are ISO 8601 in UTC with milliseconds; settings are in the order of their keys.
CREATE FUNCTION installation_body(i "installations") RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT concat(
      ',"partyType":"', i."party_type", '","partyId":', i."party_id",
      ',"partyName":', (SELECT to_json(p."name") FROM "parties" p WHERE p."id" = i."party_id"),
      ',"installDate":"', to_char(i."install_date" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      '","purchaseOptionId":', to_json(i."purchase_option_id"),
      ',"installedVersion":', to_json(i."installed_version"),
      ',"userSettings":{', s."of_users", '},"adminSettings":{', s."of_admins",
      '},"status":"', i."status", '","permissions":', array_to_json(i."permissions"),
      ',"updatedAt":"', to_char(i."updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      '"}')
    FROM (
      SELECT
        string_agg(to_json(v."key") || ':' || v."value", ',' ORDER BY v."key" COLLATE "C")
          FILTER (WHERE v."scope" = 'user') AS "of_users",
        string_agg(to_json(v."key") || ':' || to_json(v."value" #>> '{}'), ',' ORDER BY v."key" COLLATE "C")
          FILTER (WHERE v."scope" = 'admin') AS "of_admins"
      FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NULL
    ) AS s
  );
END
$$;

CREATE FUNCTION keep_installation_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."body" := installation_body(NEW);
  RETURN NEW;
END
$$;

CREATE FUNCTION keep_body_of_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "installations" i SET
    "body" = installation_body(i),
    "has_passwords" = EXISTS (
      SELECT 1 FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NOT NULL)
  WHERE i."id" IN (SELECT "installation_id" FROM "changed");
  RETURN NULL;
END
$$;

CREATE FUNCTION keep_bodies_of_party() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "installations" i SET "body" = installation_body(i) WHERE i."party_id" = NEW."id";
  RETURN NULL;
END
$$;

-- As before, but that the kept text of an uninstalled installation follows the name of its party.
CREATE OR REPLACE FUNCTION guard_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW."id", NEW."app_id", NEW."developer_id", NEW."party_id", NEW."party_type", NEW."install_date")
      IS DISTINCT FROM (OLD."id", OLD."app_id", OLD."developer_id", OLD."party_id", OLD."party_type", OLD."install_date")
    THEN
      RAISE EXCEPTION 'the identity of an installation never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD."status" = 'uninstalled' THEN
      OLD."body" := NEW."body";
      IF NEW IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'an uninstalled installation never changes' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
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

-- No write comes between the triggers and the texts of what is there already.
LOCK TABLE "parties", "installations", "setting_values" IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER "installations_body_written"
  BEFORE INSERT OR UPDATE OF "purchase_option_id", "installed_version", "status", "permissions", "updated_at"
  ON "installations" FOR EACH ROW EXECUTE FUNCTION keep_installation_body();

CREATE TRIGGER "settings_body_added"
  AFTER INSERT ON "setting_values" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();
CREATE TRIGGER "settings_body_changed"
  AFTER UPDATE ON "setting_values" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();
CREATE TRIGGER "settings_body_removed"
  AFTER DELETE ON "setting_values" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();

CREATE TRIGGER "parties_body_renamed"
  AFTER UPDATE OF "name" ON "parties"
  FOR EACH ROW WHEN (NEW."name" IS DISTINCT FROM OLD."name") EXECUTE FUNCTION keep_bodies_of_party();

UPDATE "installations" i SET
  "body" = installation_body(i),
  "has_passwords" = EXISTS (
    SELECT 1 FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NOT NULL)
WHERE true;
