-- Consoles are opened by people: a credential has no session, and no form that is kept.

DROP TABLE "developer_sessions";

DELETE FROM "kept_forms" WHERE "developer_id" IS NOT NULL;
-- The index, the foreign key and the check of the column go with it.
ALTER TABLE "kept_forms" DROP COLUMN "developer_id";
ALTER TABLE "kept_forms"
  ADD CONSTRAINT "kept_forms_owner_check" CHECK ("user_id" IS NOT NULL OR "once");

-- The release before reads both.
UPDATE "schema_release" SET "compatible_from" = '20261128210000_people_open_consoles';
