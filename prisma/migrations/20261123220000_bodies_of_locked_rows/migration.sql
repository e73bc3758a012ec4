-- A trigger locks installations before the statement that renews their kept text. A statement that
-- waits for a row goes on with the settings as they were before it waited.
CREATE OR REPLACE FUNCTION keep_body_of_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "installations" i WHERE i."id" IN (SELECT "installation_id" FROM "changed")
  ORDER BY i."id" FOR NO KEY UPDATE;
  UPDATE "installations" i SET
    "body" = installation_body(i),
    "has_passwords" = EXISTS (
      SELECT 1 FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NOT NULL)
  WHERE i."id" IN (SELECT "installation_id" FROM "changed");
  RETURN NULL;
END
$$;

-- An installation that another transaction adds while this one renames its account, and commits
-- after this statement begins, keeps the former name.
CREATE OR REPLACE FUNCTION keep_bodies_of_party() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "installations" i WHERE i."party_id" = NEW."id" ORDER BY i."id" FOR NO KEY UPDATE;
  UPDATE "installations" i SET "body" = installation_body(i) WHERE i."party_id" = NEW."id";
  RETURN NULL;
END
$$;

-- No write comes between the new triggers and the texts of what is there already.
LOCK TABLE "parties", "installations", "setting_values" IN SHARE ROW EXCLUSIVE MODE;

UPDATE "installations" i SET
  "body" = installation_body(i),
  "has_passwords" = EXISTS (
    SELECT 1 FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NOT NULL)
WHERE true;
