-- The kept JSON of an installation says why it is suspended. A server of the release before sends
-- the new member along.
CREATE OR REPLACE FUNCTION installation_body(i "installations") RETURNS text
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
      '},"status":"', i."status", '","suspendedReason":',
      coalesce(to_json(i."suspended_reason")::text, 'null'),
      ',"permissions":', array_to_json(i."permissions"),
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

-- No write comes between the trigger and the texts of what is there already.
LOCK TABLE "parties", "installations", "setting_values" IN SHARE ROW EXCLUSIVE MODE;

DROP TRIGGER "installations_body_written" ON "installations";
CREATE TRIGGER "installations_body_written"
  BEFORE INSERT OR UPDATE OF "purchase_option_id", "installed_version", "status", "suspended_reason", "permissions", "updated_at"
  ON "installations" FOR EACH ROW EXECUTE FUNCTION keep_installation_body();

UPDATE "installations" i SET "body" = installation_body(i) WHERE true;
